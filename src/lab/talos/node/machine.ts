import { createHash } from 'node:crypto';
import { Apid } from '../apid/apid.ts';
import { KubernetesPort } from '../kubernetes-port.ts';
import { Trustd } from '../trustd.ts';
import type { TwinDurations, TwinHardware, TwinOptions } from '../twin.ts';
import type { World } from '../world.ts';
import { Boot } from './boot.ts';
import { emptyDisk, otherSlot } from './disk.ts';
import type { MachineDisk } from './disk.ts';
import type { EtcdService } from './etcd-service.ts';
import { Faults } from './faults.ts';
import { hardwareOf, usualDurations } from './hardware.ts';
import { observe } from './observing.ts';
import { settingsOf } from './settings.ts';
import { startUp } from './start.ts';
import { writeImage } from './upgrading.ts';

const defaultVersion = 'v1.13.9';

/** A machine: what stands in the rack, what is on its disk, and the boot that runs on it. */
export class Machine {
  readonly options: TwinOptions;
  readonly world: World;
  readonly hardware: TwinHardware;
  readonly durations: TwinDurations;
  readonly faults = new Faults();
  readonly apid: Apid;
  readonly trustd: Trustd;
  readonly kubernetes: KubernetesPort;
  readonly nodeId: string;
  disk: MachineDisk = emptyDisk();
  boot: Boot | undefined;
  etcd: EtcdService | undefined;
  /** Set from outside for clusters that bring a CNI of their own. */
  markedReady = false;
  heldVips: readonly string[] = [];
  /** Installer and other images that somebody pulled. */
  readonly pulled = new Set<string>();
  #userData: string | undefined;
  #finish: ((how: 'reboot' | 'off') => void) | undefined;
  #life: Promise<void> = Promise.resolve();

  constructor(options: TwinOptions, world: World, durations: Partial<TwinDurations> = {}) {
    this.options = options;
    this.world = world;
    this.hardware = hardwareOf(options);
    this.durations = { ...usualDurations, ...durations, ...options.durations };
    this.apid = new Apid(this);
    this.trustd = new Trustd(this);
    this.kubernetes = new KubernetesPort(this);
    this.nodeId = createHash('sha256').update(this.hardware.uuid).digest('base64url');
    this.#userData = options.config;
    if ((options.boot ?? 'disk') === 'disk' && options.platform !== 'container') {
      this.disk.system = `/dev/${this.hardware.disks[0]?.name ?? 'sda'}`;
      this.disk.images = { A: options.version ?? defaultVersion };
    }
  }

  /** Version of what boots next: the disk’s, or the medium’s while nothing is installed. */
  nextVersion(): string {
    const { system, images, active } = this.disk;
    return (system === undefined ? undefined : images[active]) ?? this.options.version ?? defaultVersion;
  }

  takeUserData(): string | undefined {
    const data = this.#userData;
    this.#userData = undefined;
    return data;
  }

  /** Virtual addresses that this machine holds at the moment. */
  vips(): readonly string[] {
    return this.heldVips;
  }

  isOn(): boolean {
    return this.#finish !== undefined;
  }

  /** Resolves when the first boot has begun. */
  powerOn(): void {
    if (this.isOn()) return;
    this.#life = this.#live();
  }

  async #live(): Promise<void> {
    for (let power: 'reboot' | 'off' = 'reboot'; power === 'reboot';) {
      power = await this.#bootOnce();
      if (power === 'reboot') {
        const going = new Promise<'off'>((resolve) => (this.#finish = () => resolve('off')));
        const off = await Promise.race([going, this.world.clock.sleep(this.durations.reboot).then(() => undefined)]);
        if (off !== undefined) break;
      }
    }
    this.#finish = undefined;
  }

  async #bootOnce(): Promise<'reboot' | 'off'> {
    const version = this.nextVersion();
    const over = new Promise<'reboot' | 'off'>((resolve) => (this.#finish = resolve));
    if (this.disk.system !== undefined && this.disk.broken && this.disk.fallback !== undefined) {
      // A new image that does not come up is left behind by the boot loader at the next try.
      this.disk.active = this.disk.fallback;
      this.disk.fallback = undefined;
      this.disk.broken = false;
      return 'reboot';
    }
    const staged = this.disk.stagedImage;
    if (staged !== undefined) {
      this.disk.stagedImage = undefined;
      await Promise.race([over, this.world.clock.sleep(this.durations.upgrade)]);
      writeImage(this, staged);
      return 'reboot';
    }
    const boot = new Boot(this.world.clock, version);
    this.boot = boot;
    observe(this, boot);
    void startUp(this, boot).catch(() => undefined);
    const how = await over;
    this.#stopEverything(boot);
    return how;
  }

  #stopEverything(boot: Boot): void {
    this.boot = undefined;
    this.etcd?.halt();
    this.etcd = undefined;
    this.apid.stop();
    this.trustd.stop();
    this.kubernetes.stop();
    boot.end();
    this.world.stir();
  }

  /** Takes a configuration into use; what it says about the node holds from now on. */
  activate(boot: Boot, config: string): void {
    boot.config = config;
    boot.settings = settingsOf(config) ?? boot.settings;
    boot.touch();
  }

  /** The end of a boot, in an orderly way. */
  finish(boot: Boot, how: 'reboot' | 'off'): void {
    if (this.boot === boot) this.#finish?.(how);
  }

  losePower(): void {
    this.#finish?.('off');
  }

  async powerOff(): Promise<void> {
    this.losePower();
    await this.#life;
  }

  /** The image that boots next is the other one. */
  flip(): void {
    this.disk.active = otherSlot(this.disk.active);
  }
}
