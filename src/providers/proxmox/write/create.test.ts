import { describe, expect, test } from 'vitest';
import { aCluster, aRequest } from '../../../../test/proxmox/cluster.ts';
import { Someone } from '../../../../test/proxmox/someone.ts';
import { told } from '../../../../test/talos/told.ts';

const signal = AbortSignal.timeout(60_000);
const blank = { image: { kind: 'iso', host: 'pve1', volume: 'none' } } as const;

describe('a creation that was killed', () => {
  test('and left a locked VM behind is told with what removes it, and nothing is touched', async () => {
    await using cluster = await aCluster();
    cluster.lab.fail({ kind: 'kill-task', match: 'POST /nodes/*/qemu', times: 1 });
    expect(await told(cluster.provider.writer.create(aRequest(401, blank), signal))).toEqual({
      code: 'proxmox-left-behind',
      recovery: 'ask',
      message:
        'VMID 401 on pve1, which prod-cp-0 is to have, is locked by a creation that is not ours, or that nobody works on any more.',
    });
    expect(cluster.lab.vms().map(({ config }) => config)).toEqual([{ lock: 'create' }]);
    // Its VMID is still the one of who was to have it: nobody is made beside it.
    const { inventory } = await cluster.provider.reader.survey(signal);
    expect(inventory.hosts[0]?.residents.map(({ vmid }) => vmid)).toEqual([undefined]);
  });
});

describe('a creation that fails', () => {
  test('says so with the words of its task, and leaves nothing', async () => {
    await using cluster = await aCluster();
    const request = aRequest(401, { image: { kind: 'iso', host: 'pve1', volume: 'local:iso/nosuch.iso' } });
    const { code, message } = await told(cluster.provider.writer.create(request, signal));
    expect([code, message.split('\n')[0]]).toEqual([
      'proxmox-no-volume',
      "Proxmox refused to create VM 401 on pve1: unable to create VM 401 - volume 'local:iso/nosuch.iso' does not exist",
    ]);
    expect(cluster.lab.vms()).toEqual([]);
  });

  test('takes the medium with the first configuration away again', async () => {
    await using cluster = await aCluster();
    const request = aRequest(401, {
      image: { kind: 'iso', host: 'pve1', volume: 'local:iso/nosuch.iso' },
      firstConfig: 'machine: {}',
    });
    expect((await told(cluster.provider.writer.create(request, signal))).code).toBe('proxmox-no-volume');
    const someone = new Someone(cluster.lab, cluster.clock);
    expect(await someone.does('GET', '/nodes/pve1/storage/local/content')).toEqual([]);
  });

  test('with warnings is none', async () => {
    await using cluster = await aCluster();
    cluster.lab.fail({ kind: 'warn-task', match: 'POST /nodes/*/qemu', times: 1 });
    await cluster.provider.writer.create(aRequest(401, blank), signal);
    expect(cluster.lab.vms().length).toBe(1);
  });
});

test('tags that somebody took off come back when the machine is asked for again', async () => {
  await using cluster = await aCluster();
  const { writer, reader } = cluster.provider;
  await writer.create(aRequest(401, blank), signal);
  const someone = new Someone(cluster.lab, cluster.clock);
  await someone.does('PUT', '/nodes/pve1/qemu/401/config', { tags: 'mine' });
  const tagsSeen = async (): Promise<readonly unknown[]> =>
    (await reader.machines('prod', signal)).map((seen) => seen.kind === 'known' && seen.value.settings['tags']);
  expect(await tagsSeen()).toEqual(['mine']);
  const machine = { mark: aRequest(401).mark, id: '401', host: 'pve1' };
  expect(await told(writer.setPower(machine, 'off', signal))).toEqual({
    code: 'proxmox-untagged',
    recovery: 'ask',
    message: 'VM 401 on pve1 says that it is prod-cp-0, and somebody took its tags off; nothing was done to it.',
  });
  await writer.create(aRequest(401, blank), signal);
  expect(await tagsSeen()).toEqual(['control-plane;ichor;ichor-prod']);
});

test('a machine without a VMID is not made', async () => {
  await using cluster = await aCluster();
  expect((await told(cluster.provider.writer.create(aRequest(401, { id: undefined }), signal))).code).toBe(
    'proxmox-no-vmid',
  );
});

test('a second creation of a machine with a first configuration brings no second medium', async () => {
  await using cluster = await aCluster();
  const { writer } = cluster.provider;
  const request = aRequest(401, { ...blank, firstConfig: 'machine: {}' });
  const machine = await writer.create(request, signal);
  const iso = cluster.lab.vms()[0]?.config['ide0'];
  expect(iso).toMatch(/^local:iso\/ichor-prod-prod-cp-0-[0-9a-f]{12}\.iso,media=cdrom/);
  await writer.setPower(machine, 'on', signal);
  await writer.ejectMedia(machine, signal);
  await writer.create(request, signal);
  const someone = new Someone(cluster.lab, cluster.clock);
  expect(await someone.does('GET', '/nodes/pve1/storage/local/content')).toEqual([]);
});
