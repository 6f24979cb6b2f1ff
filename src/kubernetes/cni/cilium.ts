import { parseCidr } from '../../model/ip.ts';
import type { Platform } from '../../spec/platform.ts';
import { decidedBy, isMapping, laidOver, valuesOf, type Decided, type Decision, type Values } from '../values.ts';
import { ciliumFacts, cleanerCapabilities } from './cilium-versions.ts';

/** Cilium as the file wants it; settled. */
export type CiliumSpec = NonNullable<Platform['cluster']['cni']['cilium']>;

/** Everything that the chart is told, and who decided it. */
export type ChartValues = { readonly values: Values; readonly decided: readonly Decided[] };

/** The values of the Cilium chart for a platform on Talos, with the file's own values over them. */
export function ciliumValues(platform: Platform, cilium: CiliumSpec): ChartValues {
  const decisions = decisionsFor(platform, cilium);
  return {
    values: laidOver(valuesOf(decisions), cilium.values),
    decided: decidedBy(decisions, cilium.values, 'cluster.cni.cilium.values'),
  };
}

const decisionsFor = (platform: Platform, cilium: CiliumSpec): readonly Decision[] => [
  ...forTalos(platform, cilium),
  ...forNetworks(platform, cilium),
  ...forHubble(cilium),
  ...forEncryption(cilium),
  ...forLoadBalancers(cilium),
];

const decide = (path: string, value: unknown, because: string): Decision => ({ path: path.split('.'), value, because });

function* forTalos({ cluster, machines }: Platform, { version, values }: CiliumSpec): Iterable<Decision> {
  yield decide('ipam.mode', 'kubernetes', 'Talos gives every node its share of cluster.network.pods');
  yield decide('cgroup.autoMount.enabled', false, 'Talos has mounted cgroups');
  yield decide('cgroup.hostRoot', '/sys/fs/cgroup', 'where Talos has mounted cgroups');
  const withoutModules = 'Talos gives SYS_MODULE to nobody';
  yield decide('securityContext.capabilities.ciliumAgent', ciliumFacts(version).agent, withoutModules);
  yield decide('securityContext.capabilities.cleanCiliumState', cleanerCapabilities, withoutModules);
  if (cluster.kubePrism.enabled) {
    yield decide('k8sServiceHost', 'localhost', 'KubePrism answers on every node, with no service network yet');
    yield decide('k8sServicePort', cluster.kubePrism.port, 'cluster.kubePrism.port');
  }
  const { bpf } = values;
  if (cluster.hostDNS.forwardKubeDNSToHost && isMapping(bpf) && bpf['masquerade'] === true)
    yield decide(
      'bpf.hostLegacyRouting',
      true,
      'cluster.hostDNS.forwardKubeDNSToHost: with eBPF masquerading, CoreDNS reaches the host’s DNS only this way',
    );
  if (machines.length === 1)
    yield decide('operator.replicas', 1, 'one machine: a second operator finds its ports taken');
}

function* forNetworks({ cluster }: Platform, { kubeProxyReplacement }: CiliumSpec): Iterable<Decision> {
  yield decide('kubeProxyReplacement', kubeProxyReplacement, 'cluster.cni.cilium.kubeProxyReplacement');
  if (parseCidr(cluster.network.pods)?.family === 6) {
    yield decide('ipv4.enabled', false, 'cluster.network.pods');
    yield decide('ipv6.enabled', true, 'cluster.network.pods');
  }
}

const forHubble = ({ hubble }: CiliumSpec): readonly Decision[] => [
  decide('hubble.enabled', hubble.enabled, 'cluster.cni.cilium.hubble.enabled'),
  decide('hubble.relay.enabled', hubble.relay, 'cluster.cni.cilium.hubble.relay'),
  decide('hubble.ui.enabled', hubble.ui, 'cluster.cni.cilium.hubble.ui'),
];

const forEncryption = ({ encryption }: CiliumSpec): readonly Decision[] =>
  encryption === 'none'
    ? []
    : [
        decide('encryption.enabled', true, 'cluster.cni.cilium.encryption'),
        decide('encryption.type', encryption, 'cluster.cni.cilium.encryption'),
      ];

const forLoadBalancers = ({ l2, bgp }: CiliumSpec): readonly Decision[] => [
  ...(l2 === undefined ? [] : [decide('l2announcements.enabled', true, 'cluster.cni.cilium.l2')]),
  ...(bgp === undefined ? [] : [decide('bgpControlPlane.enabled', true, 'cluster.cni.cilium.bgp')]),
];
