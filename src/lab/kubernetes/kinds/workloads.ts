import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, Strategy } from '../resource.ts';
import { forbiddenField, immutable, invalidValue, nonNegative, notSupported, required } from './errors.ts';
import { checkPodSpec } from './pod-checks.ts';
import { defaultClaimSpec, defaultPodSpec } from './pod-defaults.ts';
import { checkSelector, selectorMatches } from './selectors.ts';
import { fill, isEmpty, isTree, text, type Tree, tree, trees, within } from './tree.ts';

/** The spec inside of a template has its defaults, too. */
export function defaultTemplate(spec: Tree): void {
  const template = within(spec, 'template');
  within(template, 'metadata');
  defaultPodSpec(within(template, 'spec'));
}

/** A selector that is there, is right, and finds the pods that are made. */
function checkSelection(spec: Tree, emptyOf: string): readonly FieldError[] {
  const { selector } = spec;
  const labels = tree(tree(tree(spec['template'])['metadata'])['labels']);
  const shown = Object.keys(labels).length === 0 ? undefined : labels;
  if (!isTree(selector)) {
    return emptyOf === 'daemonset' ? [mismatch(shown)] : [required('spec.selector'), mismatch(shown)];
  }
  const wrong = checkSelector('spec.selector', selector);
  if (wrong.length > 0) return [...wrong, invalidValue('spec.selector', selector, 'invalid label selector')];
  if (isEmpty(selector['matchLabels']) && isEmpty(selector['matchExpressions'])) {
    return [invalidValue('spec.selector', selector, `empty selector is invalid for ${emptyOf}`)];
  }
  return selectorMatches(selector, labels) ? [] : [mismatch(shown)];
}

const mismatch = (labels: unknown): FieldError =>
  invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`');

function checkTemplate(spec: Tree): readonly FieldError[] {
  const inner = tree(tree(spec['template'])['spec']);
  const { restartPolicy } = inner;
  const wrong = checkPodSpec('spec.template.spec', inner);
  return restartPolicy === 'Always' || wrong.some(({ field }) => field.endsWith('.restartPolicy'))
    ? wrong
    : [...wrong, notSupported('spec.template.spec.restartPolicy', restartPolicy, ['Always'])];
}

const selectorStays = (next: KubeObject, old: KubeObject): readonly FieldError[] => {
  const [after, before] = [tree(next['spec'])['selector'], tree(old['spec'])['selector']];
  return isDeepStrictEqual(after, before) ? [] : [invalidValue('spec.selector', after, immutable)];
};

/** How the server’s own type looks when a message shows it. */
const shownStrategy = ({ type, rollingUpdate }: Tree): Tree => ({
  Type: type,
  RollingUpdate: isTree(rollingUpdate)
    ? { MaxUnavailable: rollingUpdate['maxUnavailable'] ?? 0, MaxSurge: rollingUpdate['maxSurge'] ?? 0 }
    : null,
});

function checkDeployment(deployment: KubeObject): readonly FieldError[] {
  const spec = tree(deployment['spec']);
  const [ready, deadline] = [Number(spec['minReadySeconds'] ?? 0), Number(spec['progressDeadlineSeconds'] ?? 600)];
  return [
    ...nonNegative('spec.replicas', spec['replicas']),
    ...checkSelection(spec, 'deployment'),
    ...checkTemplate(spec),
    ...checkDeploymentStrategy(tree(spec['strategy'])),
    ...nonNegative('spec.minReadySeconds', spec['minReadySeconds']),
    ...nonNegative('spec.revisionHistoryLimit', spec['revisionHistoryLimit']),
    ...nonNegative('spec.progressDeadlineSeconds', spec['progressDeadlineSeconds']),
    ...(deadline <= ready
      ? [invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

function checkDeploymentStrategy(strategy: Tree): readonly FieldError[] {
  const { type, rollingUpdate } = strategy;
  if (type === 'Recreate') {
    return isTree(rollingUpdate)
      ? [forbiddenField('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  }
  if (type !== 'RollingUpdate') {
    return [notSupported('spec.strategy', shownStrategy(strategy), ['Recreate', 'RollingUpdate'])];
  }
  const { maxSurge, maxUnavailable } = tree(rollingUpdate);
  const field = 'spec.strategy.rollingUpdate.maxUnavailable';
  return isNone(maxSurge) && isNone(maxUnavailable)
    ? [invalidValue(field, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
    : [];
}

const isNone = (amount: unknown): boolean => amount === 0 || amount === '0%';

export const deploymentStrategy: Strategy = {
  defaults: (deployment) => {
    const spec = within(deployment, 'spec');
    defaultTemplate(spec);
    spec['replicas'] ??= 1;
    spec['revisionHistoryLimit'] ??= 10;
    spec['progressDeadlineSeconds'] ??= 600;
    const strategy = within(spec, 'strategy');
    fill(strategy, { type: 'RollingUpdate' });
    if (strategy['type'] !== 'RollingUpdate') return;
    const rolling = within(strategy, 'rollingUpdate');
    rolling['maxUnavailable'] ??= '25%';
    rolling['maxSurge'] ??= '25%';
  },
  validate: checkDeployment,
  validateUpdate: (next, old, { subresource }) =>
    subresource === undefined ? [...checkDeployment(next), ...selectorStays(next, old)] : [],
};

const checkReplicaSet = (set: KubeObject): readonly FieldError[] => {
  const spec = tree(set['spec']);
  return [
    ...nonNegative('spec.replicas', spec['replicas']),
    ...nonNegative('spec.minReadySeconds', spec['minReadySeconds']),
    ...checkSelection(spec, 'replicaset'),
    ...checkTemplate(spec),
  ];
};

export const replicaSetStrategy: Strategy = {
  defaults: (set) => {
    const spec = within(set, 'spec');
    defaultTemplate(spec);
    spec['replicas'] ??= 1;
  },
  validate: checkReplicaSet,
  validateUpdate: (next, old, { subresource }) =>
    subresource === undefined ? [...checkReplicaSet(next), ...selectorStays(next, old)] : [],
};

const checkDaemonSet = (set: KubeObject): readonly FieldError[] => {
  const spec = tree(set['spec']);
  const strategy = tree(spec['updateStrategy']);
  const strategies = ['RollingUpdate', 'OnDelete'];
  return [
    ...checkSelection(spec, 'daemonset'),
    ...checkTemplate(spec),
    ...nonNegative('spec.minReadySeconds', spec['minReadySeconds']),
    ...(strategies.includes(text(strategy['type']))
      ? []
      : [notSupported('spec.updateStrategy', shownStrategy(strategy), strategies)]),
    ...nonNegative('spec.revisionHistoryLimit', spec['revisionHistoryLimit']),
  ];
};

const templateGeneration = 'deprecated.daemonset.template.generation';

export const daemonSetStrategy: Strategy = {
  defaults: (set) => {
    const spec = within(set, 'spec');
    defaultTemplate(spec);
    // A client owns this number although the server counts it.
    within(within(set, 'metadata'), 'annotations')[templateGeneration] ??= '0';
    spec['revisionHistoryLimit'] ??= 10;
    const strategy = within(spec, 'updateStrategy');
    fill(strategy, { type: 'RollingUpdate' });
    if (strategy['type'] !== 'RollingUpdate') return;
    const rolling = within(strategy, 'rollingUpdate');
    rolling['maxUnavailable'] ??= 1;
    rolling['maxSurge'] ??= 0;
  },
  prepareCreate: (set) => {
    within(within(set, 'metadata'), 'annotations')[templateGeneration] = '1';
  },
  prepareUpdate: (next, old, { subresource }) => {
    if (subresource !== undefined) return;
    const before = Number(old.metadata.annotations?.[templateGeneration] ?? 1);
    const isSame = isDeepStrictEqual(tree(next['spec'])['template'], tree(old['spec'])['template']);
    within(within(next, 'metadata'), 'annotations')[templateGeneration] = String(isSame ? before : before + 1);
  },
  validate: checkDaemonSet,
  validateUpdate: (next, old, { subresource }) =>
    subresource === undefined ? [...checkDaemonSet(next), ...selectorStays(next, old)] : [],
};

const checkStatefulSet = (set: KubeObject): readonly FieldError[] => {
  const spec = tree(set['spec']);
  const strategy = tree(spec['updateStrategy']);
  const { podManagementPolicy: policy } = spec;
  return [
    ...(policy === 'OrderedReady' || policy === 'Parallel'
      ? []
      : [invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...(strategy['type'] === 'RollingUpdate' || strategy['type'] === 'OnDelete'
      ? []
      : [
          invalidValue(
            'spec.updateStrategy',
            { Type: strategy['type'], RollingUpdate: null },
            "must be 'RollingUpdate' or 'OnDelete'",
          ),
        ]),
    ...nonNegative('spec.replicas', spec['replicas']),
    ...nonNegative('spec.minReadySeconds', spec['minReadySeconds']),
    ...checkSelection(spec, 'statefulset'),
    ...checkTemplate(spec),
  ];
};

const mayChange = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

export const statefulSetStrategy: Strategy = {
  defaults: (set) => {
    const spec = within(set, 'spec');
    defaultTemplate(spec);
    spec['replicas'] ??= 1;
    spec['revisionHistoryLimit'] ??= 10;
    fill(spec, { podManagementPolicy: 'OrderedReady' });
    const strategy = within(spec, 'updateStrategy');
    fill(strategy, { type: 'RollingUpdate' });
    if (strategy['type'] === 'RollingUpdate') within(strategy, 'rollingUpdate')['partition'] ??= 0;
    fill(within(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
    for (const claim of trees(spec['volumeClaimTemplates'])) {
      fill(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' });
      defaultClaimSpec(within(claim, 'spec'));
      fill(within(claim, 'status'), { phase: 'Pending' });
    }
  },
  validate: checkStatefulSet,
  validateUpdate: (next, old, { subresource }) => {
    if (subresource !== undefined) return [];
    const rest = (of: KubeObject): Tree =>
      Object.fromEntries(Object.entries(tree(of['spec'])).filter(([name]) => !mayChange.includes(name)));
    return [
      ...checkStatefulSet(next),
      ...(isDeepStrictEqual(rest(next), rest(old))
        ? []
        : [
            forbiddenField(
              'spec',
              "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
            ),
          ]),
    ];
  },
};

const checkController = (controller: KubeObject): readonly FieldError[] => {
  const spec = tree(controller['spec']);
  return [
    ...nonNegative('spec.replicas', spec['replicas']),
    ...(isEmpty(spec['selector']) ? [required('spec.selector')] : []),
    ...checkTemplate(spec),
  ];
};

export const replicationControllerStrategy: Strategy = {
  defaults: (controller) => {
    const spec = within(controller, 'spec');
    if (!isTree(spec['template'])) return;
    defaultTemplate(spec);
    const labels = tree(tree(spec['template']['metadata'])['labels']);
    if (isEmpty(spec['selector'])) spec['selector'] = { ...labels };
    const meta = within(controller, 'metadata');
    if (isEmpty(meta['labels'])) meta['labels'] = { ...labels };
    spec['replicas'] ??= 1;
  },
  validate: checkController,
  validateUpdate: (next, _, { subresource }) => (subresource === undefined ? checkController(next) : []),
};
