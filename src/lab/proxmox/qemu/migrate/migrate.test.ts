import { expect, test } from 'vitest';
import { aVm, hostOf, node } from '../../../../../test/proxmox-vm.ts';
import type { VmRig } from '../../../../../test/proxmox-vm.ts';

const without = (log: readonly string[]): string[] =>
  log.map((line) => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d /, '').replace(/\d\d:\d\d:\d\d/, 'TIME'));

const find = (lab: VmRig, host: string, volid: string) => lab.datacenter.storages.find(hostOf(lab, host), volid);

test('a VM that is off goes with its disks, and with what is on them', async () => {
  using lab = await aVm({ scsi0: 'disks:1', scsi1: 'shared:1' }, { hosts: 2 });
  find(lab, node, 'disks:100/vm-100-disk-0.raw')?.written.state.set('installed', true);
  const log = await lab.ends('POST /migrate', { target: 'pve2' });
  expect(without(log)).toEqual([
    'OK',
    expect.stringMatching(/^starting migration of VM 100 to node 'pve2' \(.*\)$/),
    "found local disk 'disks:100/vm-100-disk-0.raw' (attached)",
    'copying local disk images',
    "volume 'disks:100/vm-100-disk-0.raw' is 'disks:100/vm-100-disk-0.raw' on the target",
    'migration finished successfully (duration TIME)',
  ]);
  expect([lab.vm().host, lab.vm().config.has('lock')]).toEqual(['pve2', false]);
  expect(find(lab, node, 'disks:100/vm-100-disk-0.raw')).toBeUndefined();
  expect(find(lab, 'pve2', 'disks:100/vm-100-disk-0.raw')?.written.state.get('installed')).toBe(true);
  expect((await lab.ends('POST /status/start', { node: 'pve2' }))[0]).toBe('OK');
});

test('a VM that runs goes on running', async () => {
  using lab = await aVm({ scsi0: 'disks:1' }, { hosts: 2, runs: true });
  expect(await lab.not('POST /migrate', { target: 'pve2' })).toBe("can't migrate running VM without --online");
  const [aborted, ...why] = await lab.ends('POST /migrate', { target: 'pve2', online: 1 });
  expect([aborted, without(why).slice(-3)]).toEqual([
    'migration aborted',
    [
      "ERROR: Problem found while scanning volumes - can't migrate VM - check log",
      'aborting phase 1 - cleanup resources',
      "ERROR: migration aborted (duration TIME): Problem found while scanning volumes - can't migrate VM - check log",
    ],
  ]);
  const { run } = lab.vm();
  expect(
    (await lab.ends('POST /migrate', { target: 'pve2', online: 1, 'with-local-disks': 1, targetstorage: 'thin' }))[0],
  ).toBe('OK');
  expect([lab.vm().host, lab.vm().run === run, lab.vm().config.get('scsi0')]).toEqual([
    'pve2',
    true,
    'thin:vm-100-disk-0,size=1G',
  ]);
  lab.started[0]?.board.off();
  await lab.clock.advance(5000);
  expect(lab.vm().run).toBeUndefined();
});

test('a medium of the host keeps a VM there', async () => {
  using lab = await aVm({}, { hosts: 2 });
  const { storages } = lab.datacenter;
  storages.put(hostOf(lab), storages.definition('local'), {
    name: 'iso/x.iso',
    bytes: 1024,
    fileBytes: 1024,
    written: { head: undefined, fileName: 'x.iso', state: new Map() },
  });
  await lab.on('PUT /config', { ide2: 'local:iso/x.iso,media=cdrom' });
  const [exit, ...log] = await lab.ends('POST /migrate', { target: 'pve2' });
  expect([exit, without(log)[2]]).toEqual([
    'migration aborted',
    "can't migrate local disk 'local:iso/x.iso': local cdrom image",
  ]);
  await lab.on('PUT /config', { ide2: 'none,media=cdrom' });
  expect((await lab.ends('POST /migrate', { target: 'pve2' }))[0]).toBe('OK');
});

test('a migration that fails in the middle changes nothing', async () => {
  using lab = await aVm({ scsi0: 'disks:8' }, { hosts: 2 });
  const before = Object.fromEntries(lab.vm().config);
  const moving = lab.ends('POST /migrate', { target: 'pve2' });
  await lab.clock.advance(1000);
  expect(lab.vm().config.get('lock')).toBe('migrate');
  hostOf(lab).tasks.at(-1)?.abort();
  expect((await moving)[0]).toBe('migration aborted');
  expect([
    Object.fromEntries(lab.vm().config),
    lab.vm().host,
    find(lab, 'pve2', 'disks:100/vm-100-disk-0.raw'),
  ]).toEqual([before, node, undefined]);
});

test('what would keep it is told before', async () => {
  using lab = await aVm({ scsi0: 'disks:1' }, { hosts: 2 });
  expect(await lab.on('GET /migrate')).toEqual({
    running: 0,
    allowed_nodes: ['pve2'],
    not_allowed_nodes: { pve2: {} },
    local_disks: [
      {
        volid: 'disks:100/vm-100-disk-0.raw',
        drivename: 'scsi0',
        size: 1024 ** 3,
        cdrom: 0,
        is_attached: 1,
        is_cloudinit: 0,
        is_tpmstate: 0,
        is_unused: 0,
        is_vmstate: 0,
        replicate: 1,
        shared: 0,
      },
    ],
    local_resources: [],
    'mapped-resources': [],
    'mapped-resource-info': {},
    'has-dbus-vmstate': 1,
  });
});

test.each<[Record<string, string | number>, string]>([
  [{ target: 'pve1' }, 'target: target is local node.'],
  [{ target: 'nosuch' }, "no such cluster node 'nosuch'"],
  [{ target: 'pve2', force: 1 }, 'force: Only root may use this option.'],
  [{ target: 'pve2', targetstorage: 'nosuch' }, "storage 'nosuch' does not exist"],
])('%o: %s', async (params, words) => {
  using lab = await aVm({}, { hosts: 2 });
  expect(await lab.not('POST /migrate', params)).toBe(words);
});
