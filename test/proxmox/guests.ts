import type { Guest, GuestFactory, GuestInterface } from '../../src/lab/proxmox/guest.ts';
import type { Report } from '../../src/providers/conformance-world.ts';

/** Guests that do nothing but report what they are told, and count how often they are reset. */
export class Guests {
  readonly #reports = new Map<number, Report>();
  readonly #resets = new Map<number, number>();

  readonly factory: GuestFactory = ({ vmid, name }): Guest => ({
    agent: () => {
      const report = this.#reports.get(vmid);
      if (report === undefined) return undefined;
      return {
        networkInterfaces: () => report.map(interfaceOf),
        hostName: () => name,
        osInfo: () => ({}),
        shutdown: () => undefined,
      };
    },
    pressPower: () => undefined,
    reset: () => void this.#resets.set(vmid, this.resets(vmid) + 1),
    drives: () => undefined,
    cut: () => Promise.resolve(),
  });

  report(vmid: number, report: Report): void {
    this.#reports.set(vmid, report);
  }

  resets(vmid: number): number {
    return this.#resets.get(vmid) ?? 0;
  }
}

const interfaceOf = ({ mac, addresses }: Report[number], index: number): GuestInterface => ({
  name: `eth${index}`,
  mac,
  addresses: addresses.map((text) => ({
    address: text.split('/')[0] ?? '',
    prefix: Number(text.split('/')[1]),
    family: text.includes(':') ? 'ipv6' : 'ipv4',
  })),
});
