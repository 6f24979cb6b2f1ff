import type { Guest } from './guest.ts';

/** A VM: its configuration file, and what runs. */
export interface Vm extends ConfigFile {
  readonly vmid: number;
  /** Changes when it is migrated. */
  host: string;
  /** SHA-1 of the file, as it was last written. */
  digest: string;
  run: Running | undefined;
  /** /run/qemu-server/VMID.reboot: whoever cleans up after it starts it again. */
  rebootRequested: boolean;
  /** Its lock file, on the host where it is. */
  readonly lock: FileLock;
  /** What its disks held when a snapshot was taken, by snapshot and then by volume id. */
  readonly saved: Map<string, ReadonlyMap<string, ReadonlyMap<string, unknown>>>;
}

/** /etc/pve/nodes/HOST/qemu-server/VMID.conf, section by section. */
export type ConfigFile = {
  /** The file’s main section; neither `digest` nor comments are in it, but `description` is. */
  readonly config: Map<string, string>;
  /** The section [PENDING]; `delete` there is `toDelete`. */
  readonly pending: Map<string, string>;
  readonly toDelete: Map<string, 'detach' | 'destroy'>;
  /** [special:cloudinit]: what the cloud-init drive still holds where the configuration has moved on. */
  readonly cloudInitDrift: Map<string, string>;
  /** A section each, with `snaptime`, `parent`, `vmstate`, `snapstate` and `description` among its keys. */
  readonly snapshots: Map<string, Map<string, string>>;
};

export type Running = {
  readonly since: Date;
  readonly pid: number;
  /** Undefined: nothing is in it that does anything. */
  readonly guest: Guest | undefined;
  paused: boolean;
  /** The guest has shut down, and QEMU waits to be ended. */
  shutDown: boolean;
  /** What the processor started with; later changes wait for a cold start. */
  readonly started: ReadonlyMap<string, string>;
  /** The guest agent’s port was there when the power came on. */
  readonly agentChannel: boolean;
  /** Resolves when QEMU is gone, however. */
  readonly gone: Promise<void>;
  /** Ends QEMU, and with it the guest; `quit` where it is told to, and does not have to be made. */
  readonly end: (how?: 'quit') => Promise<void>;
  /** How it ended. */
  readonly ended: () => 'quit' | 'otherwise' | undefined;
};

/** Held by one operation at a time; who waits longer than it may is refused with the path of the file. */
export interface FileLock {
  readonly held: boolean;
  /** Rejects with `can't lock file '…' - got timeout`. */
  take<T>(waitMs: number, work: () => Promise<T>, holder?: LockHolder): Promise<T>;
  /** Several may share it, and nobody takes it meanwhile. */
  share<T>(waitMs: number, work: () => Promise<T>, holder?: LockHolder): Promise<T>;
}

/** Who wants a lock, as far as the lock must know. */
export type LockHolder = {
  /** It has to wait. */
  readonly waits?: () => void;
  /** It has waited, and has it now. */
  readonly got?: () => void;
  readonly signal?: AbortSignal;
  /** Its process is killed: the lock is free, and nothing of the work goes on. */
  readonly killed?: AbortSignal;
};
