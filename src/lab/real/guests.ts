import { connect } from 'node:net';
import type { Guests } from '../proxmox/guest/guests.ts';
import { Dhcp } from '../proxmox/guest/dhcp.ts';
import { cidrOf, subnetOf } from '../proxmox/guest/subnet.ts';
import type { Land } from './land.ts';
import type { Parts } from './parts.ts';
import { RealGuest } from './real-guest.ts';

/** Everything that runs in the VMs of a lab, for real. The land is left with it. */
export function realGuests(land: Land, { talos: version }: Pick<Parts, 'talos'>): Guests {
  const { network } = land.place;
  const subnet = subnetOf(`${network.gateway}/${network.prefix}`);
  const inside = new Map<number, RealGuest>();
  const isTaken = (address: string): boolean =>
    address === network.gateway || [...inside.values()].some((guest) => guest.addresses().includes(address));
  const dhcp = new Dhcp(subnet, isTaken);
  const rack = { place: land.place, dhcp, version };
  const refuse = (): never => {
    throw new Error('Real nodes cannot be made to fail in this way.');
  };
  return {
    network: { cidr: cidrOf(subnet), gateway: network.gateway },
    factory: (hardware, board) => {
      const guest = new RealGuest(hardware, board, rack);
      inside.set(hardware.vmid, guest);
      void guest.gone.then(() => inside.get(hardware.vmid) === guest && inside.delete(hardware.vmid));
      return guest;
    },
    reserve: (mac, reservation) => dhcp.reserve(mac, reservation),
    running: () =>
      [...inside.values()].map((guest) => ({
        vmid: guest.hardware.vmid,
        name: guest.hardware.name,
        talos: guest.inside(),
        addresses: guest.addresses(),
        vips: [],
      })),
    screen: (vmid) => inside.get(vmid)?.screen() ?? [],
    fail: refuse,
    heal: () => undefined,
    failAll: refuse,
    healAll: () => undefined,
    handicap: refuse,
    kill: refuse,
    calls: () => [],
    connector:
      () =>
      ({ host, port }, signal) =>
        new Promise((resolve, reject) => {
          const socket = connect({ host, port, signal });
          socket.once('connect', () => resolve(socket)).once('error', reject);
        }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...inside.values()].map((guest) => guest.cut()));
      await land[Symbol.asyncDispose]();
    },
  };
}
