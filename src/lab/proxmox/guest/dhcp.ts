import { createHash } from 'node:crypto';
import type { Lease } from '../../talos/node/network.ts';
import { addressOf, type Subnet } from './subnet.ts';

/** What was told about a card in advance. */
export type Reservation = { readonly address?: string; readonly hostname?: string };

/**
 * The DHCP server of a lab. A card gets the same address whenever it asks: the one that is reserved for it, or one that
 * follows from its MAC address. The upper half of the network is given out first, so that the lower one is free for whoever
 * chooses addresses by hand.
 */
export class Dhcp {
  readonly #subnet: Subnet;
  readonly #isTaken: (address: string) => boolean;
  readonly #reservations = new Map<string, Reservation>();
  readonly #leases = new Map<string, string>();
  /** Leased or reserved. */
  readonly #given = new Set<string>();

  constructor(subnet: Subnet, isTaken: (address: string) => boolean) {
    this.#subnet = subnet;
    this.#isTaken = isTaken;
  }

  /** Nobody is there; everything on the network is told to go that way all the same. */
  get gateway(): string {
    return addressOf(this.#subnet.first + 1);
  }

  reserve(mac: string, reservation: Reservation): void {
    const key = mac.toLowerCase();
    this.#reservations.set(key, reservation);
    if (reservation.address === undefined) return;
    this.#leases.delete(key);
    this.#given.add(reservation.address);
  }

  leases(): ReadonlyMap<string, string> {
    return this.#leases;
  }

  /** Undefined: there is no address left. */
  lease(mac: string): Lease | undefined {
    const key = mac.toLowerCase();
    const reserved = this.#reservations.get(key);
    const address = reserved?.address ?? this.#leases.get(key) ?? this.#free(key);
    if (address === undefined) return undefined;
    this.#leases.set(key, address);
    this.#given.add(address);
    return {
      address,
      prefix: this.#subnet.prefix,
      gateway: this.gateway,
      nameservers: [this.gateway],
      hostname: reserved?.hostname,
    };
  }

  #free(mac: string): string | undefined {
    const { first, size } = this.#subnet;
    const start = createHash('sha256').update(mac).digest().readUInt32BE(0);
    const half = size / 2;
    for (const range of [ring(first + half, half - 1, start), ring(first + 2, half - 2, start)])
      for (const number of range) {
        const address = addressOf(number);
        if (!this.#given.has(address) && !this.#isTaken(address)) return address;
      }
    return undefined;
  }
}

/** All numbers of a range, beginning somewhere in it. */
function* ring(first: number, count: number, start: number): Generator<number> {
  for (let step = 0; step < count; step++) yield first + ((start + step) % count);
}
