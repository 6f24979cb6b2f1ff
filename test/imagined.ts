import { known, unknown } from '../src/model/seen.ts';
import { gib, mib } from '../src/model/size.ts';
import type { Inventory, Resident } from '../src/model/host.ts';
import type { Machine, Role } from '../src/model/machine.ts';
import type { ObservedMachine } from '../src/model/observed.ts';
import type { ConfigChange } from '../src/model/step.ts';
import type { Memory, NetworkWorld, World, WorldArtifact, WorldMachine } from '../src/model/world.ts';
import { networkOf } from '../src/kubernetes/cni/network.ts';
import { provePlatform } from '../src/plan/proof.ts';
import type { Platform } from '../src/spec/platform.ts';
import { schematicFor } from '../src/talos/boot-image.ts';
import { groupOf } from '../src/talos/config/request.ts';

/** A machine as it really is, whether or not anybody can see it. */
export type ImaginedMachine = {
  readonly name: string;
  role: Role;
  /** Undefined: nobody makes machines here. Null: it is not there. */
  vm: (Omit<ObservedMachine, 'power' | 'busy'> & { power: 'on' | 'off' }) | null | undefined;
  /** What is on its disk. */
  disk: 'empty' | 'ours' | 'foreign';
  version: string;
  schematic: string | undefined;
  changes: readonly ConfigChange[];
  address: string | undefined;
  stage: string;
};

export type ImaginedNode = { machine: string | undefined; ready: boolean; schedulable: boolean; drained: boolean };

/** All that is so, behind what a world shows of it. */
export type Imagined = {
  readonly platform: string;
  memory: Memory;
  secrets: 'there' | 'absent';
  images: Record<string, readonly string[]>;
  readonly hosts: Inventory;
  machines: Record<string, ImaginedMachine>;
  /** By hostname. */
  members: Record<string, { id: string; machine: string | undefined; learner: boolean }>;
  nodes: Record<string, ImaginedNode> | undefined;
  network: NetworkWorld;
  artifacts: Record<string, WorldArtifact['standing']>;
  /** What nobody can see at the moment: machine names, `talos NAME`, `etcd`, `nodes`, `network`. */
  hidden: readonly string[];
  readOnly: string | undefined;
  /** Machines whose VMs somebody took a part of the mark off. */
  damaged?: readonly string[];
};

const artifactPaths = ['control-plane.yaml', 'kubeconfig', 'talosconfig', 'worker.yaml'];

/** Before anything was done. */
export function empty(platform: Platform, inventory?: Inventory): Imagined {
  const hosts =
    inventory ??
    (platform.provider.kind === 'existing' ? { hosts: [], shared: {} } : provePlatform(platform, undefined).inventory);
  return {
    platform: platform.name,
    memory: { platform: platform.name, bootstrap: undefined, configured: {}, guarded: undefined },
    secrets: 'absent',
    images: {},
    hosts,
    machines: Object.fromEntries(platform.machines.map((machine) => [machine.name, unmade(platform, machine)])),
    members: {},
    nodes: undefined,
    network: networkOf(platform).kind === 'cilium' ? { kind: 'absent' } : { kind: 'not-ours' },
    artifacts: Object.fromEntries(artifactPaths.map((path) => [path, 'absent' as const])),
    hidden: [],
    readOnly: undefined,
  };
}

export const unmade = (platform: Platform, machine: Machine): ImaginedMachine => ({
  name: machine.name,
  role: machine.role,
  vm: platform.provider.kind === 'existing' ? undefined : null,
  disk: 'empty',
  version: platform.cluster.talos.version,
  schematic: schematicFor(platform, groupOf(platform, machine)),
  changes: [],
  address: platform.provider.kind === 'existing' ? (machine.fixed.address ?? '192.0.2.1') : undefined,
  stage: 'running',
});

/** What is seen of it, for a platform that may be another one by now. */
export function seen(imagined: Imagined, platform: Platform): World {
  const wanted = new Set(platform.machines.map(({ name }) => name));
  const existing = platform.provider.kind === 'existing';
  const all = [
    ...platform.machines.map((machine) => imagined.machines[machine.name] ?? unmade(platform, machine)),
    ...Object.values(imagined.machines).filter(
      ({ name, vm }) => !wanted.has(name) && (existing ? imagined.memory.configured[name] !== undefined : vm !== null),
    ),
  ];
  const isHidden = (what: string): boolean => imagined.hidden.includes(what);
  const running = all.some(
    (machine) => machine.role === 'control-plane' && isUp(machine) && machine.name in byMachine(imagined),
  );
  const nodes = running ? imagined.nodes : undefined;
  // Who cannot be asked may have it, as far as anybody remembers that there is one.
  const mayHaveEtcd = ({ name, role, vm }: ImaginedMachine): boolean =>
    role === 'control-plane' && (isHidden(name) || isHidden(`talos ${name}`) || vm?.power === 'off');
  const unseen = !running && imagined.memory.bootstrap !== undefined && all.some(mayHaveEtcd);
  const silent = all.filter(({ name }) => isHidden(name)).length > 0 && !existing;
  return {
    platform: platform.name,
    at: new Date('2026-11-17T12:00:00Z'),
    memory: imagined.memory,
    secrets: imagined.secrets,
    provider: existing
      ? undefined
      : {
          product: 'Proxmox VE',
          version: '9.0.3',
          inventory: inventoryOf(imagined),
          silent: [],
          readOnly: imagined.readOnly,
          images: new Map(Object.entries(imagined.images).map(([name, hosts]) => [name, known(hosts)])),
        },
    machines: all.map((machine) => seenMachine(imagined, machine, wanted.has(machine.name), silent)),
    etcd:
      isHidden('etcd') || unseen
        ? unknown('no control plane answers')
        : known(
            !running
              ? []
              : Object.entries(imagined.members).map(([hostname, { id, machine, learner }]) => ({
                  id,
                  hostname,
                  // Who is none of the machines that can be seen is known by its name alone.
                  machine: all.some(({ name }) => name === machine) ? machine : undefined,
                  learner,
                })),
          ),
    nodes:
      isHidden('nodes') || unseen
        ? unknown('the API does not answer')
        : known(
            nodes &&
              Object.entries(nodes).map(([name, node]) => ({
                ...node,
                name,
                ready: node.ready && (node.machine === undefined || isUp(imagined.machines[node.machine])),
                addresses: [],
                controlPlane: node.machine !== undefined && imagined.machines[node.machine]?.role === 'control-plane',
                missing: node.ready ? [] : ['Ready is False'],
                version: 'v1.35.0',
              })),
          ),
    network:
      isHidden('network') || isHidden('nodes')
        ? unknown('the API does not answer')
        : known(running || imagined.network.kind === 'not-ours' ? imagined.network : { kind: 'absent' }),
    artifacts: Object.entries(imagined.artifacts).map(([path, standing]) => ({ path, standing })),
  };
}

export const isUp = (machine: ImaginedMachine | undefined): boolean =>
  machine !== undefined && machine.disk === 'ours' && machine.vm !== null && machine.vm?.power !== 'off';

/** Whether etcd is on some disk, and be it one without power. */
export const holdsData = ({ members, machines }: Imagined): boolean =>
  Object.values(members).some(({ machine }) => machine !== undefined && machines[machine]?.disk === 'ours');

const byMachine = ({ members }: Imagined): Record<string, true> =>
  Object.fromEntries(Object.values(members).flatMap(({ machine }) => (machine === undefined ? [] : [[machine, true]])));

function seenMachine(imagined: Imagined, machine: ImaginedMachine, wanted: boolean, silent: boolean): WorldMachine {
  const { name, role, vm } = machine;
  const isHidden = imagined.hidden.includes(name) || (silent && vm === null);
  const isDamaged = vm !== undefined && vm !== null && imagined.damaged?.includes(name) === true;
  const damage = { lacking: ['the line in its notes'], restore: 'qm set' };
  const base = { name, role, wanted, ...(isDamaged ? { damage } : {}) };
  if (isDamaged && wanted)
    return {
      ...base,
      vm: unknown('what is there lacks our mark'),
      address: undefined,
      talos: unknown('it has no address'),
    };
  if (isHidden)
    return {
      ...base,
      vm: vm === undefined ? undefined : unknown('pve2 did not answer'),
      address: undefined,
      talos: unknown('pve2 did not answer'),
    };
  if (vm === null) return { ...base, vm: known(null), address: undefined, talos: known(undefined) };
  const power = vm?.power ?? 'on';
  return {
    ...base,
    vm: vm === undefined ? undefined : known({ ...vm, power: known(power), busy: undefined }),
    address: power === 'on' ? machine.address : undefined,
    talos:
      power === 'on' && imagined.hidden.includes(`talos ${name}`)
        ? unknown('connection refused')
        : talosOf(machine, power),
  };
}

function talosOf(
  { disk, version, stage, schematic, changes, name }: ImaginedMachine,
  power: 'on' | 'off',
): WorldMachine['talos'] {
  if (power === 'off') return known({ kind: 'off' });
  if (disk === 'empty') return known({ kind: 'maintenance', version, fingerprint: 'AA:BB' });
  if (disk === 'foreign') return known({ kind: 'foreign', because: 'it does not take our certificate' });
  return known({ kind: 'ours', version, stage, hostname: name, schematic, changes });
}

function inventoryOf({ hosts, machines, platform }: Imagined): Inventory {
  const ours = Object.values(machines).flatMap(({ vm }) => vm ?? []);
  return {
    ...hosts,
    hosts: hosts.hosts.map((host) => ({
      ...host,
      residents: [
        ...host.residents,
        ...ours
          .filter((vm) => vm.host === host.name)
          .map((vm): Resident => ({
            name: vm.mark.name,
            platform,
            vmid: Number(vm.id),
            mac: vm.macs[0],
            uuid: vm.mark.uuid,
            address: undefined,
            size: {
              cpu: vm.cpu,
              memoryMiB: mib(vm.memoryMiB),
              disks: vm.disks.map((disk) => ({
                name: disk.name ?? '',
                sizeGiB: gib(disk.sizeGiB),
                datastore: disk.datastore,
              })),
            },
          })),
      ],
    })),
  };
}
