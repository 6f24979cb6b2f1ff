import type { Datacenter } from '../datacenter.ts';
import type { Host } from '../host.ts';
import { isDisabled, isOn } from '../storage/definition.ts';
import { sees } from './membership.ts';
import { guestNumbers, hostNumbers, type HostNumbers } from './numbers.ts';

/** What the statistics daemon last told about a VM; older than the VM itself, or of another one that had its VMID. */
export type VmStatistics = {
  readonly status: 'running' | 'stopped';
  readonly name: string;
  readonly template: boolean;
  readonly maxcpu: number;
  readonly cpu: number;
  readonly maxmem: number;
  readonly mem: number;
  readonly maxdisk: number;
  readonly disk: number;
  readonly uptime: number;
  readonly netin: number;
  readonly netout: number;
  readonly diskread: number;
  readonly diskwrite: number;
};

type StorageStatistics = { readonly disk: number; readonly maxdisk: number };

/** What one host has been told by all of them; undefined: nothing yet, or it is too long ago. */
export interface TellTale {
  vm(vmid: number): VmStatistics | undefined;
  host(name: string): HostNumbers | undefined;
  storage(host: string, id: string): StorageStatistics | undefined;
}

export interface Statistics {
  /** Undefined: `unknown`, nobody has told yet or it is too long ago. */
  vm(vmid: number): VmStatistics | undefined;
  hostIsKnown(host: string): boolean;
  /** Hosts that do not see each other do not tell each other anything. */
  toldTo(host: Host): TellTale;
}

type Told = VmStatistics | HostNumbers | StorageStatistics;

/** Every host tells the others about its guests and storages, again and again. */
export class LabStatistics implements Statistics {
  readonly #datacenter: () => Datacenter;
  /** By listener, then by what it is about: `vm/101`, `node/pve1`, `storage/pve1/local`. */
  readonly #heard = new Map<string, Map<string, { readonly told: Told; readonly at: number }>>();

  constructor(datacenter: () => Datacenter) {
    this.#datacenter = datacenter;
  }

  /** One look of the daemons of all hosts that run. */
  tick(): void {
    const datacenter = this.#datacenter();
    const at = datacenter.clock.now().getTime();
    const guests = guestNumbers(datacenter);
    for (const host of datacenter.hosts.values()) {
      if (host.state !== 'up' && host.state !== 'cut off') continue;
      const news = [...newsOf(datacenter, host, guests.get(host.name) ?? new Map())].map(
        ([about, told]) => [about, { told, at }] as const,
      );
      for (const listener of datacenter.hosts.values()) {
        if (!sees(listener, host)) continue;
        const heard = this.#heardBy(listener.name);
        for (const [about, item] of news) heard.set(about, item);
      }
    }
  }

  vm(vmid: number): VmStatistics | undefined {
    const hosts = [...this.#datacenter().hosts.values()];
    const listener = hosts.find(({ state }) => state === 'up') ?? hosts[0];
    return listener === undefined ? undefined : this.toldTo(listener).vm(vmid);
  }

  hostIsKnown(host: string): boolean {
    return this.#latest(host, `node/${host}`) !== undefined;
  }

  toldTo({ name }: Host): TellTale {
    return {
      vm: (vmid) => this.#latest(name, `vm/${vmid}`) as VmStatistics | undefined,
      host: (other) => this.#latest(name, `node/${other}`) as HostNumbers | undefined,
      storage: (other, id) => this.#latest(name, `storage/${other}/${id}`),
    };
  }

  #heardBy(listener: string): Map<string, { readonly told: Told; readonly at: number }> {
    const heard = this.#heard.get(listener) ?? new Map<string, { readonly told: Told; readonly at: number }>();
    this.#heard.set(listener, heard);
    return heard;
  }

  #latest(listener: string, about: string): Told | undefined {
    const { clock, durations } = this.#datacenter();
    const heard = this.#heardBy(listener);
    const item = heard.get(about);
    if (item === undefined || clock.now().getTime() - item.at <= durations.forget) return item?.told;
    heard.delete(about);
    return undefined;
  }
}

function* newsOf(
  datacenter: Datacenter,
  host: Host,
  guests: ReadonlyMap<number, VmStatistics>,
): Iterable<readonly [string, Told]> {
  yield [`node/${host.name}`, hostNumbers(datacenter, host, guests.values())];
  for (const [vmid, numbers] of guests) yield [`vm/${vmid}`, numbers];
  for (const definition of datacenter.storages.definitions.values()) {
    if (isDisabled(definition) || !isOn(definition, host.name)) continue;
    const { usedBytes, totalBytes } = datacenter.storages.spaceOf(host, definition);
    yield [`storage/${host.name}/${definition.id}`, { disk: usedBytes, maxdisk: totalBytes }];
  }
}

/** The daemons look for the first time when the lab starts, and then again and again until it ends, in time with the clock. */
export function createStatistics(datacenter: () => Datacenter): LabStatistics {
  const statistics = new LabStatistics(datacenter);
  void (async () => {
    // The data centre is whole only after this function has returned.
    await Promise.resolve();
    const { clock, durations, over } = datacenter();
    const first = clock.now().getTime();
    while (!over.aborted) {
      statistics.tick();
      const late = (clock.now().getTime() - first) % durations.statistics;
      await clock.sleep(durations.statistics - late, over).catch(() => undefined);
    }
  })();
  return statistics;
}
