import { isMap } from './shape.ts';

/**
 * Fields of built-in kinds that are always there, empty or not, as the server holds them: nobody owns that they exist.
 * A null is a list that is always there.
 */
const template = { metadata: {}, spec: { containers: null } };
const structs: Readonly<Record<string, object>> = {
  'apps/Deployment': { spec: { selector: null, strategy: {}, template } },
  'apps/ReplicaSet': { spec: { selector: null, template } },
  'apps/StatefulSet': { spec: { selector: null, updateStrategy: {}, template } },
  'apps/DaemonSet': { spec: { selector: null, updateStrategy: {}, template } },
  'batch/Job': { spec: { template } },
  'batch/CronJob': { spec: { schedule: '', jobTemplate: { metadata: {}, spec: { template } } } },
  '/Pod': { spec: { containers: null } },
  '/PodTemplate': { template },
  '/PersistentVolumeClaim': { spec: { resources: {} } },
  '/Event': { source: {}, involvedObject: {} },
  'events.k8s.io/Event': { deprecatedSource: {}, regarding: {} },
  'autoscaling/HorizontalPodAutoscaler': { spec: { scaleTargetRef: {} } },
  'apiextensions.k8s.io/CustomResourceDefinition': { spec: { names: {}, versions: null } },
  '/Node': { status: { daemonEndpoints: { kubeletEndpoint: {} }, nodeInfo: {} } },
};

/** Kinds that have a spec, by what is in it; others are given none. */
export function withStructs(
  group: string,
  kind: string,
  hasField: (name: string) => boolean,
  object: unknown,
): unknown {
  const common = {
    metadata: {},
    ...(hasField('spec') ? { spec: {} } : {}),
    ...(hasField('status') ? { status: {} } : {}),
  };
  return filled(filled(object, structs[`${group}/${kind}`] ?? {}), common);
}

function filled(value: unknown, missing: object): unknown {
  if (value !== undefined && !isMap(value)) return value;
  const result: Record<string, unknown> = { ...value };
  for (const [name, inner] of Object.entries(missing) as [string, unknown][]) {
    if (isMap(inner)) result[name] = filled(result[name], inner);
    else result[name] ??= inner;
  }
  return result;
}
