import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ProxmoxFault, ProxmoxLab, SeenVm } from '../../src/lab/proxmox/twin.ts';
import { Problem } from '../../src/model/problem.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { diceOf } from '../dice.ts';
import { sweep } from '../sweep.ts';
import { aCluster, aRequest } from './cluster.ts';
import { Someone } from './someone.ts';

const locked = "can't lock file '/var/lock/qemu-server/lock-401.conf' - got timeout";

/** One answer in twenty is lost, one request in twenty ends with 500, 595 or 596, and somebody holds every tenth lock. */
const storm: readonly ProxmoxFault[] = [
  { kind: 'lose-answer', share: 0.05 },
  { kind: 'refuse', share: 0.0125, status: 595, reason: 'Connection refused' },
  { kind: 'refuse', share: 0.0075, status: 596, reason: 'Broken pipe' },
  { kind: 'refuse-and-do', share: 0.0075, status: 596, reason: 'Connection timed out' },
  { kind: 'refuse', share: 0.005, status: 500, reason: 'got no worker upid - start worker failed' },
  { kind: 'refuse-and-do', share: 0.005, status: 500, reason: 'got no worker upid - start worker failed' },
  { kind: 'refuse', share: 0.0075, status: 500, reason: locked },
  { kind: 'refuse', share: 0.005, status: 500, reason: "cfs-lock 'file-user_cfg' error: got lock request timeout" },
  { kind: 'lock', match: 'POST /nodes/*/qemu/*/status/start', share: 0.1, delayMs: 20_000 },
  { kind: 'lock', match: 'POST /nodes/*/qemu/*/status/stop', share: 0.1, delayMs: 35_000 },
  { kind: 'lock', match: 'DELETE /nodes/*/qemu/*', share: 0.1, delayMs: 12_000 },
];

const atOnce = 9;
const perRun = 3;

/** As whoever walks a plan does: what goes away by itself is done again, and what a person must do ends it. */
async function walked<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof Problem) || error.recovery === 'ask' || attempt === 8) throw error;
    }
  }
}

const blankOn = (host: string) => ({ host, image: { kind: 'iso', host, volume: 'none' } }) as const;

/** Made, started and deleted again; every tenth stays, running. False: somebody else has that VMID by now. */
async function cycle(
  provider: Provider,
  number: number,
  vmid: number,
  host: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { writer } = provider;
  try {
    const machine = await walked(() => writer.create(aRequest(vmid, blankOn(host)), signal));
    await walked(() => writer.setPower(machine, 'on', signal));
    if (number % 10 !== 0) await walked(() => writer.delete(machine, signal));
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'proxmox-foreign') return false;
    throw error;
  }
}

const takerName = 'taker';

/** Somebody who waits until one of our VMIDs is free, and takes it at once. */
class Taker {
  /** What is theirs, as it was when they had made it. */
  readonly taken = new Map<number, string>();
  readonly #lab: ProxmoxLab;
  readonly #someone: Someone;
  readonly #most: number;
  #ours = new Set<number>();

  constructor(lab: ProxmoxLab, someone: Someone, most: number) {
    this.#lab = lab;
    this.#someone = someone;
    this.#most = most;
  }

  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.taken.size < this.#most) {
      const there = this.#lab.vms();
      const freed = [...this.#ours].find((vmid) => !there.some((vm) => vm.vmid === vmid));
      this.#ours = new Set(there.flatMap(({ vmid, config }) => (isOurs(config) ? [vmid] : [])));
      if (freed !== undefined) await this.#take(freed);
      await setTimeout(1);
    }
  }

  /** Their answers are lost as well: what counts is what is there. */
  async #take(vmid: number): Promise<void> {
    const host = [...this.#lab.endpoints.keys()][vmid % 3] ?? '';
    const form = { vmid, name: takerName, memory: 512, scsi0: 'local-lvm:1' };
    await this.#someone.does('POST', `/nodes/${host}/qemu`, form).catch(() => undefined);
    const made = (): SeenVm | undefined =>
      this.#lab.vms().find((vm) => vm.vmid === vmid && vm.config['lock'] === undefined);
    for (let look = 0; look < 200 && made() === undefined; look++) await setTimeout(1);
    const vm = made();
    if (vm?.config['name'] === takerName) this.taken.set(vmid, JSON.stringify(vm));
  }
}

const isOurs = (config: SeenVm['config']): boolean => config['name']?.startsWith('prod-') === true;

const asText = (vms: readonly SeenVm[]): readonly string[] => vms.map((vm) => JSON.stringify(vm)).toSorted();

test('a thousand machines come and go in a storm: what should be there is, and nothing of others was touched', async () => {
  const { numRuns, seed } = sweep('machines in a storm', 40, 1000);
  const signal = AbortSignal.timeout(850_000);
  await using cluster = await aCluster({ speed: 2000, seed });
  const { lab, clock } = cluster;
  const hosts = [...lab.endpoints.keys()];
  const someone = new Someone(lab, clock);
  for (const [index, host] of hosts.entries()) {
    const web = { vmid: 100 + index, name: 'web', memory: 512, scsi0: 'local-lvm:1', net0: 'virtio,bridge=vmbr0' };
    await someone.does('POST', `/nodes/${host}/qemu`, web);
    // In the middle of our own.
    await someone.does('POST', `/nodes/${host}/qemu`, { ...web, vmid: 450 + index, name: 'stranger', tags: 'ichor' });
    await someone.does('POST', `/nodes/${host}/qemu/${100 + index}/status/start`);
  }
  const foreign = asText(lab.vms());
  for (const fault of storm) lab.fail(fault);

  const dice = diceOf(seed);
  const tools = { random: () => dice(1000) / 1000 };
  const providers = Array.from({ length: perRun }, () => cluster.open({}, tools));
  const taker = new Taker(lab, someone, Math.max(2, numRuns / 20));
  const over = new AbortController();
  const watching = taker.watch(over.signal);
  let next = 0;
  const lost = new Set<number>();
  const walker = async (index: number): Promise<void> => {
    // VMIDs are used again and again until somebody takes them, except for those that stay.
    let own = 401 + index;
    for (let number = next++; number < numRuns; number = next++) {
      const provider = providers[index % perRun] ?? cluster.provider;
      for (let done = false; !done;) {
        const vmid = number % 10 === 0 ? 2000 + number / 10 : own;
        done = await cycle(provider, number, vmid, hosts[number % hosts.length] ?? '', signal);
        if (done) continue;
        if (number % 10 === 0) throw new Error(`Somebody else has ${vmid}, which was never free.`);
        lost.add(vmid);
        own += atOnce;
        // Strangers were in this range before.
        while (own >= 450 && own <= 452) own += atOnce;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, index) => walker(index)));
  over.abort();
  await watching;

  lab.heal();
  const isForeign = ({ config }: SeenVm): boolean => !isOurs(config);
  expect(asText(lab.vms().filter(isForeign))).toEqual([...foreign, ...taker.taken.values()].toSorted());
  expect(taker.taken.size).toBeGreaterThan(0);
  const ours = lab.vms().filter((vm) => !isForeign(vm));
  const stay = Array.from({ length: Math.ceil(numRuns / 10) }, (_, index) => 2000 + index);
  const ids = (vmids: readonly (string | number)[]): readonly string[] => vmids.map(String).toSorted();
  expect(ids(ours.map(({ vmid }) => vmid))).toEqual(ids(stay));
  expect(ours.every(({ running }) => running)).toBe(true);
  const seen = await cluster.provider.reader.machines('prod', signal);
  expect(ids(seen.map((each) => (each.kind === 'known' ? each.value.id : each.because)))).toEqual(ids(stay));
  const asked = lab.requests().length;
  const count = (...wanted: readonly number[]) => lab.requests().filter(({ status }) => wanted.includes(status)).length;
  process.stderr.write(
    `machines in a storm: ${numRuns} cycles, ${asked} requests, ${count(0)} answers lost, ${count(500)} with 500, ${count(595, 596)} with 595 or 596; ${taker.taken.size} VMIDs taken, ${lost.size} of them met again\n`,
  );
  expect(Math.min(count(0), count(500), count(595), count(596))).toBeGreaterThan(0);
});
