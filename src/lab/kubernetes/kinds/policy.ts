import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, Strategy } from '../resource.ts';
import { canonicalQuantity, parseQuantity } from '../schema/quantity.ts';
import { dnsLabel, labelKey } from '../verbs/names.ts';
import { atLeastZero, complain, immutable, invalidValue, required } from './errors.ts';
import { checkSelector } from './selectors.ts';
import { isTree, text, type Tree, tree, trees, within } from './tree.ts';

const notAPercentage =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

function checkAmount(field: string, amount: unknown): readonly FieldError[] {
  if (typeof amount === 'number') return amount < 0 ? [invalidValue(field, amount, atLeastZero)] : [];
  return typeof amount !== 'string' || /^[0-9]+%$/.test(amount) ? [] : [invalidValue(field, amount, notAPercentage)];
}

function checkBudget(budget: KubeObject): readonly FieldError[] {
  const spec = tree(budget['spec']);
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec;
  return [
    ...(minAvailable !== undefined && maxUnavailable !== undefined
      ? [
          invalidValue(
            'spec',
            {
              MinAvailable: minAvailable,
              Selector: selector ?? null,
              MaxUnavailable: maxUnavailable,
              UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
            },
            'minAvailable and maxUnavailable cannot be both set',
          ),
        ]
      : []),
    ...checkAmount('spec.minAvailable', minAvailable),
    ...checkAmount('spec.maxUnavailable', maxUnavailable),
    ...checkSelector('spec.selector', tree(selector)),
  ];
}

export const budgetStrategy: Strategy = {
  validate: checkBudget,
  validateUpdate: (next, _, { subresource }) => (subresource === undefined ? checkBudget(next) : []),
};

function checkAutoscaler(autoscaler: KubeObject): readonly FieldError[] {
  const spec = tree(autoscaler['spec']);
  const [least, most] = [Number(spec['minReplicas'] ?? 1), Number(spec['maxReplicas'] ?? 0)];
  const target = tree(spec['scaleTargetRef']);
  return [
    ...(least < 1 ? [invalidValue('spec.minReplicas', least, 'must be greater than or equal to 1')] : []),
    ...(most < 1 ? [required('spec.maxReplicas', 'must be set and greater than 0')] : []),
    ...(most < least ? [invalidValue('spec.maxReplicas', most, 'must be greater than or equal to `minReplicas`')] : []),
    ...(text(target['kind']) === '' ? [required('spec.scaleTargetRef.kind')] : []),
    ...(text(target['name']) === '' ? [required('spec.scaleTargetRef.name')] : []),
    ...(text(target['apiVersion']) === '' && text(target['kind']) !== 'ReplicationController'
      ? [invalidValue('spec.scaleTargetRef.apiVersion', '', 'apiVersion must specify API group')]
      : []),
  ];
}

export const autoscalerStrategy: Strategy = {
  defaults: (autoscaler) => {
    const spec = within(autoscaler, 'spec');
    spec['minReplicas'] ??= 1;
    if (trees(spec['metrics']).length > 0) return;
    spec['metrics'] = [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
    ];
  },
  validate: checkAutoscaler,
  validateUpdate: (next, _, { subresource }) => (subresource === undefined ? checkAutoscaler(next) : []),
};

const counted = new Set([
  'cpu',
  'memory',
  'storage',
  'ephemeral-storage',
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
]);
const isCounted = (name: string): boolean =>
  counted.has(name) || name.includes('/') || /^(requests|limits|services|hugepages)[.-]/.test(name);

const checkQuota = (quota: KubeObject): readonly FieldError[] =>
  Object.keys(tree(tree(quota['spec'])['hard'])).flatMap((name) => [
    ...complain(`spec.hard[${name}]`, name, labelKey(name)),
    ...(isCounted(name) ? [] : [invalidValue(`spec.hard[${name}]`, name, 'must be a standard resource for quota')]),
  ]);

export const quotaStrategy: Strategy = {
  defaults: (quota) => canonical(tree(tree(quota['spec'])['hard'])),
  prepareCreate: (quota) => void (quota['status'] = {}),
  validate: checkQuota,
  validateUpdate: (next, _, { subresource }) => (subresource === undefined ? checkQuota(next) : []),
};

function canonical(amounts: Tree): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const written = canonicalQuantity(String(amount));
    if (written !== undefined) amounts[name] = written;
  }
}

const checkRange = (range: KubeObject): readonly FieldError[] =>
  trees(tree(range['spec'])['limits']).flatMap((limit, at) => {
    const field = `spec.limits[${at}]`;
    const [least, most] = [tree(limit['min']), tree(limit['max'])];
    return Object.keys(least).flatMap((name) => [
      ...exceeds(`${field}.min[${name}]`, least[name], most[name], least[name], 'max value'),
      ...exceeds(
        `${field}.defaultRequest[${name}]`,
        least[name],
        tree(limit['defaultRequest'])[name],
        tree(limit['defaultRequest'])[name],
        'default request value',
      ),
      ...exceeds(`${field}.default[${name}]`, least[name], tree(limit['default'])[name], least[name], 'default value'),
    ]);
  });

function exceeds(field: string, least: unknown, other: unknown, shown: unknown, what: string): readonly FieldError[] {
  const [low, high] = [parseQuantity(String(least)), parseQuantity(String(other))];
  if (low === undefined || high === undefined || low.nano <= high.nano) return [];
  return [invalidValue(field, String(shown), `min value ${String(least)} is greater than ${what} ${String(other)}`)];
}

export const limitRangeStrategy: Strategy = {
  defaults: (range) => {
    for (const limit of trees(tree(range['spec'])['limits'])) {
      if (limit['type'] !== 'Container') continue;
      const standard = within(limit, 'default');
      for (const [name, amount] of Object.entries(tree(limit['max']))) standard[name] ??= amount;
      const request = within(limit, 'defaultRequest');
      for (const [name, amount] of Object.entries(standard)) request[name] ??= amount;
      for (const [name, amount] of Object.entries(tree(limit['min']))) request[name] ??= amount;
    }
  },
  validate: checkRange,
  validateUpdate: checkRange,
};

const checkRuntime = (of: KubeObject): readonly FieldError[] =>
  complain('handler', text(of['handler']), dnsLabel(text(of['handler'])));

export const runtimeClassStrategy: Strategy = {
  validate: checkRuntime,
  validateUpdate: (next, old) =>
    next['handler'] === old['handler'] ? [] : [invalidValue('handler', next['handler'], immutable)],
};

export const revisionStrategy: Strategy = {
  validate: (revision) => (isTree(revision['data']) ? [] : [required('data', 'data is mandatory')]),
  validateUpdate: (next, old) =>
    JSON.stringify(next['data']) === JSON.stringify(old['data']) ? [] : [invalidValue('data', next['data'], immutable)],
};
