import type { Numbers } from '../protobuf.ts';

export const rbacNumbers: Numbers = {
  AggregationRule: 'clusterRoleSelectors',
  ClusterRole: 'metadata rules aggregationRule',
  ClusterRoleBinding: 'metadata subjects roleRef',
  PolicyRule: 'verbs apiGroups resources resourceNames nonResourceURLs',
  Role: 'metadata rules',
  RoleBinding: 'metadata subjects roleRef',
  RoleRef: 'apiGroup kind name',
  Subject: 'kind apiGroup name namespace',
};
