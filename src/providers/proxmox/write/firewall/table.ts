import type { Role } from '../../../../model/machine.ts';

/** Who may knock: people and their tools, machines of the platform, control planes, or everybody. */
export type Caller = 'management' | 'ours' | 'control planes' | 'everybody';

type Door = {
  readonly name: string;
  readonly proto: 'tcp' | 'udp' | 'icmp' | 'ipv6-icmp';
  readonly ports?: string;
  /** Absent: every role. */
  readonly role?: Role;
  readonly from: readonly Caller[];
};

/**
 * What a role must be reached by. Unlike Talos’ own firewall this one stands before the machine and sees everything that goes
 * in, also what pods and services are sent; so what carries pods between nodes, and the services of workers, are among it.
 */
const doors: readonly Door[] = [
  { name: 'apid', proto: 'tcp', ports: '50000', from: ['management', 'ours'] },
  { name: 'trustd', proto: 'tcp', ports: '50001', role: 'control-plane', from: ['ours'] },
  { name: 'kube-apiserver', proto: 'tcp', ports: '6443', role: 'control-plane', from: ['management', 'ours'] },
  { name: 'etcd', proto: 'tcp', ports: '2379:2380', role: 'control-plane', from: ['control planes'] },
  { name: 'kubelet', proto: 'tcp', ports: '10250', from: ['ours'] },
  { name: 'flannel', proto: 'udp', ports: '4789', from: ['ours'] },
  { name: 'cilium', proto: 'udp', ports: '8472', from: ['ours'] },
  { name: 'cilium-health', proto: 'tcp', ports: '4240', from: ['ours'] },
  { name: 'hubble', proto: 'tcp', ports: '4244', from: ['ours'] },
  { name: 'wireguard', proto: 'udp', ports: '51871', from: ['ours'] },
  { name: 'kubespan', proto: 'udp', ports: '51820', from: ['everybody'] },
  { name: 'metallb', proto: 'tcp', ports: '7946', from: ['ours'] },
  { name: 'metallb', proto: 'udp', ports: '7946', from: ['ours'] },
  { name: 'web', proto: 'tcp', ports: '80,443', role: 'worker', from: ['everybody'] },
  { name: 'node-ports', proto: 'tcp', ports: '30000:32767', role: 'worker', from: ['everybody'] },
  { name: 'node-ports', proto: 'udp', ports: '30000:32767', role: 'worker', from: ['everybody'] },
  { name: 'ping', proto: 'icmp', from: ['everybody'] },
  { name: 'ping', proto: 'ipv6-icmp', from: ['everybody'] },
];

/** A rule of a security group, in Proxmox’s words. */
export type Rule = {
  readonly proto: string;
  readonly dport: string | undefined;
  readonly source: string | undefined;
  readonly comment: string;
};

/** One rule for each caller: a rule has one source. */
export const rulesOf = (role: Role, setOf: (caller: Caller) => string | undefined): readonly Rule[] =>
  doors
    .filter((door) => (door.role ?? role) === role)
    .flatMap(({ name, proto, ports, from }) => {
      const sources = [...new Set(from.map(setOf))];
      // Where everybody may, nobody else needs to be named.
      const needed = sources.includes(undefined) ? [undefined] : sources;
      return needed.map((source): Rule => ({ proto, dport: ports, source, comment: `ichor: ${name}` }));
    });
