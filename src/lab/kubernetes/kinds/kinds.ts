import type { Strategy } from '../resource.ts';
import { namespaceStrategy, nodeStrategy } from './cluster.ts';
import { configMapStrategy, secretStrategy } from './configuration.ts';
import { coreEventStrategy, eventStrategy, leaseStrategy } from './events.ts';
import { cronJobStrategy, jobStrategy } from './jobs.ts';
import {
  endpointSliceStrategy,
  endpointsStrategy,
  ingressClassStrategy,
  ingressStrategy,
  networkPolicyStrategy,
} from './network.ts';
import { podStrategy } from './pod.ts';
import {
  autoscalerStrategy,
  budgetStrategy,
  limitRangeStrategy,
  quotaStrategy,
  revisionStrategy,
  runtimeClassStrategy,
} from './policy.ts';
import { priorityClassStrategy } from './priority-class.ts';
import { clusterRoleBindingStrategy, clusterRoleStrategy, roleBindingStrategy, roleStrategy } from './rbac.ts';
import {
  apiServiceStrategy,
  mutatingWebhookStrategy,
  signingRequestStrategy,
  validatingWebhookStrategy,
} from './registration.ts';
import { serviceStrategy } from './service.ts';
import { claimStrategy, csiDriverStrategy, storageClassStrategy, volumeStrategy } from './storage.ts';
import { withTemplate } from './pod-template.ts';
import {
  daemonSetStrategy,
  deploymentStrategy,
  replicaSetStrategy,
  replicationControllerStrategy,
  statefulSetStrategy,
} from './workloads.ts';

const strategies: Readonly<Record<string, Strategy>> = {
  '/configmaps': configMapStrategy,
  '/endpoints': endpointsStrategy,
  '/events': coreEventStrategy,
  '/limitranges': limitRangeStrategy,
  '/namespaces': namespaceStrategy,
  '/nodes': nodeStrategy,
  '/persistentvolumeclaims': claimStrategy,
  '/persistentvolumes': volumeStrategy,
  '/pods': podStrategy,
  '/podtemplates': withTemplate,
  '/replicationcontrollers': replicationControllerStrategy,
  '/resourcequotas': quotaStrategy,
  '/secrets': secretStrategy,
  '/services': serviceStrategy,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': mutatingWebhookStrategy,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': validatingWebhookStrategy,
  'apiregistration.k8s.io/apiservices': apiServiceStrategy,
  'apps/controllerrevisions': revisionStrategy,
  'apps/daemonsets': daemonSetStrategy,
  'apps/deployments': deploymentStrategy,
  'apps/replicasets': replicaSetStrategy,
  'apps/statefulsets': statefulSetStrategy,
  'autoscaling/horizontalpodautoscalers': autoscalerStrategy,
  'batch/cronjobs': cronJobStrategy,
  'batch/jobs': jobStrategy,
  'certificates.k8s.io/certificatesigningrequests': signingRequestStrategy,
  'coordination.k8s.io/leases': leaseStrategy,
  'discovery.k8s.io/endpointslices': endpointSliceStrategy,
  'events.k8s.io/events': eventStrategy,
  'networking.k8s.io/ingressclasses': ingressClassStrategy,
  'networking.k8s.io/ingresses': ingressStrategy,
  'networking.k8s.io/networkpolicies': networkPolicyStrategy,
  'node.k8s.io/runtimeclasses': runtimeClassStrategy,
  'policy/poddisruptionbudgets': budgetStrategy,
  'rbac.authorization.k8s.io/clusterrolebindings': clusterRoleBindingStrategy,
  'rbac.authorization.k8s.io/clusterroles': clusterRoleStrategy,
  'rbac.authorization.k8s.io/rolebindings': roleBindingStrategy,
  'rbac.authorization.k8s.io/roles': roleStrategy,
  'scheduling.k8s.io/priorityclasses': priorityClassStrategy,
  'storage.k8s.io/csidrivers': csiDriverStrategy,
  'storage.k8s.io/storageclasses': storageClassStrategy,
};

const nothingSpecial: Strategy = {};

/** What is special about a built-in kind. */
export const strategyOf = (group: string, resource: string): Strategy =>
  strategies[`${group}/${resource}`] ?? nothingSpecial;
