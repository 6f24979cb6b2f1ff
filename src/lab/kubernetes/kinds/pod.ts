import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, Strategy } from '../resource.ts';
import { atLeastZero, forbiddenField, invalidValue } from './errors.ts';
import { admitPod } from './pod-admission.ts';
import { checkPodSpec } from './pod-checks.ts';
import { defaultPodSpec } from './pod-defaults.ts';
import { text, type Tree, tree, trees, within } from './tree.ts';

export const podStrategy: Strategy = {
  defaults: (pod) => {
    const spec = within(pod, 'spec');
    defaultPodSpec(spec);
    spec['enableServiceLinks'] ??= true;
  },
  prepareCreate: (pod, context) => {
    admitPod(pod, context);
    pod['status'] = { phase: 'Pending', qosClass: qosClass(tree(pod['spec'])) };
  },
  prepareUpdate: (next, old, { subresource }) => {
    if (subresource === undefined) next['status'] = old['status'];
  },
  validate: (pod) => checkPodSpec('spec', tree(pod['spec'])),
  validateUpdate: (next, old, { subresource }) => (subresource === undefined ? checkUpdate(next, old) : []),
  /** One that no node has taken, or that has ended, goes at once. */
  graceSeconds: (pod) => {
    const { nodeName, terminationGracePeriodSeconds } = tree(pod['spec']);
    const hasEnded = ['Succeeded', 'Failed'].includes(text(tree(pod['status'])['phase']));
    if (text(nodeName) === '' || hasEnded) return 0;
    const seconds = Number(terminationGracePeriodSeconds ?? 30);
    return seconds < 0 ? 1 : seconds;
  },
};

/** How much a pod has asked for, in one word. */
function qosClass(spec: Tree): string {
  const all = [...trees(spec['containers']), ...trees(spec['initContainers'])].map(({ resources }) => tree(resources));
  const asked = (of: unknown): Tree => {
    const { cpu, memory } = tree(of);
    return { ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
  };
  const some = all.some(({ limits, requests }) => Object.keys({ ...asked(limits), ...asked(requests) }).length > 0);
  if (!some) return 'BestEffort';
  const isSure = all.every(
    ({ limits, requests }) =>
      Object.keys(asked(limits)).length === 2 && isDeepStrictEqual(asked(limits), asked(requests)),
  );
  return isSure ? 'Guaranteed' : 'Burstable';
}

const mayChange =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function checkUpdate(next: KubeObject, old: KubeObject): readonly FieldError[] {
  const [after, before] = [tree(next['spec']), tree(old['spec'])];
  const wrong: FieldError[] = [...checkPodSpec('spec', after)];
  for (const list of ['containers', 'initContainers']) {
    if (trees(after[list]).length !== trees(before[list]).length) {
      return [...wrong, forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')];
    }
  }
  wrong.push(...checkDeadline(after['activeDeadlineSeconds'], before['activeDeadlineSeconds']));
  const changed = changedFields(fixed(after), fixed(before));
  if (changed !== '') wrong.push(forbiddenField('spec', `${mayChange}\n${changed}`));
  return wrong;
}

/** What differs. The real server shows its own structures here; the twin the fields as they are written. */
function changedFields(after: Tree, before: Tree): string {
  const line = (sign: string, name: string, value: unknown): string =>
    value === undefined ? '' : `${sign} ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => line('-', name, before[name]) + line('+', name, after[name]))
    .join('');
}

function checkDeadline(after: unknown, before: unknown): readonly FieldError[] {
  if (before === undefined || after === before) return [];
  if (typeof after !== 'number')
    return [invalidValue('spec.activeDeadlineSeconds', after, 'must not update from a positive integer to nil value')];
  if (after < 0) return [invalidValue('spec.activeDeadlineSeconds', after, atLeastZero)];
  return after > Number(before)
    ? [invalidValue('spec.activeDeadlineSeconds', after, 'must be less than or equal to previous value')]
    : [];
}

/** Everything of a pod’s spec that stays as it was made. */
function fixed(spec: Tree): Tree {
  const { activeDeadlineSeconds: _, tolerations: __, ...rest } = spec;
  const images = (list: unknown): unknown => trees(list).map(({ image: ___, ...container }) => container);
  return { ...rest, containers: images(spec['containers']), initContainers: images(spec['initContainers']) };
}
