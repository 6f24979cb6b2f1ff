import type { Lab } from './lab.ts';
import type { KubernetesFault } from './kubernetes/twin.ts';
import { seededRandom } from './proxmox/random.ts';
import type { ProxmoxFault } from './proxmox/twin.ts';
import { stormOn } from './storm.ts';
import type { TwinFault } from './talos/twin.ts';

/** Something that goes wrong in a lab because somebody said so; plain data, so that it can be told from outside. */
export type LabFault =
  | { readonly kind: 'host'; readonly host: string; readonly state: 'up' | 'dead' | 'frozen' | 'cut off' }
  | { readonly kind: 'api'; readonly fault: Omit<ProxmoxFault, 'chance'> }
  | { readonly kind: 'fill'; readonly datastore: string; readonly freeGiB: number; readonly host?: string }
  | { readonly kind: 'node'; readonly node: string; readonly how: NodeFault }
  | { readonly kind: 'kubernetes'; readonly how: 'up' | 'down' | 'slow' | 'drop-watches' }
  /** Every answer of every API takes so much longer, by the lab’s clock. */
  | { readonly kind: 'far'; readonly byMs: number }
  | { readonly kind: 'storm'; readonly share: number; readonly seed: number }
  | { readonly kind: 'read-only'; readonly on: boolean };

export type NodeFault = 'no-agent' | 'no-address' | 'hang' | 'silent' | 'dead' | 'well';

/** A fault that has been set up, and how often it has struck; undefined: nobody counts. */
export type ActiveFault = { readonly fault: LabFault; readonly struck: number | undefined };

/** Somebody named what is not there. */
export class NotInLab extends Error {
  readonly what: 'host' | 'datastore' | 'node';
  readonly written: string;
  readonly there: readonly string[];

  constructor(what: NotInLab['what'], written: string, there: readonly string[]) {
    super(`There is no ${what} "${written}" in this lab.`);
    this.what = what;
    this.written = written;
    this.there = there;
  }
}

type Entry = { readonly fault: LabFault; struck: number; readonly counts: boolean; readonly most: number };

/** Everything that was told to go wrong, and how to end it. */
export class FaultBoard {
  readonly #lab: Lab;
  #entries: Entry[] = [];

  constructor(lab: Lab) {
    this.#lab = lab;
  }

  active(): readonly ActiveFault[] {
    return this.#entries
      .filter(({ struck, most }) => struck < most)
      .map(({ fault, struck, counts }) => ({ fault, struck: counts ? struck : undefined }));
  }

  add(fault: LabFault): void {
    switch (fault.kind) {
      case 'host':
        return this.#host(fault);
      case 'api':
        return this.#api(fault);
      case 'fill':
        return this.#fill(fault);
      case 'node':
        return this.#node(fault);
      case 'kubernetes':
        return this.#kubernetes(fault);
      case 'far':
        return this.#far(fault);
      case 'storm':
        this.#keep(fault, Infinity, (entry) =>
          stormOn(this.#lab, fault.share, seededRandom(fault.seed), () => (entry.struck += 1)),
        );
        return;
      case 'read-only':
        return this.#readOnly(fault);
    }
  }

  heal(): void {
    const { proxmox, guests } = this.#lab;
    for (const { fault } of this.#entries) {
      if (fault.kind === 'host') proxmox.setHost(fault.host, 'up');
      if (fault.kind === 'fill') proxmox.fill(fault.datastore, Infinity, fault.host);
    }
    this.#entries = [];
    proxmox.heal();
    guests.healAll();
    this.#lab.healClusters();
  }

  #keep(fault: LabFault, most: number, arm: (entry: Entry) => void, counts = true): void {
    const entry = { fault, struck: 0, counts, most };
    arm(entry);
    this.#entries.push(entry);
  }

  #drop(isMeant: (fault: LabFault) => boolean): void {
    this.#entries = this.#entries.filter(({ fault }) => !isMeant(fault));
  }

  #host(fault: Extract<LabFault, { kind: 'host' }>): void {
    const { proxmox } = this.#lab;
    mustBeThere('host', fault.host, [...proxmox.endpoints.keys()]);
    this.#drop((other) => other.kind === 'host' && other.host === fault.host);
    proxmox.setHost(fault.host, fault.state);
    if (fault.state !== 'up') this.#keep(fault, Infinity, () => undefined, false);
  }

  #api(given: Extract<LabFault, { kind: 'api' }>): void {
    const { fault } = given;
    const random = seededRandom(1);
    this.#keep(given, fault.times ?? Infinity, (entry) =>
      this.#lab.proxmox.fail({ ...fault, ...counted(entry, fault.share ?? 1, random) }),
    );
  }

  #fill(fault: Extract<LabFault, { kind: 'fill' }>): void {
    const { proxmox } = this.#lab;
    mustBeThere('datastore', fault.datastore, proxmox.storages());
    if (fault.host !== undefined) mustBeThere('host', fault.host, [...proxmox.endpoints.keys()]);
    proxmox.fill(fault.datastore, fault.freeGiB, fault.host);
    this.#drop((other) => other.kind === 'fill' && other.datastore === fault.datastore && other.host === fault.host);
    this.#keep(fault, Infinity, () => undefined, false);
  }

  #node(given: Extract<LabFault, { kind: 'node' }>): void {
    const { guests } = this.#lab;
    const { node, how } = given;
    const vm = this.#vmOf(node);
    const name = vm?.name ?? node;
    if (how === 'no-agent' || how === 'no-address') {
      guests.handicap(name, how);
      return this.#keep({ ...given, node: name }, Infinity, () => undefined, false);
    }
    if (how === 'well') guests.handicap(name, undefined);
    if (vm === undefined) {
      if (how !== 'well') throw new NotInLab('node', node, this.#nodes());
      return this.#drop((other) => other.kind === 'node' && other.node === name);
    }
    if (how === 'dead') return guests.kill(vm.vmid);
    if (how === 'well') {
      if (vm.talos) guests.heal(vm.vmid);
      return this.#drop((other) => other.kind === 'node' && other.node === name);
    }
    if (!vm.talos) throw new NotInLab('node', node, this.#nodes());
    const kind: TwinFault['kind'] = how === 'hang' ? 'hang' : 'refuse-connection';
    this.#keep({ ...given, node: name }, Infinity, (entry) =>
      guests.fail(vm.vmid, { kind, ...counted(entry, 1, () => 0) }),
    );
  }

  #kubernetes(given: Extract<LabFault, { kind: 'kubernetes' }>): void {
    this.#drop((other) => other.kind === 'kubernetes');
    if (given.how === 'up') return;
    if (given.how === 'drop-watches') {
      for (const { twin } of this.#lab.clusters) twin.fail({ kind: 'drop-watch' });
      return;
    }
    const fault = kubernetesFaults[given.how];
    this.#keep(given, Infinity, (entry) =>
      this.#lab.failClusters({ ...fault, share: 0.5, chance: () => this.#strikes(entry) }),
    );
  }

  /** Healing one kind of fault would heal all: such a fault ends by no longer being on the board. */
  #strikes(entry: Entry): number {
    if (!this.#entries.includes(entry)) return 1;
    entry.struck += 1;
    return 0;
  }

  #far(given: Extract<LabFault, { kind: 'far' }>): void {
    this.#drop((other) => other.kind === 'far');
    if (given.byMs === 0) return;
    this.#keep(given, Infinity, (entry) => {
      const fault = { kind: 'delay', delayMs: given.byMs, share: 0.5, chance: () => this.#strikes(entry) } as const;
      this.#lab.guests.failAll(fault);
      this.#lab.proxmox.fail(fault);
      this.#lab.failClusters(fault);
    });
  }

  #readOnly({ on }: Extract<LabFault, { kind: 'read-only' }>): void {
    const isOn = this.#entries.some(({ fault }) => fault.kind === 'read-only');
    if (!on) return this.#drop((fault) => fault.kind === 'read-only');
    if (isOn) return;
    this.#keep({ kind: 'read-only', on: true }, Infinity, (entry) => {
      const fault = { kind: 'read-only', share: 0.5, chance: () => this.#strikes(entry) } as const;
      this.#lab.guests.failAll(fault);
      this.#lab.proxmox.fail(fault);
      this.#lab.failClusters({ ...fault, chance: () => (this.#entries.includes(entry) ? 0 : 1) });
    });
  }

  #nodes(): readonly string[] {
    return this.#lab.proxmox.vms().map(({ vmid, config }) => config['name'] ?? String(vmid));
  }

  /** By the name of the VM, by what its Talos calls itself, or by its number. */
  #vmOf(node: string): { readonly vmid: number; readonly name: string; readonly talos: boolean } | undefined {
    const inside = new Map(this.#lab.guests.running().map((guest) => [guest.vmid, guest]));
    return this.#lab.proxmox
      .vms()
      .map(({ vmid, config }) => ({
        vmid,
        name: config['name'] ?? String(vmid),
        talos: inside.get(vmid)?.talos !== undefined,
      }))
      .find(({ vmid, name }) => name === node || String(vmid) === node || inside.get(vmid)?.talos?.hostname === node);
  }
}

const kubernetesFaults: Readonly<Record<'down' | 'slow', Pick<KubernetesFault, 'kind' | 'code' | 'delayMs'>>> = {
  down: { kind: 'refuse', code: 503 },
  slow: { kind: 'delay', delayMs: 2000 },
};

/** A share whose strikes are counted. */
const counted = (entry: Entry, share: number, random: () => number): { share: number; chance: () => number } => ({
  share,
  chance: () => {
    const drawn = random();
    if (drawn < share) entry.struck += 1;
    return drawn;
  },
});

function mustBeThere(what: NotInLab['what'], written: string, there: readonly string[]): void {
  if (!there.includes(written)) throw new NotInLab(what, written, there);
}
