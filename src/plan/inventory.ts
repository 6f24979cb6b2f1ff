import { naturally, type Host, type Inventory, type Resident } from '../model/host.ts';
import type { Machine } from '../model/machine.ts';
import { Problem } from '../model/problem.ts';
import { gib, mib, type GiB } from '../model/size.ts';
import type { Platform } from '../spec/platform.ts';
import type { Substrate } from '../spec/substrate.ts';
import type { Existing } from './placement.ts';

type Capacity = {
  readonly cpu: number;
  readonly memory: Host['memoryMiB'];
  readonly disk?: Readonly<Record<string, GiB>> | undefined;
};

/** The hosts a platform may use: measured where somebody measured them, else as the file declares them. */
export function platformInventory(
  platform: Platform,
  measured: Inventory | undefined,
  substrates: readonly Substrate[],
): Inventory {
  const { provider } = platform;
  switch (provider.kind) {
    case 'proxmox':
      return {
        hosts: gather(provider.hosts, provider.capacity, measured, 'machines.proxmox.capacity'),
        shared: { ...provider.sharedDatastores, ...measured?.shared },
      };
    case 'libvirt':
      return {
        hosts: gather(Object.keys(provider.hosts), provider.capacity, measured, 'machines.libvirt.capacity'),
        shared: measured?.shared ?? {},
      };
    case 'openstack': {
      const substrate = substrates.find(({ name }) => name === provider.substrate);
      const built = substrate && provider.capacity === undefined && measured === undefined;
      if (built) return { hosts: computesOf(substrate), shared: {} };
      return {
        hosts: gather(provider.availabilityZones, provider.capacity, measured, 'machines.openstack.capacity'),
        shared: measured?.shared ?? {},
      };
    }
    case 'existing':
      return { hosts: [], shared: {} };
    case 'vitistack':
      if (measured === undefined) throw unknownHosts('a KubernetesCluster does not say what it runs on');
      return measured;
  }
}

export const substrateInventory = ({ spec }: Substrate, measured: Inventory | undefined): Inventory => ({
  hosts: gather(Object.keys(spec.hosts), spec.capacity, measured, 'capacity'),
  shared: measured?.shared ?? {},
});

function gather(
  names: readonly string[],
  declared: Readonly<Record<string, Capacity>> | undefined,
  measured: Inventory | undefined,
  path: string,
): readonly Host[] {
  const unknown: string[] = [];
  const hosts = names.flatMap((name) => {
    const found = measured?.hosts.find((host) => host.name === name);
    if (found) return [found];
    const capacity = declared?.[name];
    if (capacity) return [declaredHost(name, capacity)];
    unknown.push(name);
    return [];
  });
  if (unknown.length === 0) return hosts;
  const listed = unknown.toSorted(naturally);
  throw unknownHosts(
    `nobody said what ${listed.slice(0, 5).join(', ')}${listed.length > 5 ? `, … (${listed.length} hosts)` : ''} can carry`,
    `Declare it: "${path}: { ${listed[0]}: { cpu: 32, memory: 128GiB } }", or give a measured file:`,
  );
}

const unknownHosts = (why: string, remedy = 'Give a file with the hosts and what they carry:'): Problem =>
  new Problem('unknown-capacity', `It cannot be proved that the machines fit: ${why}.`, {
    remedy: `${remedy}\n    ichor place --hosts hosts.yaml`,
  });

const declaredHost = (name: string, { cpu, memory, disk }: Capacity): Host => ({
  name,
  cpu,
  memoryMiB: memory,
  disks: disk,
  used: { cpu: 0, memoryMiB: mib(0), disks: {} },
  residents: [],
});

/** What OpenStack-Ansible sets unless told otherwise: two virtual processors for one, and 2 GiB kept for the host. */
const novaCpuRatio = 2;
const novaReservedMiB = 2048;

/** To the platform on top, the computes of a substrate are the hosts. */
function computesOf({ machines }: Substrate): readonly Host[] {
  return machines
    .filter(({ pool }) => pool === 'computes')
    .map(({ name, shape }) =>
      declaredHost(name, {
        cpu: shape.cpu * novaCpuRatio,
        memory: mib(Math.max(0, shape.memoryMiB - novaReservedMiB)),
        disk: { default: gib(shape.disks[0]?.sizeGiB ?? 0) },
      }),
    );
}

export type Ours = {
  readonly existing: ReadonlyMap<string, Existing>;
  readonly leaving: readonly Resident[];
  readonly others: readonly Resident[];
};

/** Which of the machines that are there are this platform's. */
export function recognise(platform: string, machines: readonly Machine[], { hosts }: Inventory): Ours {
  const wanted = new Map(
    machines.flatMap((machine) => [[machine.name, machine.name] as const, [machine.hostname, machine.name] as const]),
  );
  const existing = new Map<string, Existing>();
  const leaving: Resident[] = [];
  const others: Resident[] = [];
  for (const host of hosts) {
    for (const resident of host.residents) {
      const name = resident.name === undefined ? undefined : wanted.get(resident.name);
      const foreign = resident.platform !== undefined && resident.platform !== platform;
      if (name !== undefined && !foreign && !existing.has(name)) existing.set(name, { host: host.name, resident });
      else if (resident.platform === platform && name === undefined) leaving.push(resident);
      else others.push(resident);
    }
  }
  return { existing, leaving, others };
}
