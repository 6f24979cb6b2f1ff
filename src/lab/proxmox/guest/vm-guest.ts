import type { LabClock } from '../../clock.ts';
import type { SeenTalosCall } from '../../talos/apid/writes.ts';
import type { Faults } from '../../talos/node/faults.ts';
import { Journal } from '../../talos/node/journal.ts';
import { Machine } from '../../talos/node/machine.ts';
import type { PowerEnd } from '../../talos/node/machine.ts';
import type { Found, Surroundings } from '../../talos/surroundings.ts';
import type { SystemImage, TwinDurations } from '../../talos/twin.ts';
import type { World } from '../../talos/world.ts';
import type { Board, Guest, GuestAgent, VirtualDrive, VirtualHardware } from '../guest.ts';
import { bootableOn } from './contents.ts';
import type { Bootable } from './contents.ts';
import { devicesOf } from './devices.ts';
import { startLinux } from './linux.ts';
import type { Occupant } from './occupant.ts';
import { startTalos } from './talos.ts';
import { vmSurroundings } from './vm-surroundings.ts';
import type { VmPlace } from './vm-surroundings.ts';

/** Where VMs stand. */
export type Rack = VmPlace & {
  readonly world: World;
  readonly machines: Set<Machine>;
  readonly clock: LabClock;
  readonly durations: TwinDurations;
  /** What goes wrong with every Talos. */
  readonly faults: Faults;
  readonly onCall: (seen: SeenTalosCall) => void;
};

/** What the firmware took, and from which slot. */
type Started = { readonly slot: string; readonly bootable: Bootable };

/** The first drive in boot order from which something starts. */
function firmware(drives: readonly VirtualDrive[]): Started | undefined {
  for (const drive of drives) {
    const bootable = drive.bootable ? bootableOn(drive) : undefined;
    if (bootable !== undefined) return { slot: drive.slot, bootable };
  }
  return undefined;
}

/** The inside of a VM from power on to power off: a firmware that starts something, again after every reboot. */
export class VmGuest implements Guest {
  readonly hardware: VirtualHardware;
  readonly #board: Board;
  readonly #rack: Rack;
  readonly #surroundings: Surroundings;
  readonly #screen = new Journal(100);
  readonly #power = new AbortController();
  /** Resolves when it is off, however. */
  readonly gone: Promise<void>;
  #drives: readonly VirtualDrive[];
  #machine: Machine | undefined;
  #occupant: Occupant | undefined;
  /** Wakes a firmware that found nothing. */
  #woken: (() => void) | undefined;

  constructor(hardware: VirtualHardware, board: Board, rack: Rack) {
    this.hardware = hardware;
    this.#board = board;
    this.#rack = rack;
    this.#drives = hardware.drives;
    this.#surroundings = vmSurroundings(hardware, () => this.#drives, rack);
    this.gone = this.#live();
  }

  /** The Talos that runs, or ran last. */
  get machine(): Machine | undefined {
    return this.#machine;
  }

  screen(): readonly string[] {
    return [...this.#screen.tail(-1), ...(this.#machine?.screen.tail(-1) ?? [])];
  }

  async #live(): Promise<void> {
    for (let how: PowerEnd = 'reset'; !this.#power.signal.aborted;) {
      how = await this.#once(how === 'kexec' ? this.#installed() : undefined);
      this.#occupant = undefined;
      if (this.#power.signal.aborted) return;
      if (how === 'off') {
        this.#leave();
        return this.#board.off();
      }
      if (how === 'reboot') this.#board.rebooted();
      await this.#rack.clock.sleep(this.#rack.durations.reboot, this.#power.signal).catch(() => undefined);
    }
  }

  /** The disk that Talos’ kernel hands over to; undefined: it is gone. */
  #installed(): Started | undefined {
    const name = this.#machine?.disk.system?.replace('/dev/', '');
    const drive = devicesOf(this.#drives).find(({ disk }) => disk.name === name)?.drive;
    const bootable = drive && bootableOn(drive);
    return drive && bootable && { slot: drive.slot, bootable };
  }

  async #once(handedOver: Started | undefined): Promise<PowerEnd> {
    const started = handedOver ?? firmware(this.#drives);
    if (started === undefined) {
      this.#screen.write('No bootable device.');
      await new Promise<void>((resolve) => (this.#woken = resolve));
      return 'reset';
    }
    this.#occupant = this.#start(started);
    return this.#occupant.over;
  }

  #start({ slot, bootable }: Started): Occupant {
    switch (bootable.kind) {
      case 'talos disk': {
        const system = bootable.system();
        const name = devicesOf(this.#drives).find(({ drive }) => drive.slot === slot)?.disk.name ?? '';
        const image = system.images[system.active];
        return this.#talos({ kind: 'disk', name, system }, image);
      }
      case 'talos medium':
        return this.#talos({ ...bootable, kind: 'medium' }, bootable.image);
      case 'linux':
      case 'mute':
        return startLinux({ ...this.#rack, hardware: this.hardware, polite: bootable.kind === 'linux' });
    }
  }

  #talos(found: Found, image: SystemImage | undefined): Occupant {
    const { world, machines, durations } = this.#rack;
    const next = image ?? { version: '', platform: 'metal', extensions: [] };
    this.#machine ??= new Machine(this.#surroundings, world, durations, next);
    this.#machine.faults.above = this.#rack.faults;
    this.#machine.onCall = this.#rack.onCall;
    machines.add(this.#machine);
    return startTalos(this.#machine, found);
  }

  agent(): GuestAgent | undefined {
    if (this.#rack.handicaps.get(this.hardware.name)?.has('no-agent') === true) return undefined;
    return this.#occupant?.agent();
  }

  pressPower(): void {
    this.#occupant?.pressPower();
  }

  /** Its process is gone at once, as when a host runs out of memory. */
  die(): void {
    this.#occupant?.end('off');
    this.#woken?.();
  }

  reset(): void {
    this.#occupant?.end('reset');
    this.#woken?.();
  }

  drives(now: readonly VirtualDrive[]): void {
    this.#drives = now;
    this.#occupant?.drives(now);
  }

  async cut(): Promise<void> {
    this.#power.abort(new Error('no power'));
    this.#occupant?.end('off');
    this.#woken?.();
    await this.gone;
    this.#leave();
    await this.#machine?.silent();
  }

  #leave(): void {
    const { world, machines } = this.#rack;
    if (this.#machine === undefined || !machines.delete(this.#machine)) return;
    world.moved(this.#machine, this.#machine.ownAddresses(), []);
    world.stir();
  }
}
