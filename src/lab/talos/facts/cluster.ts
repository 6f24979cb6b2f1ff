import { reachesDiscovery } from '../node/discovery.ts';
import type { Boot, StaticPod } from '../node/boot.ts';
import type { Machine } from '../node/machine.ts';
import { publish } from '../state/publish.ts';

/** What follows from the configuration. */
export function publishConfig(machine: Machine, { state, settings, config }: Boot): void {
  publish.machineType(state, { machineType: settings?.type ?? 'unknown' });
  if (config !== undefined) publish.machineConfig(state, 'v1alpha1', { text: config });
  const { config: persistent } = machine.disk;
  if (persistent !== undefined) publish.machineConfig(state, 'persistent', { text: persistent });
  if (settings === undefined) return;
  publish.identity(state, { nodeId: machine.nodeId });
  publish.info(state, { clusterId: settings.clusterId, clusterName: settings.clusterName });
  publish.nodeIp(state, { addresses: [machine.address] });
  publish.kubeletSpec(state, {
    image: settings.kubelet,
    config: { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' },
  });
  publish.kubePrismStatus(state, { host: '127.0.0.1:7445', healthy: true });
  if (settings.type !== 'controlplane') return;
  publish.bootstrapManifests(state, {
    server: settings.endpoint,
    clusterDomain: 'cluster.local',
    podCIDRs: settings.podSubnets,
    proxyEnabled: settings.kubeProxy,
    coreDNSEnabled: true,
    dnsServiceIP: '10.96.0.10',
    flannelEnabled: settings.cni === 'flannel',
    cniName: settings.cni,
  });
}

/** Static pods, the node in Kubernetes, and the etcd member; pods that were there `before` and went are no longer there. */
export function publishStanding(machine: Machine, boot: Boot, before: readonly StaticPod[]): void {
  const { state, pods, node, nodename, settings } = boot;
  const type = publish.staticPodStatus.type;
  for (const { id, component } of before)
    if (!pods.some((pod) => pod.id === id)) {
      state.destroy(type, id);
      state.destroy(publish.staticPod.type, component);
    }
  for (const { component, wanted } of pods)
    publish.staticPod(state, component, {
      pod: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          annotations: { 'talos.dev/config-version': String(wanted), 'talos.dev/secrets-version': '1' },
          labels: { 'app.kubernetes.io/managed-by': 'Talos', 'k8s-app': component, tier: 'control-plane' },
          name: component,
          namespace: 'kube-system',
        },
      },
    });
  for (const pod of pods)
    publish.staticPodStatus(state, pod.id, {
      podStatus: {
        conditions: [
          { type: 'Ready', status: pod.ready ? 'True' : 'False', lastProbeTime: null },
          { type: 'PodScheduled', status: 'True', lastProbeTime: null },
        ],
        hostIP: machine.address,
        phase: 'Running',
        podIP: machine.address,
      },
    });
  if (nodename !== undefined && node !== 'absent')
    publish.nodeStatus(state, nodename, {
      nodename,
      nodeReady: node === 'ready',
      unschedulable: false,
      labels: { 'kubernetes.io/hostname': nodename, ...settings?.nodeLabels },
      annotations: {},
    });
  publishEtcd(machine, boot);
}

function publishEtcd(machine: Machine, { state, nodename, settings }: Boot): void {
  if (settings?.type !== 'controlplane') return;
  const { address } = machine;
  publish.etcdSpec(state, {
    name: nodename ?? '',
    advertisedAddresses: [address],
    listenPeerAddresses: ['::'],
    listenClientAddresses: ['::'],
    image: 'registry.k8s.io/etcd:v3.6.12',
  });
  const local = machine.etcd?.local();
  if (local === undefined) state.destroy(publish.etcdMember.type, publish.etcdMember.id);
  else publish.etcdMember(state, { memberID: local.member.id.toString(16).padStart(16, '0') });
}

/** Who is in this node’s cluster, itself among them. */
export function publishMembers(machine: Machine, boot: Boot): void {
  const { state, settings } = boot;
  const { type } = publish.member;
  const present = new Set<string>();
  const controlPlanes: string[] = [];
  for (const other of machine.world.machines()) {
    const peer = other.boot;
    const theirs = peer?.settings;
    if (peer?.nodename === undefined || theirs === undefined || settings === undefined) continue;
    if (theirs.clusterId !== settings.clusterId || (!reachesDiscovery(machine) && other !== machine)) continue;
    present.add(peer.nodename);
    if (theirs.type === 'controlplane') controlPlanes.push(other.address);
    const common = {
      nodeId: other.nodeId,
      addresses: [other.address],
      hostname: peer.hostname ?? '',
      machineType: theirs.type,
      operatingSystem: `Talos (${peer.version})`,
      ...(theirs.type === 'controlplane' ? { controlPlane: { port: 6443 } } : {}),
    } as const;
    publish.member(state, peer.nodename, common);
    publish.affiliate(state, other.nodeId, { ...common, nodename: peer.nodename });
  }
  for (const { id } of state.list('cluster', type)) if (!present.has(id)) state.destroy(type, id);
  if (settings !== undefined) publish.endpoint(state, 'discovery', { addresses: controlPlanes.toSorted() });
}
