/** A machine before anything runs on it. */
export type TwinHardware = {
  readonly uuid: string;
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly disks: readonly TwinDisk[];
  readonly links: readonly { readonly name: string; readonly mac: string }[];
};

export type TwinDisk = {
  readonly name: string;
  readonly sizeBytes: bigint;
  readonly model: string;
  readonly serial: string;
  /** Absent: what the name says. */
  readonly transport?: string;
  /** Other names of the device below /dev/disk, which a configuration may use as well. */
  readonly symlinks?: readonly string[];
  readonly cdrom?: boolean;
};

export type TwinPlatform = 'metal' | 'nocloud' | 'openstack' | 'container';

/** What a Talos image carries, on a disk or on a medium. */
export type SystemImage = {
  readonly version: string;
  readonly platform: TwinPlatform;
  readonly schematic?: string;
  /** `siderolabs/qemu-guest-agent` */
  readonly extensions: readonly string[];
};

export type TwinOptions = {
  /** Its own loopback address; ports are the real ones (50000, 50001, 6443). */
  readonly address: string;
  /** Name that its DHCP server gives; absent: none. */
  readonly dhcpHostname?: string;
  readonly version?: string;
  readonly platform?: TwinPlatform;
  /** A disk image is installed from the start; an ISO installs on apply and reboots. */
  readonly boot?: 'disk' | 'iso';
  readonly hardware?: Partial<TwinHardware>;
  /** Configuration handed over at the first boot, as user data; absent: maintenance mode. */
  readonly config?: string;
  readonly durations?: Partial<TwinDurations>;
};

/** How long things take, in milliseconds of the lab’s clock. */
export type TwinDurations = {
  readonly boot: number;
  readonly install: number;
  readonly reboot: number;
  /** Until the pods of a node have moved elsewhere, and how long is waited for it where the API does not answer. */
  readonly drain: number;
  readonly drainTimeout: number;
  /** Until the pods of a node that goes down have ended; it still answers meanwhile. */
  readonly podsEnd: number;
  readonly shutdown: number;
  readonly reset: number;
  readonly etcdStart: number;
  readonly etcdHealthy: number;
  readonly learner: number;
  readonly kubelet: number;
  readonly controlPlane: number;
  /** Until the kubelet hears of static pods that are to be others. */
  readonly staticPods: number;
  readonly nodeReady: number;
  readonly imagePull: number;
  readonly upgrade: number;
};

/** What goes wrong, where and how often. */
export type TwinFault = {
  /** Full gRPC path, or a prefix of one; absent: every call. */
  readonly method?: string;
  readonly kind:
    | 'refuse-connection'
    | 'hang'
    | 'lose-answer'
    | 'error'
    | 'die-mid-install'
    | 'delay'
    /** No registry has an image whose name contains `image`. */
    | 'missing-image'
    /** An image whose name contains `image` installs, and does not boot. */
    | 'broken-image'
    /** A static pod that is replaced does not become ready. */
    | 'broken-pods'
    /** The installer ends with exit code 1. */
    | 'failing-installer'
    /** Whatever would change the node is refused. */
    | 'read-only';
  readonly image?: string;
  readonly times?: number;
  /** Share of calls, 0 to 1; absent: all of them. */
  readonly share?: number;
  /** Decides about the share. */
  readonly chance?: () => number;
  readonly delayMs?: number;
  readonly error?: { readonly code: number; readonly message: string };
};

export interface TalosTwin {
  readonly address: string;
  readonly hardware: TwinHardware;
  /** `off`, or where the machine is in its life. */
  readonly stage: () => string;
  readonly fingerprint: () => string | undefined;
  /** The active configuration; undefined in maintenance mode. */
  readonly config: () => string | undefined;
  readonly version: () => string;
  powerOn(): Promise<void>;
  /** Cuts the power. */
  powerOff(): Promise<void>;
  fail(fault: TwinFault): void;
  heal(): void;
}

/** Several twins that see each other: trustd, etcd peers, the VIP. */
export interface TalosLab extends AsyncDisposable {
  add(options: TwinOptions): Promise<TalosTwin>;
  readonly twins: ReadonlyMap<string, TalosTwin>;
}
