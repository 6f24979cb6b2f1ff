import { createHash } from 'node:crypto';
import { Apid } from '../apid/apid.ts';
import type { SeenTalosCall } from '../apid/writes.ts';
import { KubernetesPort } from '../kubernetes-port.ts';
import type { Found, Surroundings } from '../surroundings.ts';
import { Trustd } from '../trustd.ts';
import type { SystemImage, TwinDurations, TwinHardware } from '../twin.ts';
import type { World } from '../world.ts';
import { Boot } from './boot.ts';
import { emptyDisk, installedDisk, otherSlot } from './disk.ts';
import type { MachineDisk } from './disk.ts';
import type { EtcdService } from './etcd-service.ts';
import { Faults } from './faults.ts';
import { Journal } from './journal.ts';
import { changePods } from './kubernetes.ts';
import { noNetwork } from './network.ts';
import type { LinkAddress, NodeNetwork } from './network.ts';
import { observe } from './observing.ts';
import { noPlatform } from './platform.ts';
import type { PlatformData } from './platform.ts';
import { settingsOf } from './settings.ts';
import { startUp } from './start.ts';
import { writeImage } from './upgrading.ts';

/**
 * It rebooted by itself, through the firmware or straight into the system on its disk; somebody pressed the button on its
 * case; or it is off.
 */
export type PowerEnd = 'reboot' | 'kexec' | 'reset' | 'off';

/** A machine: what stands in the rack, what is on its disks, and the boot that runs on it. */
export class Machine {
  readonly surroundings: Surroundings;
  readonly world: World;
  readonly durations: TwinDurations;
  readonly faults = new Faults();
  /** Hears of every call after it has ended. */
  onCall: (seen: SeenTalosCall) => void = () => undefined;
  readonly apid: Apid;
  readonly trustd: Trustd;
  readonly kubernetes: KubernetesPort;
  readonly nodeId: string;
  /** What its screen showed last. */
  readonly screen = new Journal(200);
  hardware: TwinHardware;
  disk: MachineDisk = emptyDisk();
  network: NodeNetwork = noNetwork;
  boot: Boot | undefined;
  etcd: EtcdService | undefined;
  /** What started it when it booted from no disk. */
  medium: Extract<Found, { kind: 'medium' }> | undefined;
  platform: PlatformData = noPlatform;
  heldVips: readonly string[] = [];
  /** Installer and other images that somebody pulled. */
  readonly pulled = new Set<string>();
  #finish: ((how: PowerEnd) => void) | undefined;
  #stopped: Promise<unknown> = Promise.resolve();

  constructor(surroundings: Surroundings, world: World, durations: TwinDurations, next: SystemImage) {
    this.surroundings = surroundings;
    this.world = world;
    this.durations = durations;
    this.hardware = surroundings.hardware(next);
    this.apid = new Apid(this);
    this.trustd = new Trustd(this);
    this.kubernetes = new KubernetesPort(this);
    this.nodeId = createHash('sha256').update(this.hardware.uuid).digest('base64url');
  }

  get addresses(): readonly LinkAddress[] {
    return this.network.addresses;
  }

  ownAddresses(): readonly string[] {
    return this.addresses.map(({ address }) => address);
  }

  /** The one that others know it by; empty while it has none. */
  get address(): string {
    return this.addresses[0]?.address ?? '';
  }

  /** Virtual addresses that this machine holds at the moment. */
  vips(): readonly string[] {
    return this.heldVips;
  }

  isOn(): boolean {
    return this.#finish !== undefined;
  }

  /** From what the firmware found to the end of that boot, and how it ended. */
  async run(found: Found): Promise<PowerEnd> {
    const over = new Promise<PowerEnd>((resolve) => (this.#finish = resolve));
    this.#attach(found);
    const image = this.#imageOf(found);
    const early = await this.#beforeBoot(over, found);
    const how = early ?? (await this.#bootOnce(image, over));
    this.#finish = undefined;
    return how;
  }

  /** The system is on the disk that it booted from, or else on the first that has one. */
  #attach(found: Found): void {
    this.medium = found.kind === 'medium' ? found : undefined;
    const image = this.#imageOf(found);
    this.hardware = this.surroundings.hardware(image);
    const systems = this.hardware.disks.flatMap(({ name }) => {
      const system = this.surroundings.read(name);
      return system === undefined ? [] : [{ name, system }];
    });
    const own = found.kind === 'disk' ? found : systems[0];
    this.disk = own?.system ?? this.surroundings.memory();
    this.disk.system = own === undefined || own.name === '' ? undefined : `/dev/${own.name}`;
  }

  #imageOf(found: Found): SystemImage {
    if (found.kind === 'medium') return found.image;
    const { images, active } = found.system;
    return images[active] ?? { version: 'unknown', platform: 'metal', extensions: [] };
  }

  async #beforeBoot(over: Promise<PowerEnd>, found: Found): Promise<PowerEnd | undefined> {
    if (found.kind === 'medium') return undefined;
    if (this.disk.broken && this.disk.fallback !== undefined) {
      // A new image that does not come up is left behind by the boot loader at the next try.
      this.disk.active = this.disk.fallback;
      this.disk.fallback = undefined;
      this.disk.broken = false;
      return 'reboot';
    }
    const staged = this.disk.stagedImage;
    if (staged === undefined) return undefined;
    this.disk.stagedImage = undefined;
    const cut = await Promise.race([over, this.world.clock.sleep(this.durations.upgrade).then(() => undefined)]);
    if (cut !== undefined) return cut;
    writeImage(this, staged);
    return 'reboot';
  }

  async #bootOnce(image: SystemImage, over: Promise<PowerEnd>): Promise<PowerEnd> {
    const boot = new Boot(this.world.clock, image, this.screen);
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
    this.#stopped = Promise.all([this.apid.closed(), this.trustd.stop(), this.kubernetes.stop()]);
    boot.end();
    this.world.stir();
  }

  /** Resolves when nothing of the last boot listens any more. */
  async silent(): Promise<void> {
    await this.#stopped;
  }

  /** Takes a configuration into use; what it says about the node holds from now on. */
  activate(boot: Boot, config: string): void {
    boot.config = config;
    const before = boot.settings;
    boot.settings = settingsOf(config) ?? before;
    this.reconnect(boot);
    boot.touch();
    if (before !== undefined) changePods(this, boot, before);
    if (boot.node !== 'absent') this.world.stir();
  }

  /** Asks platform, DHCP and configuration again where this machine is on the network. */
  reconnect(boot: Boot): void {
    // What a platform said last holds on as long as it is the same platform.
    const last = boot.image.platform === 'nocloud' ? this.disk.platformNetwork : undefined;
    const platform = this.platform.network ?? last;
    const before = this.ownAddresses();
    this.network = this.surroundings.network({ hardware: this.hardware, settings: boot.settings, platform });
    const now = this.ownAddresses();
    if (now.length === before.length && now.every((address, index) => address === before[index])) return;
    this.world.moved(this, before, now);
    for (const door of [this.apid, this.trustd, this.kubernetes]) void door.moved();
  }

  /** The image that an installer writes, onto a disk that holds nothing else from then on. */
  install(disk: string, reference: string | undefined, boot: Boot): void {
    const image = reference === undefined ? boot.image : this.surroundings.imageOf(reference, boot.image);
    const system = { ...installedDisk(image), meta: this.disk.meta, config: boot.config };
    this.surroundings.write(disk, system);
    this.disk = this.surroundings.read(disk) ?? system;
    this.disk.system = `/dev/${disk}`;
  }

  /** Nothing is left on the system’s disk. */
  wipe(): void {
    if (this.disk.system !== undefined) this.surroundings.write(this.disk.system.replace('/dev/', ''), undefined);
    this.disk = emptyDisk();
  }

  /** The end of a boot, in an orderly way. */
  finish(boot: Boot, how: PowerEnd): void {
    if (this.boot === boot) this.#finish?.(how);
  }

  /** Boots again. What is installed takes over without the firmware, unless the configuration keeps it from that. */
  restart(boot: Boot): void {
    const straight = this.disk.system !== undefined && boot.settings?.kexec !== false;
    this.finish(boot, straight ? 'kexec' : 'reboot');
  }

  losePower(): void {
    this.#finish?.('off');
  }

  /** The button on the case: nothing is asked, and it boots again. */
  reset(): void {
    this.#finish?.('reset');
  }

  /** The image that boots next is the other one. */
  flip(): void {
    this.disk.active = otherSlot(this.disk.active);
  }
}
