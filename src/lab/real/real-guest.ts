import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Board, Guest, GuestAgent, VirtualDrive, VirtualHardware } from '../proxmox/guest.ts';
import { platformData } from '../proxmox/guest/cidata.ts';
import { bootableOn } from '../proxmox/guest/contents.ts';
import type { Dhcp } from '../proxmox/guest/dhcp.ts';
import { networkOf } from '../talos/node/network.ts';
import { firstCard } from './fitting.ts';
import { addressesIn, hostnameOf, interfacesIn } from './inside.ts';
import { type NodePlace, type NodeProcess, type NodeWish, prepareNode } from './node.ts';

/** Where real guests stand. */
export type RealRack = {
  readonly place: NodePlace;
  readonly dhcp: Dhcp;
  /** The Talos that was built: the only one that there is. */
  readonly version: string;
};

/** What is in a VM at the moment. */
type Inside = {
  readonly version: string;
  readonly stage: 'booting' | 'maintenance' | 'running';
  readonly hostname: string;
};

/** On the disk of a VM on which a real Talos wrote something; what, lies in a folder of the VM. */
const mark = 'real talos';
const betweenBootsMs = 200;
const screenLines = 100;

/** A VM with a real Talos node in it: a process in namespaces of its own, with the VM’s card and address. */
export class RealGuest implements Guest {
  readonly hardware: VirtualHardware;
  readonly #board: Board;
  readonly #rack: RealRack;
  readonly #power = new AbortController();
  /** Resolves when it is off, however. */
  readonly gone: Promise<void>;
  readonly #name: string;
  #drives: readonly VirtualDrive[];
  #node: NodeProcess | undefined;
  /** The Talos API has been reached since it was switched on. */
  #up = false;
  #pid: number | undefined;
  /** Somebody pressed a button, and what happens next is because of it. */
  #pressed: 'power' | 'reset' | undefined;
  #woken: (() => void) | undefined;
  #said = '';

  constructor(hardware: VirtualHardware, board: Board, rack: RealRack) {
    this.hardware = hardware;
    this.#board = board;
    this.#rack = rack;
    this.#drives = hardware.drives;
    this.#name = `vm${hardware.vmid}`;
    this.gone = this.#live().catch((error: unknown) => {
      this.#said = String(error);
      if (!this.#power.signal.aborted) board.off();
    });
  }

  async #live(): Promise<void> {
    while (!this.#power.signal.aborted) {
      const disk = this.#systemDisk();
      if (disk === undefined) {
        await new Promise<void>((resolve) => (this.#woken = resolve));
        continue;
      }
      const how = await this.#once(disk);
      if (this.#power.signal.aborted) return;
      if (how === 'off') return this.#board.off();
      if (how === 'rebooted') this.#board.rebooted();
      await sleep(betweenBootsMs, undefined, { signal: this.#power.signal }).catch(() => undefined);
    }
  }

  /** The disk that Talos keeps its state on, where the firmware finds a Talos to start; else it is said why not. */
  #systemDisk(): VirtualDrive | undefined {
    const disk = this.#drives.find(({ kind, volume }) => kind === 'disk' && volume !== undefined);
    if (disk?.volume?.written.state.has(mark) === true) return disk;
    const versions = this.#drives.flatMap((drive) => {
      const bootable = drive.bootable ? bootableOn(drive) : undefined;
      if (bootable?.kind === 'talos medium') return [bootable.image.version];
      if (bootable?.kind !== 'talos disk') return [];
      const system = bootable.system();
      return [system.images[system.active]?.version ?? ''];
    });
    this.#said = saidOf(versions[0], this.#rack.version, disk !== undefined);
    return this.#said === '' ? disk : undefined;
  }

  async #once({ volume }: VirtualDrive): Promise<'off' | 'rebooted' | 'reset'> {
    const node = await prepareNode(this.#wish(), this.#rack.place);
    this.#node = node;
    const kept = volume?.written.state;
    // The VM that had this number before may have left something; it was not on this disk.
    if (kept?.get(mark) !== this.#name) await node.wipe();
    kept?.set(mark, this.#name);
    this.#pressed = undefined;
    if (this.#power.signal.aborted) return 'off';
    const started = node.start().then(async () => {
      this.#pid = await node.pid();
      this.#up = true;
    });
    // One that ends before it could be reached has ended all the same.
    await started.catch((error: unknown) => (this.#said = String(error)));
    const how = await node.ended();
    this.#up = false;
    await node.kill();
    if (this.#pressed === 'reset') return 'reset';
    if (how !== 'reset' || this.#pressed === 'power') return 'off';
    await node.wipe();
    return 'rebooted';
  }

  #wish(): NodeWish {
    const { nics, cloudInit, vmid } = this.hardware;
    const { network, config } = platformData(this.#drives, cloudInit);
    const mac = (nics[0]?.mac ?? '').toLowerCase();
    const { dhcp } = this.#rack;
    const links = [{ name: 'eth0', mac }];
    const found = networkOf({ links, platform: network, config: undefined, lease: (card) => dhcp.lease(card) });
    const { address = '', prefix = 24 } = found.addresses[0] ?? dhcp.lease(mac) ?? {};
    const hostname = found.hostnames.platform ?? found.hostnames.dhcp ?? `talos-${vmid}`;
    return {
      name: this.#name,
      hostname,
      plug: { address, prefix, alias: firstCard, ...(mac === '' ? {} : { mac }) },
      config,
    };
  }

  /** Undefined: no Talos runs. */
  inside(): Inside | undefined {
    if (this.#node?.isOn() !== true) return undefined;
    const configured = existsSync(join(this.#node.state, 'volumes', 'system_state', 'config.yaml'));
    return {
      version: this.#rack.version,
      stage: this.#up ? (configured ? 'running' : 'maintenance') : 'booting',
      hostname: this.#hostname(),
    };
  }

  addresses(): readonly string[] {
    return this.#node?.isOn() === true ? addressesIn(this.#name) : [];
  }

  screen(): readonly string[] {
    const file = this.#node === undefined ? '' : join(this.#node.state, 'console.log');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return [...(this.#said === '' ? [] : [this.#said]), ...text.split('\n').slice(-screenLines)];
  }

  #hostname(): string {
    return this.#pid === undefined ? '' : hostnameOf(this.#pid);
  }

  /** Talos in a container has no extensions: the agent is played, and what it says is looked up in the node. */
  agent(): GuestAgent | undefined {
    if (!this.hardware.agentChannel || !this.#up || this.#node?.isOn() !== true) return undefined;
    return {
      networkInterfaces: () => interfacesIn(this.#name),
      hostName: () => this.#hostname(),
      osInfo: () => ({ machine: 'x86_64' }),
      shutdown: () => this.pressPower(),
    };
  }

  pressPower(): void {
    if (!this.#up) return;
    this.#pressed = 'power';
    this.#node?.press();
  }

  reset(): void {
    this.#pressed = 'reset';
    void this.#node?.kill();
    this.#woken?.();
  }

  drives(now: readonly VirtualDrive[]): void {
    this.#drives = now;
  }

  async cut(): Promise<void> {
    this.#power.abort(new Error('no power'));
    this.#woken?.();
    while (this.#node?.isOn() === true) await this.#node.kill();
    await this.gone;
  }
}

/** Empty: it starts. */
function saidOf(found: string | undefined, built: string, hasDisk: boolean): string {
  if (found === undefined) return 'No bootable device.';
  if (found !== built) return `This is Talos ${found}, and the only one that was built is ${built}.`;
  return hasDisk ? '' : 'Talos finds no disk.';
}
