import type { Role } from '../../model/machine.ts';
import { parseAddress } from '../../model/ip.ts';
import { Problem } from '../../model/problem.ts';
import type { Platform } from '../../spec/platform.ts';
import { localApiPort } from './endpoint.ts';
import type { FirewallRule } from './intent.ts';
import { addressOf, nodesNetwork, type ConfigRequest } from './request.ts';

/** Who may knock: people and their tools, the nodes, the pods, the control planes, or everybody. */
type Caller = 'management' | 'nodes' | 'pods' | 'controlPlanes' | 'anybody';

type Door = Omit<FirewallRule, 'subnets'> & {
  readonly role?: Role;
  readonly from: readonly Caller[];
  readonly when?: (platform: Platform) => boolean;
};

const cilium = ({ cluster }: Platform): boolean => cluster.cni.cilium !== undefined;

/** What a role needs to be reached by; everything else is blocked. Pods on their own network are not the firewall's matter. */
const doors = (apiPort: number): readonly Door[] => [
  { name: 'apid', protocol: 'tcp', ports: [50000], from: ['management', 'nodes'] },
  { name: 'trustd', protocol: 'tcp', ports: [50001], role: 'control-plane', from: ['nodes'] },
  {
    name: 'kube-apiserver',
    protocol: 'tcp',
    ports: [apiPort],
    role: 'control-plane',
    from: ['management', 'nodes', 'pods'],
  },
  { name: 'etcd', protocol: 'tcp', ports: ['2379-2380'], role: 'control-plane', from: ['controlPlanes'] },
  { name: 'kubelet', protocol: 'tcp', ports: [10250], from: ['nodes', 'pods'] },
  {
    name: 'flannel-vxlan',
    protocol: 'udp',
    ports: [4789],
    from: ['nodes'],
    when: ({ cluster }) => cluster.cni.flannel !== undefined,
  },
  { name: 'cilium-vxlan', protocol: 'udp', ports: [8472], from: ['nodes'], when: cilium },
  { name: 'cilium-health', protocol: 'tcp', ports: [4240], from: ['nodes', 'pods'], when: cilium },
  {
    name: 'hubble',
    protocol: 'tcp',
    ports: [4244],
    from: ['nodes', 'pods'],
    when: ({ cluster }) => cluster.cni.cilium?.hubble.enabled === true,
  },
  {
    name: 'cilium-wireguard',
    protocol: 'udp',
    ports: [51871],
    from: ['nodes'],
    when: ({ cluster }) => cluster.cni.cilium?.encryption === 'wireguard',
  },
  {
    name: 'kubespan',
    protocol: 'udp',
    ports: [51820],
    from: ['anybody'],
    when: ({ cluster }) => cluster.kubeSpan.enabled,
  },
  {
    name: 'metallb-tcp',
    protocol: 'tcp',
    ports: [7946],
    from: ['nodes'],
    when: ({ services }) => services.catalog?.metallb !== undefined,
  },
  {
    name: 'metallb-udp',
    protocol: 'udp',
    ports: [7946],
    from: ['nodes'],
    when: ({ services }) => services.catalog?.metallb !== undefined,
  },
];

const anybody = ['0.0.0.0/0', '::/0'];

/** The rules of a role; undefined where the firewall is off. */
export function firewallOf(request: ConfigRequest, role: Role): readonly FirewallRule[] | undefined {
  const { platform } = request;
  if (!platform.cluster.firewall.enabled) return undefined;
  const callers = callersOf(request);
  return doors(localApiPort(request))
    .filter((door) => (door.role ?? role) === role && (door.when?.(platform) ?? true))
    .map(({ name, protocol, ports, from }) => ({ name, protocol, ports, subnets: networksOf(from, callers) }));
}

const networksOf = (
  from: readonly Caller[],
  callers: Readonly<Record<Caller, readonly string[]>>,
): readonly string[] => {
  const networks = [...new Set(from.flatMap((caller) => callers[caller]))];
  return anybody.every((network) => networks.includes(network)) ? anybody : networks;
};

function callersOf(request: ConfigRequest): Readonly<Record<Caller, readonly string[]>> {
  const { platform } = request;
  const { firewall, network } = platform.cluster;
  const nodes = nodesNetwork(platform);
  if (nodes === undefined) {
    throw new Problem(
      'firewall-needs-network',
      'The firewall lets the machines’ network in, and the file does not say which that is.',
      {
        path: 'cluster.network.nodes',
        remedy: 'Set cluster.network.nodes, such as 10.10.0.0/24, or cluster.firewall.enabled: false.',
      },
    );
  }
  const controlPlanes = platform.machines
    .filter(({ role }) => role === 'control-plane')
    .map((machine) => addressOf(request, machine));
  return {
    management: firewall.management.length === 0 ? anybody : firewall.management,
    nodes: [nodes],
    pods: [network.pods],
    controlPlanes: controlPlanes.every((address) => address !== undefined) ? controlPlanes.map(asNetwork) : [nodes],
    anybody,
  };
}

const asNetwork = (address: string | undefined): string =>
  `${address}/${parseAddress(address ?? '')?.family === 6 ? 128 : 32}`;
