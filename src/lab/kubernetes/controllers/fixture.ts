import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { virtualClock } from '../../clock.ts';
import type { VirtualClock } from '../../clock.ts';
import type { Api } from '../api.ts';
import { startKubernetesTwin } from '../start.ts';
import type { KubernetesOptions, KubernetesTwin, TwinNode } from '../twin.ts';
import type { Labels, Pod } from './shapes.ts';

/** A cluster on a clock that is moved by hand, for tests of its controllers. */
export type World = {
  readonly clock: VirtualClock;
  readonly twin: KubernetesTwin;
  readonly api: Api;
  readonly namespace: string;
  readonly create: (object: object) => KubeObject;
  readonly change: (
    kind: string,
    name: string,
    alter: (object: { spec: Record<string, unknown>; metadata: Record<string, unknown> }) => void,
  ) => void;
  readonly get: (kind: string, name: string) => KubeObject | undefined;
  /** `name phase node` of each pod. */
  readonly pods: () => readonly string[];
  readonly events: (name: string) => readonly string[];
  readonly pass: (seconds: number) => Promise<void>;
};

export const me = { manager: 'test' };

export function must(object: KubeObject | undefined): KubeObject {
  if (object === undefined) throw new Error('It is not there.');
  return object;
}
const resources: Readonly<Record<string, string>> = {
  Pod: '/pods',
  Node: '/nodes',
  Service: '/services',
  Namespace: '/namespaces',
  Deployment: 'apps/deployments',
  ReplicaSet: 'apps/replicasets',
  StatefulSet: 'apps/statefulsets',
  DaemonSet: 'apps/daemonsets',
  Job: 'batch/jobs',
  CronJob: 'batch/cronjobs',
  PodDisruptionBudget: 'policy/poddisruptionbudgets',
};

export const machine = (name: string, more: Partial<TwinNode> = {}): TwinNode => ({
  name,
  address: `10.10.0.${name.length + Number(/\d+$/.exec(name)?.[0] ?? 0)}`,
  controlPlane: name.startsWith('cp'),
  alive: true,
  ...more,
});

export async function aCluster(
  machines: readonly TwinNode[] = [machine('cp-1'), machine('worker-1'), machine('worker-2')],
  options: KubernetesOptions = {},
): Promise<World> {
  const clock = virtualClock(new Date('2026-05-01T10:00:00Z'));
  const twin = startKubernetesTwin({ clock, seed: 1, kubeProxy: false, ...options });
  twin.setNodes(machines);
  await clock.advance(10_000);
  return worldOf(twin, clock, 'default');
}

let shared: Promise<World> | undefined;
let namespaces = 0;

/** A namespace of its own in a cluster that tests of a file share: nobody may touch its machines. */
export async function aNamespace(): Promise<World> {
  const { twin, clock } = await (shared ??= aCluster());
  const name = `test-${++namespaces}`;
  twin.api.create(
    '/namespaces',
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: ['kubernetes'] } },
    me,
  );
  await clock.advance(0);
  return worldOf(twin, clock, name);
}

function worldOf(twin: KubernetesTwin, clock: VirtualClock, namespace: string): World {
  const { api } = twin;
  const homeOf = (kind: string): string | undefined =>
    kind === 'Node' || kind === 'Namespace' ? undefined : namespace;
  return {
    clock,
    twin,
    api,
    namespace,
    pass: (seconds) => clock.advance(seconds * 1000),
    create: (object) => {
      const { apiVersion, kind, metadata } = object as KubeObject;
      const definition = api.definition(apiVersion, kind);
      const resource = `${definition?.group ?? ''}/${definition?.resource ?? ''}`;
      const home = definition?.namespaced === true ? { namespace } : {};
      return api.create(resource, { ...(object as KubeObject), metadata: { ...home, ...metadata } }, me);
    },
    change: (kind, name, alter) =>
      void api.update(
        resources[kind] ?? '',
        homeOf(kind),
        name,
        (object) => alter(object as Parameters<typeof alter>[0]),
        me,
      ),
    get: (kind, name) => api.get(resources[kind] ?? '', homeOf(kind), name),
    pods: () =>
      (api.list('/pods', namespace) as unknown as readonly Pod[]).map(
        ({ metadata, status, spec }) =>
          `${metadata.name} ${metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating'} ${spec.nodeName ?? '-'}`,
      ),
    events: (name) =>
      api
        .list('/events', namespace)
        .filter((event) => (event['involvedObject'] as { name?: string }).name === name)
        .map((event) => `${String(event['reason'])}: ${String(event['message'])}`),
  };
}

export const template = (labels: Labels, spec: object = {}, image = 'nginx:1'): object => ({
  metadata: { labels },
  spec: { containers: [{ name: 'app', image }], ...spec },
});

export const deployment = (name: string, spec: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { replicas: 3, selector: { matchLabels: { app: name } }, template: template({ app: name }), ...spec },
});

export const pod = (name: string, spec: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'app', image: 'nginx:1' }], ...spec },
});
