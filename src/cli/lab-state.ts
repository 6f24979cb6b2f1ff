import type { ActiveFault } from '../lab/fault-board.ts';
import type { Lab } from '../lab/lab.ts';

/** How a lab is at the moment, as it tells it itself. */
export type LabState = {
  readonly hosts: readonly LabHost[];
  readonly vms: readonly LabVm[];
  readonly clusters: readonly LabCluster[];
  readonly faults: readonly ActiveFault[];
};

export type LabHost = {
  readonly name: string;
  readonly endpoint: string;
  readonly state: 'up' | 'dead' | 'frozen' | 'cut off';
  readonly vms: number;
  /** What its running VMs have been given, of what it has. */
  readonly cpus: { readonly given: number; readonly all: number };
  readonly memoryMiB: { readonly given: number; readonly all: number };
};

/** A Kubernetes that runs in the lab’s machines, and its nodes. */
export type LabCluster = {
  readonly name: string;
  readonly endpoint: string;
  /** The VM that has the endpoint’s address at the moment; absent: nobody, or the address is none of the lab’s. */
  readonly holder?: string;
  readonly nodes: readonly {
    readonly name: string;
    readonly ready: boolean;
    readonly version: string;
    readonly address: string;
    readonly role: 'control-plane' | 'worker';
  }[];
};

export type LabVm = {
  readonly vmid: number;
  readonly name: string;
  readonly host: string;
  readonly running: boolean;
  /** What is in it; absent: nothing that tells. */
  readonly talos?: { readonly version: string; readonly stage: string; readonly hostname: string };
  readonly addresses: readonly string[];
};

type NodeStatus = {
  readonly nodeInfo?: { readonly kubeletVersion?: string };
  readonly addresses?: readonly { readonly type: string; readonly address: string }[];
};

export function stateOf({ proxmox, guests, clusters }: Lab, faults: readonly ActiveFault[]): LabState {
  const inside = new Map(guests.running().map((guest) => [guest.vmid, guest]));
  const machines = proxmox.vms();
  const vms = machines.map(({ vmid, host, running, config }): LabVm => {
    const { talos, addresses = [] } = inside.get(vmid) ?? {};
    return {
      vmid,
      name: config['name'] ?? `VM ${vmid}`,
      host,
      running,
      ...(talos === undefined ? {} : { talos }),
      addresses,
    };
  });
  const given = (host: string, what: (config: Readonly<Record<string, string>>) => number): number =>
    machines.filter((vm) => vm.host === host && vm.running).reduce((sum, { config }) => sum + what(config), 0);
  return {
    hosts: proxmox.hosts().map(({ name, state, cpus, memoryMiB }) => ({
      name,
      endpoint: proxmox.endpoints.get(name) ?? '',
      state,
      vms: vms.filter(({ host }) => host === name).length,
      cpus: {
        given: given(name, (config) => Number(config['cores'] ?? 1) * Number(config['sockets'] ?? 1)),
        all: cpus,
      },
      memoryMiB: {
        given: given(name, (config) => Number.parseInt(config['memory']?.replace('current=', '') ?? '512', 10)),
        all: memoryMiB,
      },
    })),
    vms: vms.toSorted((one, other) => one.vmid - other.vmid),
    clusters: clusters
      .filter(({ isThere }) => isThere())
      .map(({ name, endpoint, twin }) => {
        const holder = vms.find(({ addresses }) => addresses.includes(hostOf(endpoint)))?.name;
        return {
          name,
          endpoint,
          ...(holder === undefined ? {} : { holder }),
          nodes: twin.api.list('/nodes').map(({ metadata, status }) => {
            const { nodeInfo, addresses = [] } = (status ?? {}) as NodeStatus;
            const node = metadata.name ?? '';
            return {
              name: node,
              ready: twin.isReady(node),
              version: nodeInfo?.kubeletVersion ?? '',
              address: addresses.find(({ type }) => type === 'InternalIP')?.address ?? '',
              role:
                metadata.labels?.['node-role.kubernetes.io/control-plane'] === undefined ? 'worker' : 'control-plane',
            };
          }),
        };
      }),
    faults,
  };
}

const hostOf = (endpoint: string): string => (URL.canParse(endpoint) ? new URL(endpoint).hostname : '');
