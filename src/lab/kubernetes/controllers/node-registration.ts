import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TwinNode } from '../twin.ts';
import { aboutNode } from './node-events.ts';
import { nodeConditions } from './node-status.ts';
import { podRange } from './pod-range.ts';
import type { Labels, Node, Taint } from './shapes.ts';
import { change, find, kubelet, timestamp, writeStatus } from './tools.ts';
import type { Tools } from './tools.ts';

const controlPlaneRole = 'node-role.kubernetes.io/control-plane';
/** Talos writes down what it put onto a node, to take it away again. */
const owned = {
  labels: 'talos.dev/owned-labels',
  annotations: 'talos.dev/owned-annotations',
  taints: 'talos.dev/owned-taints',
};
const talos = { manager: 'Talos' };

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const uuidOf = (text: string): string => digest(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** A kubelet that starts makes its node, or finds it there. Undefined: it was there. */
export function register(tools: Tools, machine: TwinNode): Node | undefined {
  const { api, options, record } = tools;
  const { name } = machine;
  const there = find(api, '/nodes', name);
  if (there === undefined)
    api.create(
      '/nodes',
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: {
          name,
          labels: {
            'beta.kubernetes.io/arch': 'amd64',
            'beta.kubernetes.io/os': 'linux',
            'kubernetes.io/arch': 'amd64',
            'kubernetes.io/hostname': name,
            'kubernetes.io/os': 'linux',
          },
          annotations: {
            'node.alpha.kubernetes.io/ttl': '0',
            'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
          },
        },
        spec: {
          taints: [
            { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule', timeAdded: timestamp(tools.clock.now()) },
          ],
        },
      },
      kubelet,
    );
  assignRange(tools, name, options.podCidr ?? '10.244.0.0/16');
  const node = find(api, '/nodes', name);
  if (node === undefined) return undefined;
  writeStatus(
    api,
    '/nodes',
    node,
    { ...node.status, ...nodeFacts(tools, machine), conditions: nodeConditions(tools, node) },
    kubelet,
  );
  const about = aboutNode(node);
  record({ about, reason: 'Starting', message: 'Starting kubelet.', from: 'kubelet', host: name });
  record({
    about,
    reason: 'RegisteredNode',
    message: `Node ${name} event: Registered Node ${name} in Controller`,
    from: 'node-controller',
  });
  return node;
}

function assignRange(tools: Tools, name: string, cidr: string): void {
  const node = find(tools.api, '/nodes', name);
  if (node === undefined || node.spec.podCIDR !== undefined) return;
  const range = podRange(tools, cidr);
  if (range === undefined) return;
  change(
    tools.api,
    '/nodes',
    node,
    ({ spec }) => void Object.assign(spec as object, { podCIDR: range, podCIDRs: [range] }),
    {
      manager: 'kube-controller-manager',
    },
  );
}

/** What a kubelet finds on its machine, and what it is itself. */
export function nodeFacts({ options }: Tools, machine: TwinNode): object {
  const { cpus = 4, memoryMiB = 8192, talosVersion = 'v1.13.9', kubeletVersion } = machine;
  const size = { 'ephemeral-storage': '30Gi', 'hugepages-1Gi': '0', 'hugepages-2Mi': '0' };
  return {
    addresses: [
      { type: 'InternalIP', address: machine.address },
      { type: 'Hostname', address: machine.name },
    ],
    capacity: { cpu: String(cpus), ...size, memory: `${memoryMiB * 1024}Ki`, pods: '110' },
    allocatable: {
      cpu: `${cpus * 1000 - 50}m`,
      ...size,
      memory: `${Math.max(0, memoryMiB - 300) * 1024}Ki`,
      pods: '110',
    },
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: digest(`machine ${machine.name}`).slice(0, 32),
      systemUUID: uuidOf(`system ${machine.name}`),
      bootID: uuidOf(`boot ${machine.name}`),
      kernelVersion: '6.18.34-talos',
      osImage: `Talos (${talosVersion})`,
      containerRuntimeVersion: 'containerd://2.2.5',
      kubeletVersion: kubeletVersion ?? options.version ?? 'v1.36.3',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}

/** Keeps what the machine’s configuration says about its node, and takes away what it no longer says. */
export function applyMachine(tools: Tools, machine: TwinNode, node: Node): void {
  const role = machine.controlPlane ? { [controlPlaneRole]: '' } : {};
  const labels = { ...role, ...machine.labels };
  const annotations = machine.annotations ?? {};
  const taints = machine.taints ?? (machine.controlPlane ? [{ key: controlPlaneRole, effect: 'NoSchedule' }] : []);
  const next = {
    labels: merged(node.metadata.labels, labels, ownedBy(node, owned.labels)),
    annotations: {
      ...merged(node.metadata.annotations, annotations, ownedBy(node, owned.annotations)),
      ...written(owned.labels, Object.keys(labels)),
      ...written(owned.annotations, Object.keys(annotations)),
      ...written(
        owned.taints,
        taints.map(({ key }) => key),
      ),
    },
    taints: [
      ...(node.spec.taints ?? []).filter(
        ({ key, effect }) =>
          !ownedBy(node, owned.taints).includes(key) &&
          !taints.some((each) => each.key === key && each.effect === effect),
      ),
      ...taints.map(
        (each): Taint =>
          (node.spec.taints ?? []).find(
            ({ key, effect, value }) => key === each.key && effect === each.effect && value === each.value,
          ) ?? each,
      ),
    ],
  };
  for (const [kind, key] of Object.entries({
    labels: owned.labels,
    annotations: owned.annotations,
    taints: owned.taints,
  }))
    if (ownedBy(node, key).length > 0 && isEmptied(kind, { labels, annotations, taints }))
      delete (next.annotations as Record<string, string>)[key];
  const same =
    isDeepStrictEqual(next.labels, node.metadata.labels ?? {}) &&
    isDeepStrictEqual(next.annotations, node.metadata.annotations ?? {}) &&
    isDeepStrictEqual(sorted(next.taints), sorted(node.spec.taints ?? []));
  if (same) return;
  change(
    tools.api,
    '/nodes',
    node,
    ({ metadata, spec }) => {
      Object.assign(metadata as object, { labels: next.labels, annotations: next.annotations });
      if (next.taints.length > 0) Object.assign(spec as object, { taints: next.taints });
      else delete (spec as { taints?: unknown }).taints;
    },
    talos,
  );
}

const isEmptied = (
  kind: string,
  wanted: { labels: object; annotations: object; taints: readonly unknown[] },
): boolean => Object.keys(wanted[kind as keyof typeof wanted]).length === 0;

const sorted = (taints: readonly Taint[]): readonly string[] => taints.map((each) => JSON.stringify(each)).toSorted();

const ownedBy = ({ metadata }: Node, key: string): readonly string[] => {
  const list: unknown = JSON.parse(metadata.annotations?.[key] ?? '[]');
  return Array.isArray(list) ? list.map(String) : [];
};

const written = (key: string, names: readonly string[]): Labels =>
  names.length === 0 ? {} : { [key]: JSON.stringify(names.toSorted()) };

const merged = (before: Labels = {}, wanted: Labels, before_: readonly string[]): Labels => ({
  ...Object.fromEntries(Object.entries(before).filter(([key]) => !before_.includes(key) || key in wanted)),
  ...wanted,
});
