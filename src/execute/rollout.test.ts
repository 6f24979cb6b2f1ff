import { expect, test } from 'vitest';
import { aRig } from '../../test/execute/rig.ts';
import { controlPlaneAddresses, membersFrom } from './etcd-members.ts';
import { openMachine } from './talos-node.ts';

const signal = AbortSignal.timeout(120_000);
const planes = ['prod-cp-0', 'prod-cp-1', 'prod-cp-2'];
const answers = ['ApplyConfiguration', 'Bootstrap', 'EtcdLeaveCluster', 'Reboot', 'Shutdown', 'Reset'];

test('three control planes whose answers are lost: joined, changed, upgraded and taken away one by one', async () => {
  await using rig = await aRig({ controlPlanes: 3, workers: 0, cluster: 'endpoint: { vip: 192.168.99.130 }' });
  const lose = (machine: string): void => {
    for (const method of answers)
      rig.lab.guests.fail(Number(rig.ref(machine).id), {
        method: `/machine.MachineService/${method}`,
        kind: 'lose-answer',
        times: 1,
      });
  };
  rig.lab.proxmox.fail({ kind: 'lose-answer', match: 'POST /nodes/*/qemu', times: 2 });
  rig.lab.proxmox.fail({ kind: 'lose-answer', match: 'POST /nodes/*/qemu/*/status/start', times: 2 });
  await rig.does('secrets.make', {});
  await rig.machinesUp(...planes);
  for (const machine of planes) lose(machine);
  await rig.up(...planes);
  expect(
    rig.lab.guests
      .running()
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(planes);
  await rig.does('cluster.await-healthy', { except: [] });
  const hostnames = async () => {
    const addresses = [...(await controlPlaneAddresses(rig.tools, signal)).values()];
    return (await membersFrom(addresses, rig.tools, signal)).map(({ hostname }) => hostname).toSorted();
  };
  expect(await hostnames()).toEqual(planes);
  expect((await rig.refuses('etcd.bootstrap', { machine: 'prod-cp-1', ref: rig.ref('prod-cp-1') })).message).toMatch(
    /^etcd was to begin on prod-cp-1, and prod-cp-0 was chosen for that on .* nothing was done\.$/,
  );

  const [last = ''] = planes.slice(-1);
  const step = { machine: last, ref: rig.ref(last) };
  const bootId = async (): Promise<string> => {
    await using opened = await openMachine(last, step.ref, rig.tools, signal);
    return await opened.node.bootId(signal);
  };
  const before = await bootId();
  await rig.does('talos.upgrade', {
    ...step,
    from: 'v1.13.9',
    to: 'v1.14.0',
    image: `factory.talos.dev/nocloud-installer/${'0'.repeat(64)}:v1.14.0`,
  });
  expect(await bootId()).not.toBe(before);
  await rig.does('cluster.await-healthy', { except: [] });

  // Talos takes it at once, and what it runs follows much later: whoever waits sees the new one, or that it never comes.
  const server = { machine: 'prod-cp-0', ref: rig.ref('prod-cp-0') };
  const verbose = (level: number) =>
    rig.anew(
      `endpoint: { vip: 192.168.99.130 }, patches: [{ cluster: { apiServer: { extraArgs: { v: "${level}" } } } }]`,
    );
  const apply = (level: number) =>
    rig.does('talos.reconfigure', { ...server, changes: [], reboot: false }, verbose(level));
  await apply(3);
  await rig.does('kubernetes.await-server', server);
  rig.lab.guests.fail(Number(server.ref.id), { kind: 'broken-pods' });
  await apply(4);
  expect(await rig.refuses('kubernetes.await-server', server)).toMatchObject({
    code: 'control-plane-not-back',
    recovery: 'wait',
    message: expect.stringMatching(
      /^The control plane on prod-cp-0 does not work with its new configuration after/,
    ) as unknown,
  });
  rig.lab.guests.heal(Number(server.ref.id));
  await apply(5);
  await rig.does('kubernetes.await-server', server);

  // Three vote, and one of them does not work: nobody else may go down.
  const sick = Number(rig.ref('prod-cp-1').id);
  const method = '/machine.MachineService/EtcdStatus';
  rig.lab.guests.fail(sick, { method, kind: 'error', error: { code: 14, message: 'etcd is down' } });
  const standing = await bootId();
  for (const refused of [
    rig.refuses('talos.shutdown', step),
    rig.refuses('talos.upgrade', {
      ...step,
      from: 'v1.14.0',
      to: 'v1.14.1',
      image: `factory.talos.dev/nocloud-installer/${'0'.repeat(64)}:v1.14.1`,
    }),
  ])
    expect(await refused).toMatchObject({
      code: 'no-quorum',
      recovery: 'wait',
      message: `${last} is not restarted: etcd needs prod-cp-1, which is not well.`,
    });
  expect(await bootId()).toBe(standing);
  rig.lab.guests.heal(sick);

  const address = rig.tools.found.addresses.get(last) ?? '';
  lose(last);
  await rig.does('etcd.leave', { machine: last, address, hostname: last });
  await rig.does('etcd.leave', { machine: last, address, hostname: last });
  expect(await hostnames()).toEqual(planes.slice(0, 2));
  await rig.does('machine.delete', step);

  // One of two is gone for good: nobody may leave, and nobody who works may be removed.
  const dead = { machine: 'prod-cp-1', ref: rig.ref('prod-cp-1') };
  const members = await membersFrom([rig.tools.found.addresses.get(planes[0] ?? '') ?? ''], rig.tools, signal);
  const member = members.find(({ hostname }) => hostname === 'prod-cp-1')?.id ?? '';
  expect((await rig.refuses('etcd.remove', { member, hostname: 'prod-cp-1' })).message).toBe(
    `etcd’s member ${member} (prod-cp-1) is at work, and no machine that is gone; it stays.`,
  );
  expect((await rig.refuses('etcd.remove', { member, hostname: 'prod-cp-7' })).code).toBe('etcd-other-member');
  await rig.does('machine.stop', dead);
  const first = { machine: 'prod-cp-0', address: rig.tools.found.addresses.get('prod-cp-0') ?? '' };
  expect((await rig.refuses('etcd.leave', { ...first, hostname: 'prod-cp-0' })).code).toMatch(
    /^etcd-(would-lose-quorum|silent)$/,
  );
});
