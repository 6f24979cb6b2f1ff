import type { GiB, MiB } from './size.ts';

export type Role = 'control-plane' | 'worker';

/** What a machine is made of. */
export type Shape = {
  readonly cpu: number;
  readonly memoryMiB: MiB;
  /** Space per datastore: the system disk and the data disks together. */
  readonly disks: readonly Disk[];
};

export type Disk = { readonly name: string; readonly sizeGiB: GiB; readonly datastore: string };

/** One machine of a platform, as the file asks for it. */
export type Machine = {
  readonly name: string;
  readonly role: Role;
  /** The worker pool; null for control planes. */
  readonly pool: string | null;
  /** Counts from 0 within its group; part of the name, never a position in a list. */
  readonly index: number;
  readonly hostname: string;
  readonly shape: Shape;
  /** What the file fixes for this one machine. */
  readonly fixed: Fixed;
  /** Hosts that may carry it; undefined: all. */
  readonly allowedHosts: readonly string[] | undefined;
};

export type Fixed = {
  readonly vmid?: number;
  readonly mac?: string;
  readonly uuid?: string;
  readonly address?: string;
  readonly host?: string;
};

export const diskGiB = (shape: Shape): number => shape.disks.reduce((total, disk) => total + disk.sizeGiB, 0);
