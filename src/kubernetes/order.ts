import { groupBy } from '../model/group.ts';
import type { Manifest } from '../model/manifest.ts';
import { groupOf, keyOf } from './live.ts';

/** Objects that need nothing of each other: they may be applied at once, after everything in earlier stages. */
export type Stage = { readonly name: StageName; readonly manifests: readonly Manifest[] };

export type StageName = (typeof stageNames)[number];

/**
 * From what others need to what needs others. Webhooks and aggregated APIs come last: they answer only when what is behind
 * them runs, and until then they refuse others' requests.
 */
const stageNames = [
  'definitions',
  'namespaces',
  'ground',
  'access',
  'settings',
  'services',
  'workloads',
  'resources',
  'gates',
] as const;

const stages: Readonly<Record<string, StageName>> = {
  'apiextensions.k8s.io/CustomResourceDefinition': 'definitions',
  '/Namespace': 'namespaces',
  'scheduling.k8s.io/PriorityClass': 'ground',
  'node.k8s.io/RuntimeClass': 'ground',
  'storage.k8s.io/StorageClass': 'ground',
  'storage.k8s.io/CSIDriver': 'ground',
  'storage.k8s.io/VolumeAttributesClass': 'ground',
  'networking.k8s.io/IngressClass': 'ground',
  '/PersistentVolume': 'ground',
  '/ResourceQuota': 'ground',
  '/LimitRange': 'ground',
  'networking.k8s.io/NetworkPolicy': 'ground',
  'policy/PodDisruptionBudget': 'ground',
  '/ServiceAccount': 'access',
  'rbac.authorization.k8s.io/ClusterRole': 'access',
  'rbac.authorization.k8s.io/ClusterRoleBinding': 'access',
  'rbac.authorization.k8s.io/Role': 'access',
  'rbac.authorization.k8s.io/RoleBinding': 'access',
  '/ConfigMap': 'settings',
  '/Secret': 'settings',
  '/PersistentVolumeClaim': 'settings',
  '/Service': 'services',
  '/Endpoints': 'services',
  'discovery.k8s.io/EndpointSlice': 'services',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': 'gates',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': 'gates',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': 'gates',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': 'gates',
  'apiregistration.k8s.io/APIService': 'gates',
};

const workloads = new Set(['', 'apps', 'batch', 'autoscaling', 'networking.k8s.io', 'policy']);

export function stageOf({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): StageName {
  const group = groupOf(apiVersion);
  return stages[`${group}/${kind}`] ?? (workloads.has(group) ? 'workloads' : 'resources');
}

/** The stages of a set, without empty ones; inside of a stage as it was written. */
export function stagesOf(manifests: readonly Manifest[]): readonly Stage[] {
  const byStage = groupBy(manifests, stageOf);
  return stageNames.flatMap((name) => {
    const found = byStage.get(name);
    return found === undefined ? [] : [{ name, manifests: found }];
  });
}

/** What goes first when things are taken away: the other way round. */
export const removalOrder = <T extends Pick<Manifest, 'apiVersion' | 'kind'>>(objects: readonly T[]): readonly T[] =>
  objects.toSorted((one, other) => stageNames.indexOf(stageOf(other)) - stageNames.indexOf(stageOf(one)));

/** Objects that a set has twice; which of them would count is anybody's guess. */
export function repeated(manifests: readonly Manifest[]): readonly Manifest[] {
  const seen = new Set<string>();
  return manifests.filter((manifest) => {
    const key = keyOf(manifest);
    return seen.size === seen.add(key).size;
  });
}
