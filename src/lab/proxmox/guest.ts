import type { Volume } from './storage.ts';

/** A VM at the moment that its power comes on, as what runs inside of it sees it. */
export type VirtualHardware = {
  readonly vmid: number;
  readonly name: string;
  readonly host: string;
  readonly uuid: string;
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly nics: readonly {
    readonly slot: string;
    readonly mac: string;
    readonly bridge: string;
    readonly tag: number | undefined;
  }[];
  /** Disks and media, bootable ones first and in boot order. */
  readonly drives: readonly VirtualDrive[];
  /** What the cloud-init drive that Proxmox itself writes would hold; undefined: there is none. */
  readonly cloudInit: CloudInit | undefined;
  /** The channel of the guest agent was there when the power came on. */
  readonly agentChannel: boolean;
};

export type VirtualDrive = {
  readonly slot: string;
  readonly kind: 'disk' | 'cdrom';
  /** Undefined: an empty drive. */
  readonly volume: Volume | undefined;
  readonly serial: string | undefined;
  readonly bootable: boolean;
};

export type CloudInit = { readonly userData: string; readonly networkConfig: string; readonly metaData: string };

/** What the guest can do to its VM. */
export type Board = {
  /** It has shut itself down. */
  readonly off: () => void;
  /** It starts again by itself, with the same hardware. */
  readonly rebooted: () => void;
};

/** What runs inside of a VM, from power on to power off. */
export interface Guest {
  /** Undefined: nobody answers on the agent’s channel at the moment. */
  agent(): GuestAgent | undefined;
  /** The power button: an orderly shutdown, if it listens. */
  pressPower(): void;
  /** The reset button. */
  reset(): void;
  /** A medium or disk was changed while it runs. */
  drives(now: readonly VirtualDrive[]): void;
  /** The power is gone; resolves when nothing of it listens any more. */
  cut(): Promise<void>;
}

/** What the guest agent answers; names are those of the agent’s protocol, without `guest-`. */
export interface GuestAgent {
  networkInterfaces(): readonly GuestInterface[];
  hostName(): string;
  osInfo(): Readonly<Record<string, string>>;
  /** An orderly shutdown, with everything that the guest does before it. */
  shutdown(): void;
  /** Everything else, by the command’s name; undefined: it does not know the command. */
  command?(name: string, input: Readonly<Record<string, string>>): unknown;
}

export type GuestInterface = {
  readonly name: string;
  readonly mac: string;
  readonly addresses: readonly {
    readonly address: string;
    readonly prefix: number;
    readonly family: 'ipv4' | 'ipv6';
  }[];
};

/** Boots whatever the first bootable drive holds; undefined where nothing is: the VM runs, and waits for ever. */
export type GuestFactory = (hardware: VirtualHardware, board: Board) => Guest | undefined;
