import { expect, test } from 'vitest';
import { aCluster, aRequest, type Cluster } from '../../../../test/proxmox/cluster.ts';
import { Guests } from '../../../../test/proxmox/guests.ts';
import { Someone } from '../../../../test/proxmox/someone.ts';
import { told } from '../../../../test/talos/told.ts';
import type { MachineRef } from '../../provider.ts';

const signal = AbortSignal.timeout(60_000);
const blank = { image: { kind: 'iso', host: 'pve1', volume: 'none' } } as const;

const started = async ({ provider: { writer } }: Cluster): Promise<MachineRef> => {
  const machine = await writer.create(aRequest(401, blank), signal);
  await writer.setPower(machine, 'on', signal);
  return machine;
};
const isOn = ({ lab }: Cluster): boolean | undefined => lab.vms()[0]?.running;

test('power is cut although somebody waits for an orderly shutdown', async () => {
  await using cluster = await aCluster();
  const machine = await started(cluster);
  const someone = new Someone(cluster.lab, cluster.clock);
  const shutdown = someone
    .does('POST', '/nodes/pve1/qemu/401/status/shutdown', { timeout: 3600 })
    .catch(() => 'overruled');
  await expect.poll(() => cluster.lab.requests().at(-1)?.path).toContain('/tasks/');
  await cluster.provider.writer.setPower(machine, 'off', signal);
  expect(isOn(cluster)).toBe(false);
  await shutdown;
});

test('a lock that somebody holds for 35 seconds is waited for', async () => {
  await using cluster = await aCluster();
  const machine = await started(cluster);
  cluster.lab.fail({ kind: 'lock', match: 'POST /nodes/*/qemu/*/status/stop', times: 1, delayMs: 35_000 });
  await cluster.provider.writer.setPower(machine, 'off', signal);
  expect(isOn(cluster)).toBe(false);
});

test('one that stays is told, with who is busy', async () => {
  await using cluster = await aCluster({ speed: 2000 });
  const machine = await started(cluster);
  cluster.lab.fail({
    kind: 'refuse',
    match: 'POST /nodes/*/qemu/*/status/stop',
    status: 500,
    reason: 'VM is locked (backup)',
  });
  expect(await told(cluster.provider.writer.setPower(machine, 'off', signal))).toEqual({
    code: 'proxmox-locked',
    recovery: 'wait',
    message: 'Proxmox refused to stop VM 401 on pve1: the VM is locked, because somebody is busy with it (backup).',
  });
});

test('what the HA manager takes care of is started and stopped by it, and waited for', async () => {
  await using cluster = await aCluster({ speed: 40 });
  const machine = await started(cluster);
  await cluster.provider.writer.keepApart('planes', [machine], signal);
  for (const power of ['off', 'on', 'off'] as const) {
    await cluster.provider.writer.setPower(machine, power, signal);
    expect(isOn(cluster)).toBe(power === 'on');
  }
  await cluster.provider.writer.setPower(machine, 'on', signal);
  await cluster.provider.writer.delete(machine, signal);
  expect(cluster.lab.vms()).toEqual([]);
});

test('a machine that was moved is found where it is now', async () => {
  await using cluster = await aCluster({
    storages: [
      { id: 'local', content: ['iso', 'import'] },
      { id: 'local-lvm', type: 'rbd', content: ['images'], shared: true },
    ],
  });
  const { writer, reader } = cluster.provider;
  const machine = await writer.create(aRequest(401, blank), signal);
  const someone = new Someone(cluster.lab, cluster.clock);
  await someone.does('POST', '/nodes/pve1/qemu/401/migrate', { target: 'pve3' });
  await writer.setPower(machine, 'on', signal);
  expect(isOn(cluster)).toBe(true);
  const seen = await reader.machines('prod', signal);
  expect(seen.map((each) => (each.kind === 'known' ? each.value.host : each.because))).toEqual(['pve3']);
  await writer.delete(machine, signal);
  expect(cluster.lab.vms()).toEqual([]);
});

test('one that is off is not reset', async () => {
  await using cluster = await aCluster();
  const machine = await cluster.provider.writer.create(aRequest(401, blank), signal);
  expect((await told(cluster.provider.writer.reset(machine, signal))).code).toBe('proxmox-not-running');
});

test('a reset is not pressed twice because nobody could follow its task', async () => {
  const guests = new Guests();
  await using cluster = await aCluster({ guests: guests.factory });
  const machine = await started(cluster);
  cluster.lab.fail({
    kind: 'refuse',
    match: 'GET /nodes/*/tasks/*/status',
    status: 595,
    reason: 'No route',
    times: 16,
  });
  await cluster.provider.writer.reset(machine, signal);
  expect(guests.resets(401)).toBe(1);
});
