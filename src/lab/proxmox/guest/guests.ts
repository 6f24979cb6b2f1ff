import type { Duplex } from 'node:stream';
import { wallClock } from '../../clock.ts';
import type { LabClock } from '../../clock.ts';
import { mappedAddresses, ownAddresses } from '../../talos/network.ts';
import { usualDurations } from '../../talos/node/hardware.ts';
import type { SeenTalosCall } from '../../talos/apid/writes.ts';
import { Faults } from '../../talos/node/faults.ts';
import type { Machine } from '../../talos/node/machine.ts';
import { startWorld } from '../../talos/start-world.ts';
import type { TwinDurations, TwinFault } from '../../talos/twin.ts';
import type { KubernetesApi, LabCluster } from '../../talos/world.ts';
import type { GuestFactory } from '../guest.ts';
import { Dhcp } from './dhcp.ts';
import type { Reservation } from './dhcp.ts';
import type { SchematicExtensions } from './installer-image.ts';
import { cidrOf, guestsOf, subnetOf } from './subnet.ts';
import { VmGuest } from './vm-guest.ts';
import type { Handicap } from './vm-surroundings.ts';

export type GuestsOptions = {
  readonly clock?: LabClock;
  /** The lab’s network; guests get addresses of its second half. */
  readonly network?: string;
  readonly addresses?: 'own' | 'mapped';
  readonly durations?: Partial<TwinDurations>;
  /** Extensions of a schematic, where an image itself does not say. */
  readonly extensionsOf?: SchematicExtensions;
  /** As for Talos nodes alone: answers on 6443 of the control planes. */
  readonly kubernetes?: (cluster: LabCluster) => KubernetesApi;
};

/** What runs in a VM at the moment. */
type SeenGuest = {
  readonly vmid: number;
  readonly name: string;
  /** Undefined: no Talos was started since the power came on. */
  readonly talos: { readonly version: string; readonly stage: string; readonly hostname: string } | undefined;
  readonly addresses: readonly string[];
  /** Those of them that it holds for the cluster. */
  readonly vips: readonly string[];
};

/** Everything that runs in the VMs of a lab, and their network. */
export interface Guests extends AsyncDisposable {
  readonly factory: GuestFactory;
  /** Network of the guests, with the addresses that nobody should choose by hand. */
  readonly network: { readonly cidr: string; readonly gateway: string };
  /** What DHCP answers to a card from its next boot on. */
  reserve(mac: string, reservation: Reservation): void;
  running(): readonly SeenGuest[];
  /** What a VM’s screen showed last; empty when it is off. */
  screen(vmid: number): readonly string[];
  /** Lets something go wrong with the Talos in a VM, until `heal`. */
  fail(vmid: number, fault: TwinFault): void;
  heal(vmid: number): void;
  /** The same for every Talos that is there or will be. */
  failAll(fault: TwinFault): void;
  healAll(): void;
  /** From its next boot on, and as long as VMs have this name. Undefined: it is well again. */
  handicap(name: string, kind: Handicap | undefined): void;
  /** The process of a VM dies. */
  kill(vmid: number): void;
  /** Calls of the Talos API. */
  calls(): readonly SeenTalosCall[];
  /** Opens a byte stream to a guest, wherever its ports really are. */
  connector(): (target: { readonly host: string; readonly port: number }, signal: AbortSignal) => Promise<Duplex>;
}

/** So many of the last calls are remembered at least. */
const kept = 10_000;

const usualNetwork = '127.80.0.0/24';

export function createGuests(options: GuestsOptions = {}): Guests {
  const { clock = wallClock(), network: cidr = usualNetwork } = options;
  const network = options.addresses === 'mapped' ? mappedAddresses() : ownAddresses;
  const { world, machines, vips, closeKubernetes } = startWorld(network, { ...options, clock });
  const subnet = guestsOf(subnetOf(cidr));
  const dhcp = new Dhcp(subnet, (address) => world.isThere(address));
  const handicaps = new Map<string, Set<Handicap>>();
  const faults = new Faults();
  const calls: SeenTalosCall[] = [];
  const rack = {
    handicaps,
    faults,
    onCall: (call: SeenTalosCall): void => {
      calls.push(call);
      if (calls.length > 2 * kept) calls.splice(0, kept);
    },
    world,
    machines,
    clock,
    dhcp,
    durations: { ...usualDurations, ...options.durations },
    extensionsOf: options.extensionsOf ?? (() => undefined),
  };
  const inside = new Map<number, VmGuest>();
  const talosIn = (vmid: number): Machine => {
    const machine = inside.get(vmid)?.machine;
    if (machine === undefined) throw new Error(`There is no Talos in VM ${vmid}.`);
    return machine;
  };
  return {
    network: { cidr: cidrOf(subnet), gateway: dhcp.gateway },
    factory: (hardware, board) => {
      const guest = new VmGuest(hardware, board, rack);
      inside.set(hardware.vmid, guest);
      void guest.gone.then(() => inside.get(hardware.vmid) === guest && inside.delete(hardware.vmid));
      return guest;
    },
    reserve: (mac, reservation) => dhcp.reserve(mac, reservation),
    running: () => [...inside.values()].map(seen),
    screen: (vmid) => inside.get(vmid)?.screen() ?? [],
    fail: (vmid, fault) => talosIn(vmid).faults.add(fault),
    heal: (vmid) => talosIn(vmid).faults.clear(),
    failAll: (fault) => faults.add(fault),
    healAll: () => {
      faults.clear();
      handicaps.clear();
      for (const { machine } of inside.values()) machine?.faults.clear();
    },
    handicap: (name, kind) => {
      if (kind === undefined) handicaps.delete(name);
      else handicaps.set(name, new Set([...(handicaps.get(name) ?? []), kind]));
    },
    kill: (vmid) => inside.get(vmid)?.die(),
    calls: () => calls,
    connector: () => (target, signal) => network.dial(target.host, target.port, signal),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...inside.values()].map((guest) => guest.cut()));
      await vips.close();
      await closeKubernetes();
    },
  };
}

function seen({ hardware, machine }: VmGuest): SeenGuest {
  const { vmid, name } = hardware;
  if (machine === undefined) return { vmid, name, talos: undefined, addresses: [], vips: [] };
  const { boot } = machine;
  return {
    vmid,
    name,
    talos: { version: boot?.version ?? '', stage: boot?.stage ?? 'rebooting', hostname: boot?.hostname ?? '' },
    addresses: boot === undefined ? [] : [...machine.ownAddresses(), ...machine.heldVips],
    vips: boot === undefined ? [] : machine.heldVips,
  };
}
