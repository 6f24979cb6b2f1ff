import type { ResourceKey } from '../api.ts';
import { resourceKey } from '../discovery/registry.ts';
import type { ResourceDefinition } from '../resource.ts';

const rbac = ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].map(
  (each) => `rbac.authorization.k8s.io/${each}`,
);
const admission = [
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
  'mutatingwebhookconfigurations',
].map((each) => `admissionregistration.k8s.io/${each}`);

/** Those of the built-in kinds that count how often what is wanted of them has changed. */
const generations: ReadonlySet<ResourceKey> = new Set([
  '/pods',
  '/podtemplates',
  '/replicationcontrollers',
  ...admission,
  'apiextensions.k8s.io/customresourcedefinitions',
  'apps/daemonsets',
  'apps/deployments',
  'apps/replicasets',
  'apps/statefulsets',
  'batch/cronjobs',
  'batch/jobs',
  'discovery.k8s.io/endpointslices',
  'flowcontrol.apiserver.k8s.io/flowschemas',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
  'networking.k8s.io/ingressclasses',
  'networking.k8s.io/ingresses',
  'networking.k8s.io/networkpolicies',
  'policy/poddisruptionbudgets',
  'resource.k8s.io/deviceclasses',
  'resource.k8s.io/devicetaintrules',
  'resource.k8s.io/resourceslices',
  'scheduling.k8s.io/priorityclasses',
]);

/** Where PUT makes what is not there. */
const createdByUpdate: ReadonlySet<ResourceKey> = new Set([
  '/endpoints',
  '/events',
  '/limitranges',
  '/services',
  ...rbac,
  'coordination.k8s.io/leases',
  'events.k8s.io/events',
  'node.k8s.io/runtimeclasses',
]);

/** Where PUT must say which version it replaces. */
const versionedUpdate: ReadonlySet<ResourceKey> = new Set([
  ...admission,
  'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration.k8s.io/apiservices',
  'certificates.k8s.io/clustertrustbundles',
  'coordination.k8s.io/leases',
  'node.k8s.io/runtimeclasses',
  'policy/poddisruptionbudgets',
  'storage.k8s.io/csidrivers',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/csistoragecapacities',
  'storage.k8s.io/volumeattachments',
]);

/** Whose status is written without its labels. */
const statusKeepsLabels: ReadonlySet<ResourceKey> = new Set(['apps/deployments']);

export const keepsLabels = (definition: ResourceDefinition): boolean => statusKeepsLabels.has(resourceKey(definition));

export const hasGeneration = (definition: ResourceDefinition): boolean =>
  definition.custom || generations.has(resourceKey(definition));

export const isCreatedByUpdate = (definition: ResourceDefinition): boolean =>
  createdByUpdate.has(resourceKey(definition));

export const updatesWithoutVersion = (definition: ResourceDefinition): boolean =>
  !definition.custom && !versionedUpdate.has(resourceKey(definition));
