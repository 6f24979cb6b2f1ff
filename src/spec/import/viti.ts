import type { FileDocument } from '../documents.ts';
import type { CheckedCluster } from '../viti/read.ts';
import { clusterSection, machineProviders, type Surroundings } from '../viti/translate.ts';
import { Part, type Note } from './foreign.ts';
import { identityOf, type Identity } from './identity.ts';
import { Sketch } from './sketch.ts';
import { putProvider } from './viti-provider.ts';

export type VitiInput = {
  readonly cluster: CheckedCluster;
  readonly documents: readonly FileDocument[];
  readonly surroundings: Surroundings;
  readonly others: readonly string[];
};

/** A KubernetesCluster with its classes and network; where its machines are made it does not say. */
export function fromViti(
  { cluster, documents, surroundings, others }: VitiInput,
  wanted: string | undefined,
): { readonly sketch: Sketch; readonly notes: readonly Note[] } {
  const root = Part.whole(cluster.tree);
  leaveBookkeeping(root);
  const clusterId = root.find('spec.data.clusterId');
  const identity = identityOf(root, clusterId ?? root.find('metadata.name'), wanted);
  root.find('metadata.name')?.leave();
  const sketch = new Sketch(identity.platform);
  if (identity.cluster !== undefined && identity.cluster !== identity.platform)
    sketch.put('cluster.name', identity.cluster);
  const builder = root.find('spec.data.provider');
  if (builder?.text() !== 'talos') builder?.note('Not carried over: ichor builds clusters of Talos only.');
  const environment = root.find('spec.data.environment');
  sketch.put('environment', environment?.text(), environment);

  putProvider(machineProviders(cluster.given), root, sketch);
  putTopology(root, clusterSection(cluster.given, surroundings), sketch);
  putNames(root, identity, sketch);
  const network = putNetwork(documents, root, sketch);
  putArchitecture(root, sketch);
  root.remark(
    'The pod network is not part of a KubernetesCluster: ichor installs Cilium unless cluster.cni says otherwise.',
  );
  root.noteTheRest();
  return {
    sketch,
    notes: [
      ...root.notes,
      ...(network?.notes ?? []),
      ...others.map((other) => ({ path: other, message: 'Not carried over.', at: undefined })),
    ],
  };
}

/** What every resource has, and what a server adds to it. */
function leaveBookkeeping(root: Part): void {
  for (const place of ['apiVersion', 'kind', 'status']) root.find(place)?.leave();
  for (const part of root.find('metadata')?.parts() ?? [])
    if (!['name', 'labels', 'annotations'].includes(part.key)) part.leave();
  for (const part of root.find('metadata.annotations')?.parts() ?? [])
    if (part.key.startsWith('kubectl.kubernetes.io/')) part.leave();
}

const poolsOf = (root: Part): readonly Part[] => root.find('spec.topology.workers.nodePools')?.parts() ?? [];

function putTopology(root: Part, section: Readonly<Record<string, unknown>>, sketch: Sketch): void {
  const version = root.find('spec.topology.version');
  const controlPlane = root.find('spec.topology.controlplane');
  const origins: Readonly<Record<string, Part | undefined>> = { talos: version, kubernetes: version, controlPlane };
  for (const [key, value] of Object.entries(section))
    if (key !== 'names') sketch.put(`cluster.${key}`, value, origins[key]);
  version?.leave();
  const groups = [...(controlPlane ? [controlPlane] : []), ...poolsOf(root)];
  for (const group of groups) leaveGroup(group, version?.text());
  for (const pool of poolsOf(root)) {
    const place = ['cluster', 'workers', pool.find('name')?.text() ?? ''];
    sketch.put(place, sketch.get(place), pool);
  }
}

/** The fields of a group that the translation has read, or that say nothing. */
function leaveGroup(group: Part, version: string | undefined): void {
  for (const field of ['replicas', 'machineClass', 'provider', 'metadata', 'taint', 'name', 'architecture'])
    group.find(field)?.leave();
  const own = group.find('version');
  if (own?.text() !== version) own?.note('Not carried over: the whole cluster runs one version.');
  for (const disk of group.find('storage')?.parts() ?? [])
    for (const field of ['size', 'path']) disk.find(field)?.leave();
  const scaling = group.find('autoscaling');
  if (scaling?.find('enabled')?.flag() === true)
    scaling.note('Not carried over: ichor does not scale pools by itself.');
  else scaling?.leave();
}

/** Machines keep their names. Viti counts workers over all pools, which ichor does for one pool only. */
function putNames(root: Part, { platform, cluster }: Identity, sketch: Sketch): void {
  const prefix = cluster ?? platform;
  const written = prefix === platform ? '{platform}' : prefix;
  const pools = poolsOf(root);
  sketch.comment('cluster.names', 'As Viti calls its machines.');
  sketch.put('cluster.names.controlPlane', `${written}-ctp{index}`);
  if (pools.length <= 1) {
    sketch.put('cluster.names.worker', `${written}-wrk{index}`);
    return;
  }
  let number = 0;
  for (const pool of pools) {
    const name = pool.find('name')?.text() ?? '';
    const replicas = pool.find('replicas')?.count() ?? 1;
    for (let index = 0; index < replicas; index++)
      sketch.put(['cluster', 'nodes', `${name}-${index}`, 'hostname'], `${prefix}-wrk${number++}`, pool);
  }
  sketch.comment('cluster.nodes', 'Viti counts workers over all pools. Compare with: kubectl get machines');
  root
    .find('spec.topology.workers')
    ?.remark(
      'There are several pools, and Viti counts workers over all of them: the names of today stand under cluster.nodes, and workers that are added later are called by their pool.',
    );
}

function putNetwork(documents: readonly FileDocument[], root: Part, sketch: Sketch): Part | undefined {
  const written = root.find('spec.data.networkNamespaceName');
  const name = written?.text();
  const document = documents.find((candidate) => candidate.kind === 'NetworkNamespace' && candidate.name === name);
  if (document === undefined) {
    written?.note('Not carried over: this NetworkNamespace is not in what was given.');
    return undefined;
  }
  const network = Part.whole(document.tree);
  leaveBookkeeping(network);
  network.find('metadata.name')?.leave();
  const addresses = network.find('spec.ipAllocation.static');
  for (const field of ['ipv4CIDR', 'ipv4Gateway', 'dns']) addresses?.find(field)?.leave();
  const vlan = addresses?.find('vlanId');
  if (sketch.get('machines.proxmox') !== undefined)
    sketch.put('machines.proxmox.vlan', vlan?.count() || undefined, vlan);
  const range = addresses?.find('ipv4RangeStart');
  range?.note(
    'Not carried over: give the groups addresses of it and set cluster.network.addresses: static, or let DHCP give them.',
  );
  addresses?.find('ipv4RangeEnd')?.leave();
  network.find('spec.ipAllocation.type')?.leave();
  network.noteTheRest();
  return network;
}

function putArchitecture(root: Part, sketch: Sketch): void {
  const written = [root.find('spec.topology.controlplane'), ...poolsOf(root)].flatMap((group) => {
    const part = group?.find('architecture');
    return part ? [{ part, arm: part.text() === 'arm64' }] : [];
  });
  const arm = written.filter(({ arm: isArm }) => isArm);
  const groups = 1 + poolsOf(root).length;
  if (arm.length === groups) sketch.put('cluster.talos.image.architecture', 'arm64', arm[0]?.part);
  else for (const { part } of arm) part.note('Not carried over: ichor builds a cluster of one architecture.');
}
