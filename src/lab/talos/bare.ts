import type { Found, Surroundings } from './surroundings.ts';
import { emptyDisk, installedDisk, versionOfImage } from './node/disk.ts';
import type { MachineDisk } from './node/disk.ts';
import { hardwareOf } from './node/hardware.ts';
import type { Machine, PowerEnd } from './node/machine.ts';
import type { NodeNetwork } from './node/network.ts';
import type { SystemImage, TwinOptions } from './twin.ts';

const defaultVersion = 'v1.13.9';

/** A machine that stands alone: its disks are its own, and it is always at the same address. */
export type BareMachine = Surroundings & {
  readonly image: SystemImage;
  network(): NodeNetwork;
  /** What the firmware finds: the disk, or the medium while nothing is installed. */
  firmware(): Found;
};

export function bareMachine(options: TwinOptions): BareMachine {
  const { platform = 'metal', version = defaultVersion } = options;
  const image: SystemImage = { version, platform, extensions: [] };
  const hardware = hardwareOf(options);
  const systems = new Map<string, MachineDisk>();
  const memory = emptyDisk();
  let config = options.config;
  const first = hardware.disks[0]?.name;
  if ((options.boot ?? 'disk') === 'disk' && first !== undefined) systems.set(first, installedDisk(image));
  return {
    image,
    agentChannel: false,
    hardware: () => hardware,
    firmware: () => {
      const [installed] = systems;
      if (installed === undefined) return { kind: 'medium', image, haltIfInstalled: false };
      return { kind: 'disk', name: installed[0], system: installed[1] };
    },
    read: (disk) => systems.get(disk),
    write: (disk, system) => void (system === undefined ? systems.delete(disk) : systems.set(disk, system)),
    memory: () => memory,
    platform: () => {
      const handed = config;
      config = undefined;
      return { network: undefined, config: handed };
    },
    network: () => ({
      addresses: [{ link: hardware.links[0]?.name ?? 'eth0', address: options.address, prefix: 24 }],
      gateway: options.address.replace(/\d+$/, '1'),
      nameservers: ['1.1.1.1', '8.8.8.8'],
      hostnames: {
        dhcp: options.dhcpHostname,
        platform: platform === 'metal' || platform === 'container' ? undefined : options.dhcpHostname,
      },
      logical: [],
    }),
    imageOf: (reference, running) => ({ ...running, version: versionOfImage(reference) ?? running.version }),
  };
}

/** Power for a machine that stands alone: it boots again and again until somebody switches it off. */
export class PowerSupply {
  readonly #machine: Machine;
  readonly #bare: BareMachine;
  #wait: AbortController | undefined;
  #life: Promise<void> = Promise.resolve();

  constructor(machine: Machine, bare: BareMachine) {
    this.#machine = machine;
    this.#bare = bare;
  }

  isOn(): boolean {
    return this.#wait !== undefined;
  }

  on(): void {
    if (this.isOn()) return;
    const wait = new AbortController();
    this.#wait = wait;
    this.#life = this.#live(wait.signal).finally(() => (this.#wait = undefined));
  }

  async #live(off: AbortSignal): Promise<void> {
    const { world, durations } = this.#machine;
    for (let how: PowerEnd = 'reset'; how !== 'off' && !off.aborted;) {
      how = await this.#machine.run(this.#bare.firmware());
      if (how !== 'off') await world.clock.sleep(durations.reboot, off).catch(() => undefined);
    }
  }

  async off(): Promise<void> {
    this.#wait?.abort(new Error('off'));
    this.#machine.losePower();
    await this.#life;
    await this.#machine.silent();
  }
}
