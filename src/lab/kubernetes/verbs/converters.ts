import type { KubeObject } from '../../../wire/kubernetes/objects.ts';

type Change = (object: KubeObject) => KubeObject;
type Fields = Readonly<Record<string, unknown>>;

/** What an event calls things in the core group, and in its own. */
const eventNames: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

const renaming =
  (names: ReadonlyMap<string, string>): Change =>
  (object) =>
    Object.fromEntries(
      Object.entries(object)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => [names.get(name) ?? name, value]),
    ) as KubeObject;

type Metric = {
  readonly type?: string;
  readonly resource?: {
    readonly name?: string;
    readonly target?: Fields;
    readonly current?: Fields;
  };
};

const isCpu = ({ type, resource }: Metric): boolean => type === 'Resource' && resource?.name === 'cpu';

/** The older form knows of processors only. */
const olderAutoscaler: Change = (object) => {
  const {
    metrics = [],
    behavior: _behavior,
    ...spec
  } = (object['spec'] ?? {}) as Fields & { metrics?: readonly Metric[] };
  const {
    currentMetrics,
    conditions: _conditions,
    ...status
  } = (object['status'] ?? {}) as Fields & {
    currentMetrics?: readonly Metric[] | null;
  };
  const target = metrics.find(isCpu)?.resource?.target?.['averageUtilization'];
  const current = (currentMetrics ?? []).find(isCpu)?.resource?.current?.['averageUtilization'];
  return {
    ...object,
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: { ...status, ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }) },
  };
};

const newerAutoscaler: Change = (object) => {
  const { targetCPUUtilizationPercentage: target, ...spec } = (object['spec'] ?? {}) as Fields;
  const { currentCPUUtilizationPercentage: _current, ...status } = (object['status'] ?? {}) as Fields;
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } };
  return {
    ...object,
    spec: { ...spec, ...(target === undefined ? {} : { metrics: [{ type: 'Resource', resource: cpu }] }) },
    status,
  };
};

/** By kind, from and to; whoever is not here differs in the name of the version alone. */
export const converters: Readonly<Record<string, Change>> = {
  'Event v1 events.k8s.io/v1': renaming(new Map(eventNames)),
  'Event events.k8s.io/v1 v1': renaming(new Map(eventNames.map(([core, own]) => [own, core]))),
  'HorizontalPodAutoscaler autoscaling/v2 autoscaling/v1': olderAutoscaler,
  'HorizontalPodAutoscaler autoscaling/v1 autoscaling/v2': newerAutoscaler,
};
