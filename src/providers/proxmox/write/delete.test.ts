import { expect, test } from 'vitest';
import { aCluster, aRequest } from '../../../../test/proxmox/cluster.ts';
import { Someone } from '../../../../test/proxmox/someone.ts';
import { told } from '../../../../test/talos/told.ts';

const signal = AbortSignal.timeout(60_000);
const blank = { image: { kind: 'iso', host: 'pve1', volume: 'none' } } as const;

test('without a quorum nothing is deleted: the disks would go and the rest stay', async () => {
  await using cluster = await aCluster();
  const machine = await cluster.provider.writer.create(aRequest(401, blank), signal);
  for (const host of ['pve2', 'pve3']) cluster.lab.setHost(host, 'dead');
  const before = cluster.lab.requests().length;
  const provider = cluster.open({ endpoints: [] });
  expect(await told(provider.writer.delete(machine, signal))).toEqual({
    code: 'proxmox-no-quorum',
    recovery: 'wait',
    message:
      'The cluster has lost its quorum, so ichor does not delete prod-cp-0: without it a host frees the disks and keeps the rest.',
  });
  expect(
    cluster.lab
      .requests()
      .slice(before)
      .map(({ method }) => method),
  ).not.toContain('DELETE');
  expect((await provider.reader.survey(signal)).readOnly).toBe('the cluster has lost its quorum');
});

test('one that somebody protected stays, and it is said how to take that off', async () => {
  await using cluster = await aCluster();
  const { writer } = cluster.provider;
  const machine = await writer.create(aRequest(401, blank), signal);
  await new Someone(cluster.lab, cluster.clock).does('PUT', '/nodes/pve1/qemu/401/config', { protection: 1 });
  expect(await told(writer.delete(machine, signal))).toEqual({
    code: 'proxmox-protected',
    recovery: 'ask',
    message: 'Proxmox refused to delete VM 401 on pve1: somebody has protected the VM against removal.',
  });
  expect(cluster.lab.vms().length).toBe(1);
});

test('a deletion that was killed is done again', async () => {
  await using cluster = await aCluster();
  const { writer } = cluster.provider;
  const machine = await writer.create(aRequest(401, blank), signal);
  cluster.lab.fail({ kind: 'kill-task', match: 'DELETE /nodes/*/qemu/*', times: 1 });
  await writer.delete(machine, signal);
  expect(cluster.lab.vms()).toEqual([]);
});

test('whoever takes the VMID in the moment that it is free keeps his machine', async () => {
  await using cluster = await aCluster();
  const machine = await cluster.provider.writer.create(aRequest(401, blank), signal);
  const someone = new Someone(cluster.lab, cluster.clock);
  const before = cluster.lab.requests().length;
  // The answer comes late, and by then somebody else is there.
  cluster.lab.fail({ kind: 'delay', match: 'GET /cluster/nextid', delayMs: 60_000, times: 1 });
  const deleted = cluster.provider.writer.delete(machine, signal);
  await expect.poll(() => cluster.lab.vms().length === 0 && cluster.lab.requests().length > before).toBe(true);
  await someone.does('POST', '/nodes/pve1/qemu', { vmid: 401, name: 'web', memory: 512 });
  await deleted;
  expect(cluster.lab.vms().map(({ config }) => config['name'])).toEqual(['web']);
});

test('a machine whose host is not in the cluster any more is looked for elsewhere', async () => {
  await using cluster = await aCluster();
  const { writer } = cluster.provider;
  const machine = await writer.create(aRequest(401, blank), signal);
  await writer.delete({ ...machine, host: 'pve9' }, signal);
  expect(cluster.lab.vms()).toEqual([]);
});
