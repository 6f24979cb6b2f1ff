import type { Types } from '../notation.ts';

/** Roles and who has them. */
export const rbac: Types = {
  AggregationRule: 'clusterRoleSelectors []meta.LabelSelector atomic',
  ClusterRole: `
    @kind @list
    rules []PolicyRule written atomic
    aggregationRule *AggregationRule`,
  ClusterRoleBinding: `
    @kind @list
    subjects []Subject atomic
    roleRef! RoleRef`,
  PolicyRule: `
    verbs! []string atomic
    apiGroups []string atomic
    resources []string atomic
    resourceNames []string atomic
    nonResourceURLs []string atomic`,
  Role: `
    @kind @list
    rules []PolicyRule written atomic`,
  RoleBinding: `
    @kind @list
    subjects []Subject atomic
    roleRef! RoleRef`,
  RoleRef: `
    @atomic
    apiGroup string written
    kind! string
    name! string`,
  Subject: `
    @atomic
    kind! string
    apiGroup string
    name! string
    namespace string`,
};
