import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import type { ResourceDefinition, Subresource } from '../resource.ts';
import { internalError, invalid, quote } from '../refusal.ts';
import { at } from './at.ts';
import { mutable } from './clone.ts';
import type { LabelSelector } from './label-selector.ts';

type Scaled = Extract<Subresource, { kind: 'scale' }>;

/** What `scale` shows of something that has replicas. */
export function scaleOf(definition: ResourceDefinition, object: KubeObject, scaled: Scaled): KubeObject {
  const { specReplicas, statusReplicas, selector } = scaled;
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const chosen = selector === undefined ? undefined : selectorText(at(object, selector));
  const replicas = at(object, specReplicas);
  if (definition.custom && replicas === undefined)
    throw internalError(`the spec replicas field ${quote(`.${specReplicas.join('.')}`)} does not exist`);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: Object.fromEntries(
      Object.entries({ name, namespace, uid, resourceVersion, creationTimestamp }).filter(
        ([, value]) => value !== undefined,
      ),
    ),
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: Number(at(object, statusReplicas) ?? 0),
      ...(chosen === undefined || chosen === '' ? {} : { selector: chosen }),
    },
  };
}

/** The object with as many replicas as a scale says. */
export function scaledBy(live: KubeObject, scale: Mutable, scaled: Scaled): Mutable {
  const wanted = Number((scale['spec'] as Mutable | undefined)?.['replicas'] ?? 0);
  if (wanted < 0)
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, live.metadata.name ?? '', [
      {
        reason: 'FieldValueInvalid',
        field: 'spec.replicas',
        message: `Invalid value: ${wanted}: must be greater than or equal to 0`,
      },
    ]);
  const next = mutable(live);
  const path = scaled.specReplicas;
  let place = next;
  for (const key of path.slice(0, -1)) place = (place[key] ??= {}) as Mutable;
  place[path.at(-1) ?? ''] = wanted;
  return next;
}

const operators: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notin' };

function selectorText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const isSelector = 'matchLabels' in value || 'matchExpressions' in value;
  const { matchLabels = {}, matchExpressions = [] } = (isSelector ? value : { matchLabels: value }) as LabelSelector;
  const terms = [
    ...Object.entries(matchLabels).map(([key, each]) => [key, `${key}=${each}`] as const),
    ...matchExpressions.map(({ key, operator, values = [] }) => {
      const set = `${key} ${operators[operator] ?? ''} (${values.toSorted().join(',')})`;
      return [key, operator === 'Exists' ? key : operator === 'DoesNotExist' ? `!${key}` : set] as const;
    }),
  ];
  return terms
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, term]) => term)
    .join(',');
}
