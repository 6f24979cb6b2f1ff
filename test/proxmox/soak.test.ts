import { expect, test } from 'vitest';
import type { ProxmoxFault, SeenVm } from '../../src/lab/proxmox/twin.ts';
import { Problem } from '../../src/model/problem.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { diceOf } from '../dice.ts';
import { sweep } from '../sweep.ts';
import { aCluster, aRequest } from './cluster.ts';
import { Someone } from './someone.ts';

/** One in ten requests goes wrong: its answer or itself is lost, a host cannot be reached, or holds its locks. */
const storm: readonly ProxmoxFault[] = [
  { kind: 'lose-answer', share: 0.025 },
  { kind: 'lose-request', share: 0.025 },
  { kind: 'refuse', share: 0.015, status: 595, reason: 'Connection refused' },
  { kind: 'refuse-and-do', share: 0.015, status: 596, reason: 'Connection timed out' },
  { kind: 'refuse', share: 0.01, status: 500, reason: 'got no worker upid - start worker failed' },
  { kind: 'refuse-and-do', share: 0.01, status: 500, reason: 'got no worker upid - start worker failed' },
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
      if (!(error instanceof Problem) || error.recovery === 'ask' || attempt === 5) throw error;
    }
  }
}

const blankOn = (host: string) => ({ host, image: { kind: 'iso', host, volume: 'none' } }) as const;

/** Made, started and deleted again; every tenth stays, running. */
async function cycle(
  provider: Provider,
  number: number,
  vmid: number,
  host: string,
  signal: AbortSignal,
): Promise<void> {
  const { writer } = provider;
  const machine = await walked(() => writer.create(aRequest(vmid, blankOn(host)), signal));
  await walked(() => writer.setPower(machine, 'on', signal));
  if (number % 10 !== 0) await walked(() => writer.delete(machine, signal));
}

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
  let next = 0;
  const walker = async (index: number): Promise<void> => {
    for (let number = next++; number < numRuns; number = next++) {
      const provider = providers[index % perRun] ?? cluster.provider;
      // VMIDs are used again and again, except for those that stay.
      const vmid = number % 10 === 0 ? 2000 + number / 10 : 401 + index;
      await cycle(provider, number, vmid, hosts[number % hosts.length] ?? '', signal);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, index) => walker(index)));

  lab.heal();
  const isForeign = ({ config }: SeenVm): boolean => config['name'] === 'web' || config['name'] === 'stranger';
  expect(asText(lab.vms().filter(isForeign))).toEqual(foreign);
  const ours = lab.vms().filter((vm) => !isForeign(vm));
  const stay = Array.from({ length: Math.ceil(numRuns / 10) }, (_, index) => 2000 + index);
  const ids = (vmids: readonly (string | number)[]): readonly string[] => vmids.map(String).toSorted();
  expect(ids(ours.map(({ vmid }) => vmid))).toEqual(ids(stay));
  expect(ours.every(({ running }) => running)).toBe(true);
  const seen = await cluster.provider.reader.machines('prod', signal);
  expect(ids(seen.map((each) => (each.kind === 'known' ? each.value.id : each.because)))).toEqual(ids(stay));
  const asked = lab.requests().length;
  const lost = lab.requests().filter(({ status }) => status === 0 || status >= 595).length;
  process.stderr.write(
    `machines in a storm: ${numRuns} cycles, ${asked} requests, ${lost} of them lost or out of reach\n`,
  );
  expect(lost).toBeGreaterThan(0);
});
