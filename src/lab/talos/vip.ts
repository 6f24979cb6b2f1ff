import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { apidPort } from './apid/apid.ts';
import { publish } from './state/publish.ts';
import { kubernetesPort } from './kubernetes-port.ts';
import type { LabNetwork } from './network.ts';
import type { Machine } from './node/machine.ts';

type Held = { readonly holder: Machine; readonly servers: readonly Server[] };

/** Virtual addresses: each is held by one control plane whose etcd has a quorum, and goes to another when that one is gone. */
export class VirtualAddresses {
  readonly #machines: () => Iterable<Machine>;
  readonly #network: LabNetwork;
  readonly #held = new Map<string, Held>();
  #moving: Promise<void> = Promise.resolve();

  constructor(machines: () => Iterable<Machine>, network: LabNetwork) {
    this.#machines = machines;
    this.#network = network;
  }

  /** Looks who holds what now; called whenever something moved. */
  refresh(): void {
    const wanted = this.#wanted();
    for (const [vip, { holder }] of this.#held) if (wanted.get(vip) !== holder) this.#release(vip);
    for (const [vip, machine] of wanted) if (!this.#held.has(vip)) this.#take(vip, machine);
  }

  #wanted(): ReadonlyMap<string, Machine> {
    const wanted = new Map<string, Machine>();
    for (const machine of this.#machines())
      for (const vip of machine.boot?.settings?.vips ?? []) {
        if (!mayHold(machine)) continue;
        const holder = this.#held.get(vip)?.holder;
        const leads = machine.etcd?.local()?.cluster.leader === machine.etcd?.local()?.member.id;
        if (machine === holder || !wanted.has(vip) || (leads && wanted.get(vip) !== holder)) wanted.set(vip, machine);
      }
    return wanted;
  }

  #take(vip: string, machine: Machine): void {
    const { boot } = machine;
    if (boot === undefined) return;
    const doors = [
      [apidPort, createServer((socket) => void machine.apid.receive(boot, socket))],
      [kubernetesPort, createServer((socket) => machine.kubernetes.receive(socket))],
    ] as const;
    this.#held.set(vip, { holder: machine, servers: doors.map(([, server]) => server) });
    machine.heldVips = [...machine.heldVips, vip];
    const link = machine.hardware.links[0]?.name ?? 'eth0';
    publish.addressStatus(boot.state, `${link}/${vip}/32`, {
      address: `${vip}/32`,
      local: vip,
      linkIndex: 2,
      linkName: link,
      family: 'inet4',
      scope: 'global',
      flags: ['permanent'],
    });
    // One address cannot be listened on twice: the next holder waits until the last one has let go.
    this.#moving = this.#moving.then(async () => {
      for (const [port, server] of doors)
        if (this.#held.get(vip)?.holder === machine)
          await this.#network.listen(server, vip, port).catch(() => undefined);
    });
  }

  #release(vip: string): void {
    const held = this.#held.get(vip);
    if (held === undefined) return;
    this.#held.delete(vip);
    const { holder, servers } = held;
    holder.heldVips = holder.heldVips.filter((each) => each !== vip);
    const link = holder.hardware.links[0]?.name ?? 'eth0';
    holder.boot?.state.destroy(publish.addressStatus.type, `${link}/${vip}/32`);
    this.#moving = this.#moving.then(async () => {
      await Promise.all(servers.filter(({ listening }) => listening).map((server) => this.#network.release(server)));
    });
  }

  isHeld(vip: string): boolean {
    return this.#held.has(vip);
  }

  async close(): Promise<void> {
    for (const vip of this.#held.keys()) this.#release(vip);
    await this.#moving;
  }
}

const mayHold = (machine: Machine): boolean => {
  const local = machine.etcd?.local();
  return machine.boot !== undefined && local !== undefined && !local.member.learner && local.cluster.hasQuorum();
};
