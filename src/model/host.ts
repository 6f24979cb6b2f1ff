import type { Disk } from './machine.ts';
import type { GiB, MiB } from './size.ts';

/** A machine as it is on its host now: one of ours, or somebody else's. */
export type Resident = {
  readonly name: string | undefined;
  /** The platform it belongs to; null: to none, undefined: nobody said. */
  readonly platform: string | null | undefined;
  readonly vmid: number | undefined;
  readonly mac: string | undefined;
  readonly uuid: string | undefined;
  readonly address: string | undefined;
  /** Undefined where only its place is known: then it has the size that the file gives it. */
  readonly size: { readonly cpu: number; readonly memoryMiB: MiB; readonly disks: readonly Disk[] } | undefined;
};

/** A hypervisor, an availability zone: something that machines are placed on and that fails as a whole. */
export type Host = {
  readonly name: string;
  /** Logical processors. */
  readonly cpu: number;
  readonly memoryMiB: MiB;
  /** Space per datastore; undefined: not declared, so disk is not proved here. */
  readonly disks: Readonly<Record<string, GiB>> | undefined;
  /** What others use, besides the machines that are listed. */
  readonly used: { readonly cpu: number; readonly memoryMiB: MiB; readonly disks: Readonly<Record<string, GiB>> };
  readonly residents: readonly Resident[];
};

/** What there is to place machines on. */
export type Inventory = {
  readonly hosts: readonly Host[];
  /** Free space of datastores that all hosts share. */
  readonly shared: Readonly<Record<string, GiB>>;
};

/** pve2 comes before pve10. */
export const byHostName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  naturally(one.name, other.name);

const digits = /(\d+)/;

export function naturally(one: string, other: string): number {
  const [a, b] = [one.split(digits), other.split(digits)];
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const [left = '', right = ''] = [a[index], b[index]];
    if (left === right) continue;
    const numeric = index % 2 === 1 && Number(left) !== Number(right);
    return numeric ? Number(left) - Number(right) : left < right ? -1 : 1;
  }
  return 0;
}
