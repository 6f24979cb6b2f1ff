import type { AnyMachine } from '../../model/observed.ts';
import { Sketch } from '../../spec/import/sketch.ts';
import { hostnameIn, pool, type AdoptedNode, type ClusterFacts } from './facts.ts';

/** How the hypervisor is reached, as the file says it. */
type ProxmoxWords = {
  readonly endpoint: string;
  readonly token: Readonly<Record<string, string>>;
  readonly tls: Readonly<Record<string, string>> | undefined;
  readonly hosts: readonly string[];
};

export type Virtual = { readonly words: ProxmoxWords; readonly vms: readonly AnyMachine[] };

/** A platform file for what runs, but for what only patches can say. */
export function sketchOf(name: string, facts: ClusterFacts, virtual: Virtual | undefined): Sketch {
  const sketch = new Sketch(name);
  const { nodes } = facts;
  if (virtual === undefined)
    for (const { name: node, address } of nodes) sketch.put(['machines', 'existing', 'machines', node], { address });
  else putProxmox(sketch, virtual, nodes);
  // Other names than ours can be said in a patch alone.
  if (facts.name !== name && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(facts.name)) sketch.put('cluster.name', facts.name);
  putTalos(sketch, facts);
  sketch.put('cluster.kubernetes', facts.kubernetes === undefined ? undefined : { version: facts.kubernetes });
  const { host, port } = facts.endpoint;
  sketch.put('cluster.endpoint', port === 6443 ? { host } : { host, port });
  putGroup(
    sketch,
    ['cluster', 'controlPlane'],
    nodes.filter(({ role }) => role === 'control-plane'),
    virtual,
  );
  putGroup(
    sketch,
    ['cluster', 'workers', pool],
    nodes.filter(({ role }) => role === 'worker'),
    virtual,
  );
  if (sharesHosts(nodes, virtual)) sketch.put('cluster.highAvailability', false);
  const named = nodes.every((node) => hostnameIn(node.read) === node.hostname);
  if (!named) sketch.put('cluster.hostnames', 'dhcp');
  for (const node of nodes) {
    const first = nodes.find(({ role }) => role === node.role);
    putNode(sketch, name, node, virtual, first && virtual && vmOf(first, virtual.vms));
  }
  putNetwork(sketch, facts);
  sketch.put('cluster.cni', { [facts.cni]: {} });
  return sketch;
}

export const vmOf = ({ macs, uuid }: AdoptedNode, vms: readonly AnyMachine[]): AnyMachine | undefined =>
  vms.find((vm) => vm.macs.some((mac) => macs.includes(mac))) ??
  vms.find((vm) => uuid !== undefined && vm.uuid === uuid);

function putProxmox(sketch: Sketch, { words, vms }: Virtual, nodes: readonly AdoptedNode[]): void {
  const [first] = nodes.flatMap((node) => vmOf(node, vms) ?? []);
  sketch.put('machines.proxmox', {
    endpoint: words.endpoint,
    token: words.token,
    ...(words.tls === undefined ? {} : { tls: words.tls }),
    hosts: words.hosts,
    ...(first?.disks[0] === undefined ? {} : { datastore: first.disks[0].datastore }),
    ...(first?.settings['bridge'] === undefined ? {} : { bridge: first.settings['bridge'] }),
    ...(first?.settings['vlan'] === undefined ? {} : { vlan: Number(first.settings['vlan']) }),
  });
}

function putTalos(sketch: Sketch, { talos, nodes }: ClusterFacts): void {
  const [schematic] = nodes.flatMap((node) => node.schematic ?? []);
  const everywhere = (nodes[0]?.extensions ?? []).filter((each) =>
    nodes.every((node) => node.extensions.includes(each)),
  );
  sketch.put('cluster.talos', {
    version: talos,
    extensions: everywhere,
    ...(schematic === undefined ? {} : { image: { schematic } }),
  });
}

function putGroup(
  sketch: Sketch,
  path: readonly string[],
  nodes: readonly AdoptedNode[],
  virtual: Virtual | undefined,
): void {
  const [first] = nodes;
  if (first === undefined) return;
  const vm = virtual && vmOf(first, virtual.vms);
  const datastore = vm?.disks[0]?.datastore;
  const elsewhere = datastore === undefined || datastore === usualDatastore(sketch) ? {} : { datastore };
  sketch.put(path, { replicas: nodes.length, ...(vm === undefined ? {} : sizeOf(vm)), ...elsewhere });
}

const usualDatastore = (sketch: Sketch): unknown => sketch.get('machines.proxmox.datastore');

const sizeOf = ({ cpu, memoryMiB, disks }: AnyMachine): Readonly<Record<string, unknown>> => ({
  cpu,
  memory: memoryMiB % 1024 === 0 ? `${memoryMiB / 1024}GiB` : `${memoryMiB}MiB`,
  ...(disks[0] === undefined ? {} : { disk: `${disks[0].sizeGiB}GiB` }),
});

/** What one has otherwise than its group. */
function sizeBeside(vm: AnyMachine, first: AnyMachine | undefined): Readonly<Record<string, unknown>> {
  const usual = first === undefined ? {} : sizeOf(first);
  return Object.fromEntries(Object.entries(sizeOf(vm)).filter(([key, value]) => usual[key] !== value));
}

/** Who it is, word by word: nothing about it is derived, and so nobody else is ever taken for it. */
function putNode(
  sketch: Sketch,
  platform: string,
  node: AdoptedNode,
  virtual: Virtual | undefined,
  first: AnyMachine | undefined,
): void {
  const vm = virtual && vmOf(node, virtual.vms);
  const hostname = node.hostname === `${platform}-${node.name}` ? {} : { hostname: node.hostname };
  if (virtual === undefined) {
    if ('hostname' in hostname) sketch.put(['cluster', 'nodes', node.name], hostname);
    return;
  }
  sketch.put(['cluster', 'nodes', node.name], {
    ...(vm === undefined
      ? {}
      : {
          vmid: Number(vm.id),
          mac: vm.macs[0],
          ...(vm.uuid === undefined ? {} : { uuid: vm.uuid }),
          host: vm.host,
        }),
    address: node.address,
    ...hostname,
    ...(vm === undefined ? {} : sizeBeside(vm, first)),
  });
}

function sharesHosts(nodes: readonly AdoptedNode[], virtual: Virtual | undefined): boolean {
  const planes = nodes.filter(({ role }) => role === 'control-plane');
  const hosts = virtual === undefined ? [] : planes.flatMap((node) => vmOf(node, virtual.vms)?.host ?? []);
  return planes.length >= 3 && virtual !== undefined && new Set(hosts).size < planes.length;
}

function putNetwork(sketch: Sketch, { pods, services, domain }: ClusterFacts): void {
  if (pods !== undefined && pods !== '10.244.0.0/16') sketch.put('cluster.network.pods', pods);
  if (services !== undefined && services !== '10.96.0.0/12') sketch.put('cluster.network.services', services);
  if (domain !== undefined && domain !== 'cluster.local') sketch.put('cluster.network.domain', domain);
}
