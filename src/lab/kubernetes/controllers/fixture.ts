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
  readonly create: (object: object) => KubeObject;
  readonly change: (
    kind: string,
    name: string,
    alter: (object: { spec: Record<string, unknown>; metadata: Record<string, unknown> }) => void,
  ) => void;
  readonly get: (kind: string, name: string, namespace?: string) => KubeObject | undefined;
  /** `name phase node` of each pod of a namespace. */
  readonly pods: (namespace?: string) => readonly string[];
  readonly events: (name: string, namespace?: string) => readonly string[];
  readonly pass: (seconds: number) => Promise<void>;
};

const me = { manager: 'test' };
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
  const twin = startKubernetesTwin({ clock, seed: 1, ...options });
  twin.setNodes(machines);
  const { api } = twin;
  const pass = async (seconds: number): Promise<void> => clock.advance(seconds * 1000);
  await pass(10);
  return {
    clock,
    twin,
    api,
    pass,
    create: (object) => {
      const { apiVersion, kind, metadata } = object as KubeObject;
      const definition = api.definition(apiVersion, kind);
      const resource = `${definition?.group ?? ''}/${definition?.resource ?? ''}`;
      const home = definition?.namespaced === true ? { namespace: 'default' } : {};
      return api.create(resource, { ...(object as KubeObject), metadata: { ...home, ...metadata } }, me);
    },
    change: (kind, name, alter) =>
      void api.update(
        resources[kind] ?? '',
        kind === 'Node' ? undefined : 'default',
        name,
        (object) => alter(object as Parameters<typeof alter>[0]),
        me,
      ),
    get: (kind, name, namespace = 'default') =>
      api.get(resources[kind] ?? '', kind === 'Node' || kind === 'Namespace' ? undefined : namespace, name),
    pods: (namespace = 'default') =>
      (api.list('/pods', namespace) as unknown as readonly Pod[]).map(
        ({ metadata, status, spec }) =>
          `${metadata.name} ${metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating'} ${spec.nodeName ?? '-'}`,
      ),
    events: (name, namespace = 'default') =>
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

export { me };
