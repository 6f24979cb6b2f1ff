import type { AddressRule, MachineRef } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { path } from '../api/form.ts';
import { Gate } from '../api/gate.ts';
import { isProblem } from '../api/problem.ts';
import { isOursToFinish } from '../mark.ts';
import { ownAddress } from './address.ts';
import { readConfig } from './config.ts';
import { staticAddressOf } from './observed.ts';

/** A guest whose agent does not answer keeps a third of its host’s API busy for 3 s: one at a time, and not often. */
const betweenMs = 3000;
const spreadMs = 2000;

/** Asks machines for their addresses, slowly enough for their hosts. */
export class Agents {
  readonly #api: ProxmoxApi;
  readonly #oneByOne = new Gate(1);
  /** When each was asked last. */
  readonly #asked = new Map<string, number>();
  /** What each was told at its making; null: to ask DHCP. */
  readonly #told = new Map<string, string | null>();

  constructor(api: ProxmoxApi) {
    this.#api = api;
  }

  async addressOf(machine: MachineRef, rule: AddressRule, signal: AbortSignal): Promise<string | undefined> {
    const told = await this.#staticAddress(machine, signal);
    if (told !== null) return told;
    return this.#oneByOne.pass(machine.host, signal, async () => {
      await this.#pause(machine, signal);
      try {
        return ownAddress(await this.#ask(machine, signal), rule);
      } finally {
        this.#asked.set(machine.mark.uuid, this.#now());
      }
    });
  }

  /** One that is made anew may be told something else. */
  forget(uuid: string): void {
    this.#told.delete(uuid);
  }

  /** Undefined: it is not there. */
  async #staticAddress({ mark, host, id }: MachineRef, signal: AbortSignal): Promise<string | null | undefined> {
    const known = this.#told.get(mark.uuid);
    if (known !== undefined) return known;
    const config = await readConfig(this.#api, host, Number(id), signal);
    if (config === undefined || !isOursToFinish(config, Number(id), mark)) return undefined;
    const address = staticAddressOf(config) ?? null;
    this.#told.set(mark.uuid, address);
    return address;
  }

  async #pause({ mark }: MachineRef, signal: AbortSignal): Promise<void> {
    const last = this.#asked.get(mark.uuid);
    if (last === undefined) return;
    const { pause, random } = this.#api.tools;
    const left = last + betweenMs + spreadMs * random() - this.#now();
    if (left > 0) await pause(left, signal);
  }

  async #ask({ host, id }: MachineRef, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.#api.get(
        {
          path: path`/nodes/${host}/qemu/${id}/agent/network-get-interfaces`,
          doing: `ask the agent of VM ${id} on ${host} for its addresses`,
          needs: { path: `/vms/${id}`, privilege: 'VM.GuestAgent.Audit' },
          once: true,
        },
        signal,
      );
    } catch (error) {
      // Off, not up yet, or without an agent: it has no address to tell.
      if (isProblem(error, 'proxmox-agent', 'proxmox-not-running', 'proxmox-slow', 'proxmox-no-vm')) return undefined;
      throw error;
    }
  }

  #now(): number {
    return this.#api.tools.clock.now().getTime();
  }
}
