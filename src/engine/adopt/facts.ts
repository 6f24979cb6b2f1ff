import { naturally } from '../../model/host.ts';
import { Problem } from '../../model/problem.ts';
import { parseVersion } from '../../model/version.ts';
import { contractOf, type Contract } from '../../talos/config/contract.ts';
import type { Fields, MachineConfig } from '../../talos/config/document.ts';
import { isMain } from '../../talos/config/identity.ts';
import { readConfig } from '../../talos/config/read.ts';
import { fieldsOf, textOf, type RunningNode } from './running.ts';

/** A node, read: what it is in the cluster, and what ichor is going to call it. */
export type AdoptedNode = RunningNode & {
  /** Without the platform’s name in front: cp-0, general-0. */
  readonly name: string;
  readonly role: 'control-plane' | 'worker';
  readonly read: MachineConfig;
};

export type ClusterFacts = {
  readonly name: string;
  readonly contract: Contract;
  readonly talos: string;
  readonly kubernetes: string | undefined;
  readonly endpoint: { readonly host: string; readonly port: number };
  readonly cni: 'flannel' | 'none';
  readonly pods: string | undefined;
  readonly services: string | undefined;
  readonly domain: string | undefined;
  readonly nodes: readonly AdoptedNode[];
};

export const pool = 'general';

/** What the configurations of a cluster’s nodes say about it. */
export function factsOf(running: readonly RunningNode[]): ClusterFacts {
  const [version = ''] = running.map((node) => node.version).toSorted(naturally);
  const parsed = parseVersion(version);
  const contract = parsed && contractOf(parsed);
  if (contract === undefined)
    throw new Problem('unknown-talos', `ichor does not know Talos ${version}, which the cluster runs.`, {
      remedy: 'It knows 1.9 to 1.14: bring the nodes there first.',
    });
  const read = running.map((node) => ({ ...node, read: readConfig(node.config, node.address, contract) }));
  const planes = read.filter((node) => typeOf(node.read) !== 'worker').toSorted(byHostname);
  const workers = read.filter((node) => typeOf(node.read) === 'worker').toSorted(byHostname);
  const [first] = planes;
  if (first === undefined)
    throw new Problem('no-control-plane', 'None of the nodes is a control plane, and only those have all secrets.', {
      remedy: 'Name the control planes too: -n 10.10.0.11,10.10.0.21',
    });
  const { cluster, machine } = mainOf(first.read);
  const [pods, services] = ['podSubnets', 'serviceSubnets'].map((key) => listOf(fieldsOf(cluster['network'])[key])[0]);
  const url = textOf(fieldsOf(cluster['controlPlane'])['endpoint']);
  const endpoint = URL.canParse(url) ? new URL(url) : undefined;
  return {
    name: textOf(cluster['clusterName']),
    contract,
    talos: version,
    kubernetes: /:(v\d+\.\d+\.\d+)/.exec(textOf(fieldsOf(machine['kubelet'])['image']))?.[1],
    endpoint: {
      host: (endpoint?.hostname ?? first.address).replace(/^\[(.*)\]$/, '$1'),
      port: Number(endpoint?.port === '' ? 443 : (endpoint?.port ?? 6443)),
    },
    cni: textOf(fieldsOf(fieldsOf(cluster['network'])['cni'])['name']) === 'none' ? 'none' : 'flannel',
    pods,
    services,
    domain: textOf(fieldsOf(cluster['network'])['dnsDomain']) || undefined,
    nodes: [
      ...planes.map((node, index) => ({ ...node, name: `cp-${index}`, role: 'control-plane' as const })),
      ...workers.map((node, index) => ({ ...node, name: `${pool}-${index}`, role: 'worker' as const })),
    ],
  };
}

const byHostname = (one: RunningNode, other: RunningNode): number => naturally(one.hostname, other.hostname);

function mainOf(config: MachineConfig): { readonly cluster: Fields; readonly machine: Fields } {
  const main = config.find(isMain) ?? {};
  return { cluster: fieldsOf(main['cluster']) as Fields, machine: fieldsOf(main['machine']) as Fields };
}

const typeOf = (config: MachineConfig): string => textOf(mainOf(config).machine['type']);

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(textOf) : []);

/** The name that a node’s configuration gives it; undefined: somebody else does. */
export function hostnameIn(config: MachineConfig): string | undefined {
  const document = config.find((each) => each['kind'] === 'HostnameConfig');
  const written = textOf(document?.['hostname']) || textOf(fieldsOf(mainOf(config).machine['network'])['hostname']);
  return written || undefined;
}
