import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { selectorText } from '../kinds/selectors.ts';
import { text, tree, trees, type Tree, written } from '../kinds/tree.ts';
import type { Column } from '../resource.ts';
import {
  ageColumn,
  column,
  condition,
  containerColumns,
  count,
  duration,
  labelsText,
  nameColumn,
  nothing,
  orNothing,
  since,
  specOf,
  statusOf,
  wide,
} from './cells.ts';

const template = (object: KubeObject): Tree => tree(specOf(object)['template']);
const selector = wide('Selector', (object) => orNothing(selectorText(specOf(object)['selector'])));
const inside: readonly Column[] = [...containerColumns(template), selector];
const number = (name: string, value: (object: KubeObject) => unknown): Column =>
  column(name, (object) => count(value(object)), 'integer');

export const deploymentColumns: readonly Column[] = [
  nameColumn,
  column('Ready', (object) => `${count(statusOf(object)['readyReplicas'])}/${count(specOf(object)['replicas'])}`),
  column('Up-to-date', (object) => count(statusOf(object)['updatedReplicas'])),
  column('Available', (object) => count(statusOf(object)['availableReplicas'])),
  ageColumn,
  ...inside,
];

export const replicaSetColumns: readonly Column[] = [
  nameColumn,
  number('Desired', (object) => specOf(object)['replicas']),
  number('Current', (object) => statusOf(object)['replicas']),
  number('Ready', (object) => statusOf(object)['readyReplicas']),
  ageColumn,
  ...inside,
];

export const replicationControllerColumns: readonly Column[] = [
  ...replicaSetColumns.slice(0, -1),
  wide('Selector', (object) => labelsText(specOf(object)['selector'])),
];

export const statefulSetColumns: readonly Column[] = [
  nameColumn,
  column('Ready', (object) => `${count(statusOf(object)['readyReplicas'])}/${count(specOf(object)['replicas'])}`),
  ageColumn,
  ...containerColumns(template),
];

export const daemonSetColumns: readonly Column[] = [
  nameColumn,
  number('Desired', (object) => statusOf(object)['desiredNumberScheduled']),
  number('Current', (object) => statusOf(object)['currentNumberScheduled']),
  number('Ready', (object) => statusOf(object)['numberReady']),
  number('Up-to-date', (object) => statusOf(object)['updatedNumberScheduled']),
  number('Available', (object) => statusOf(object)['numberAvailable']),
  column('Node Selector', (object) => labelsText(tree(template(object)['spec'])['nodeSelector'])),
  ageColumn,
  ...inside,
];

function jobStatus(job: KubeObject): string {
  const is = (type: string): boolean => condition(job, type)?.['status'] === 'True';
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}

function completions(job: KubeObject): string {
  const done = count(statusOf(job)['succeeded']);
  const { completions: wanted, parallelism } = specOf(job);
  if (wanted !== undefined) return `${done}/${count(wanted)}`;
  return count(parallelism) > 1 ? `${done}/1 of ${count(parallelism)}` : `${done}/1`;
}

function took(job: KubeObject, now: Date): string {
  const [start, end] = [text(statusOf(job)['startTime']), text(statusOf(job)['completionTime'])];
  if (start === '') return '';
  return duration((end === '' ? now.getTime() : Date.parse(end)) - Date.parse(start));
}

export const jobColumns: readonly Column[] = [
  nameColumn,
  column('Status', jobStatus),
  column('Completions', completions),
  column('Duration', took),
  ageColumn,
  ...inside,
];

const jobSpec = (object: KubeObject): Tree => tree(tree(specOf(object)['jobTemplate'])['spec']);

export const cronJobColumns: readonly Column[] = [
  nameColumn,
  column('Schedule', (object) => text(specOf(object)['schedule'])),
  column('Timezone', (object) => orNothing(text(specOf(object)['timeZone']))),
  column('Suspend', (object) => (specOf(object)['suspend'] === true ? 'True' : 'False'), 'boolean'),
  column('Active', (object) => trees(statusOf(object)['active']).length, 'integer'),
  column('Last Schedule', (object, now) => {
    const last = statusOf(object)['lastScheduleTime'];
    return last === undefined ? nothing : since(last, now);
  }),
  ageColumn,
  ...containerColumns((object) => tree(jobSpec(object)['template'])),
  wide('Selector', (object) => orNothing(selectorText(jobSpec(object)['selector']))),
];

export const podTemplateColumns: readonly Column[] = [
  nameColumn,
  ...containerColumns((object) => tree(object['template'])).map((each) => ({ ...each, priority: 0 })),
  column('Pod Labels', (object) => labelsText(tree(tree(object['template'])['metadata'])['labels'])),
];

export const revisionColumns: readonly Column[] = [
  nameColumn,
  column('Controller', ({ metadata }) => {
    const owner = metadata.ownerReferences?.find((each) => each.controller === true);
    if (owner === undefined) return nothing;
    const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0] ?? ''}` : '';
    return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
  }),
  column('Revision', (object) => count(object['revision'])),
  ageColumn,
];

export const budgetColumns: readonly Column[] = [
  nameColumn,
  column('Min Available', (object) => amount(specOf(object)['minAvailable'])),
  column('Max Unavailable', (object) => amount(specOf(object)['maxUnavailable'])),
  number('Allowed Disruptions', (object) => statusOf(object)['disruptionsAllowed']),
  ageColumn,
];

const amount = (of: unknown): string => (of === undefined || of === null ? 'N/A' : written(of));

export const autoscalerColumns: readonly Column[] = [
  nameColumn,
  column('Reference', (object) => {
    const { kind, name } = tree(specOf(object)['scaleTargetRef']);
    return `${text(kind)}/${text(name)}`;
  }),
  column('Targets', targets),
  column('MinPods', (object) => amount(specOf(object)['minReplicas']).replace('N/A', '<unset>')),
  column('MaxPods', (object) => count(specOf(object)['maxReplicas'])),
  column('Replicas', (object) => count(statusOf(object)['currentReplicas'])),
  ageColumn,
];

function targets(object: KubeObject): string {
  const current = trees(statusOf(object)['currentMetrics']);
  const all = trees(specOf(object)['metrics']).map((metric, at) => {
    const { name, target } = tree(metric['resource']);
    const { averageUtilization, averageValue } = tree(target);
    const seen = tree(tree(current[at]?.['resource'])['current']);
    return averageUtilization === undefined
      ? `${text(name)}: ${text(seen['averageValue']) || '<unknown>'}/${text(averageValue)}`
      : `${text(name)}: ${seen['averageUtilization'] === undefined ? '<unknown>' : `${count(seen['averageUtilization'])}%`}/${count(averageUtilization)}%`;
  });
  if (all.length === 0) return nothing;
  return all.length > 2 ? `${all.slice(0, 2).join(', ')} + ${all.length - 2} more...` : all.join(', ');
}
