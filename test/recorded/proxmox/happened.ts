import type { ProxmoxFault } from '../../../src/lab/proxmox/twin.ts';

/** Something that happened before a row, and that nobody wrote down. */
export type Unrecorded = {
  /** Number of the row. */
  readonly before: number;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Below /api2/json. */
  readonly path: string;
  readonly form?: Readonly<Record<string, string | number>>;
  /** A task of the recording that this request started. */
  readonly task?: string;
  /** Absent: root with a ticket. */
  readonly auth?: string;
  /** Nothing goes on before the task has ended that it starts. */
  readonly waits?: true;
};

/** Time that passed. */
export type Pause = {
  readonly before: number;
  readonly seconds: number;
  /** It matters what else happened meanwhile. */
  readonly unhurried?: true;
};

/** What somebody did to the machine itself. */
export type Mishap = { readonly before: number; readonly fault: ProxmoxFault };
