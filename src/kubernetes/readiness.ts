import { groupOf, type Live } from './live.ts';
import { apiService, claim, definition, namespace, node, service } from './readiness/cluster.ts';
import { clusterApi } from './readiness/cluster-api.ts';
import { byConvention, byConventionOnceSaid } from './readiness/conditions.ts';
import { podRule } from './readiness/pods.ts';
import { ready, waiting, type Around, type Readiness, type Rule } from './readiness/readiness.ts';
import { daemonSet, deployment, job, replicaSet, statefulSet } from './readiness/workloads.ts';

export type { Around, Readiness } from './readiness/readiness.ts';

const rules: Readonly<Record<string, Rule>> = {
  '/Namespace': namespace,
  '/Node': node,
  '/Pod': podRule,
  '/PersistentVolumeClaim': claim,
  '/Service': service,
  'apps/Deployment': deployment,
  'apps/DaemonSet': daemonSet,
  'apps/StatefulSet': statefulSet,
  'apps/ReplicaSet': replicaSet,
  'batch/Job': job,
  'apiextensions.k8s.io/CustomResourceDefinition': definition,
  'apiregistration.k8s.io/APIService': apiService,
};

/** Whole groups whose controllers follow one convention. */
const families: readonly (readonly [group: RegExp, rule: Rule])[] = [
  [/(^|\.)fluxcd\.(controlplane\.)?io$/, flux()],
  [/(^|\.)cluster\.x-k8s\.io$/, clusterApi],
];

/** Flux’s Provider and Alert keep no status. */
function flux(): Rule {
  const said = byConventionOnceSaid('Flux');
  return (object, around) => (['Provider', 'Alert'].includes(object.kind) ? ready : said(object, around));
}

/** Whether an object does what it is there for, by the rules of its kind. */
export function readinessOf(object: Live, around: Around = { pods: [] }): Readiness {
  if (object.metadata.deletionTimestamp !== undefined) return waiting(goingBecause(object));
  return ruleOf(object)(object, around);
}

function ruleOf({ apiVersion, kind }: Live): Rule {
  const group = groupOf(apiVersion);
  return rules[`${group}/${kind}`] ?? families.find(([family]) => family.test(group))?.[1] ?? byConvention;
}

function goingBecause({ metadata: { finalizers = [] } }: Live): string {
  return finalizers.length === 0 ? 'it is being deleted' : `it is being deleted, held by ${finalizers.join(', ')}`;
}

/** Kinds whose rule names the pods that it waits for. */
export const hasPods = ({ apiVersion, kind }: Pick<Live, 'apiVersion' | 'kind'>): boolean =>
  ['apps', 'batch'].includes(groupOf(apiVersion)) && kind !== 'CronJob' && kind !== 'ControllerRevision';
