import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, Strategy } from '../resource.ts';
import { immutable, invalidValue, nonNegative, notSupported, oneOf, required } from './errors.ts';
import { checkPodSpec } from './pod-checks.ts';
import { selectorMatches } from './selectors.ts';
import { fill, isTree, text, type Tree, tree, within } from './tree.ts';
import { defaultTemplate } from './workloads.ts';

const controllerUid = 'batch.kubernetes.io/controller-uid';
const jobName = 'batch.kubernetes.io/job-name';

function checkJobSpec(field: string, spec: Tree): readonly FieldError[] {
  const inner = tree(tree(spec['template'])['spec']);
  const { restartPolicy } = inner;
  const of = `${field}.template.spec`;
  return [
    ...nonNegative(`${field}.parallelism`, spec['parallelism']),
    ...nonNegative(`${field}.completions`, spec['completions']),
    ...nonNegative(`${field}.activeDeadlineSeconds`, spec['activeDeadlineSeconds']),
    ...nonNegative(`${field}.backoffLimit`, spec['backoffLimit']),
    ...nonNegative(`${field}.ttlSecondsAfterFinished`, spec['ttlSecondsAfterFinished']),
    ...oneOf(`${field}.completionMode`, spec['completionMode'], ['NonIndexed', 'Indexed']),
    ...checkPodSpec(of, inner),
    ...(restartPolicy === 'Always'
      ? [required(`${of}.restartPolicy`, 'valid values: "OnFailure", "Never"')]
      : restartPolicy === 'OnFailure' || restartPolicy === 'Never'
        ? []
        : [notSupported(`${of}.restartPolicy`, restartPolicy, ['OnFailure', 'Never'])]),
  ];
}

function checkJob(job: KubeObject): readonly FieldError[] {
  const spec = tree(job['spec']);
  const { selector } = spec;
  const labels = tree(tree(tree(spec['template'])['metadata'])['labels']);
  const own = { matchLabels: { [controllerUid]: job.metadata.uid } };
  return [
    ...(!isTree(selector) ? [required('spec.selector')] : []),
    ...(spec['manualSelector'] !== true && isTree(selector) && !isDeepStrictEqual(selector, own)
      ? [invalidValue('spec.selector', selector, '`selector` not auto-generated')]
      : []),
    ...(isTree(selector) && !selectorMatches(selector, labels)
      ? [invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')]
      : []),
    ...checkJobSpec('spec', spec),
  ];
}

export const jobStrategy: Strategy = {
  defaults: (job) => {
    const spec = within(job, 'spec');
    defaultTemplate(spec);
    if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
    spec['parallelism'] ??= 1;
    spec['backoffLimit'] ??= 6;
    spec['suspend'] ??= false;
    spec['manualSelector'] ??= false;
    fill(spec, { completionMode: 'NonIndexed', podReplacementPolicy: 'TerminatingOrFailed' });
    const meta = within(job, 'metadata');
    const labels = tree(tree(tree(spec['template'])['metadata'])['labels']);
    if (meta['labels'] === undefined && Object.keys(labels).length > 0) meta['labels'] = { ...labels };
  },
  prepareCreate: (job) => {
    const spec = within(job, 'spec');
    job['status'] = {};
    if (spec['manualSelector'] === true) return;
    const { uid, name } = job['metadata'] as KubeObject['metadata'];
    const own = { [controllerUid]: uid, [jobName]: name, 'controller-uid': uid, 'job-name': name };
    const template = within(within(spec, 'template'), 'metadata');
    template['labels'] = { ...tree(template['labels']), ...own };
    const meta = within(job, 'metadata');
    meta['labels'] = { ...tree(meta['labels']), ...own };
    within(within(spec, 'selector'), 'matchLabels')[controllerUid] = uid;
  },
  validate: checkJob,
  validateUpdate: (next, old, { subresource }) => {
    if (subresource !== undefined) return [];
    const [after, before] = [tree(next['spec']), tree(old['spec'])];
    const fixed = ['completions', 'selector', 'template', 'completionMode'].filter(
      (name) => !isDeepStrictEqual(after[name], before[name]),
    );
    return [...checkJob(next), ...fixed.map((name) => invalidValue(`spec.${name}`, after[name], immutable))];
  },
};

function checkCronJob(job: KubeObject): readonly FieldError[] {
  const spec = tree(job['spec']);
  const schedule = text(spec['schedule']);
  const fields = schedule.split(/\s+/).filter((part) => part !== '');
  const isShort = schedule.startsWith('@');
  const zone = spec['timeZone'];
  return [
    ...(schedule === ''
      ? [required('spec.schedule')]
      : !isShort && fields.length !== 5
        ? [
            invalidValue(
              'spec.schedule',
              schedule,
              `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`,
            ),
          ]
        : []),
    ...oneOf('spec.concurrencyPolicy', spec['concurrencyPolicy'], ['Allow', 'Forbid', 'Replace']),
    ...(zone !== undefined && !isZone(text(zone))
      ? [invalidValue('spec.timeZone', zone, `unknown time zone ${text(zone)}`)]
      : []),
    ...checkJobSpec('spec.jobTemplate.spec', tree(tree(spec['jobTemplate'])['spec'])),
    ...nonNegative('spec.startingDeadlineSeconds', spec['startingDeadlineSeconds']),
    ...nonNegative('spec.successfulJobsHistoryLimit', spec['successfulJobsHistoryLimit']),
    ...nonNegative('spec.failedJobsHistoryLimit', spec['failedJobsHistoryLimit']),
  ];
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const cronJobStrategy: Strategy = {
  defaults: (job) => {
    const spec = within(job, 'spec');
    fill(spec, { concurrencyPolicy: 'Allow' });
    spec['suspend'] ??= false;
    spec['successfulJobsHistoryLimit'] ??= 3;
    spec['failedJobsHistoryLimit'] ??= 1;
    const template = within(spec, 'jobTemplate');
    within(template, 'metadata');
    defaultTemplate(within(template, 'spec'));
  },
  validate: checkCronJob,
  validateUpdate: (next, _, { subresource }) => (subresource === undefined ? checkCronJob(next) : []),
};
