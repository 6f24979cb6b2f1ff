import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDatacenter } from '../../../../../test/proxmox-datacenter.ts';
import type { DoorlessDatacenter } from '../../../../../test/proxmox-datacenter.ts';
import { puppets } from '../../../../../test/proxmox-guest.ts';
import type { PuppetGuest } from '../../../../../test/proxmox-guest.ts';
import { hostOf, node, passing, vmid } from '../../../../../test/proxmox-vm.ts';
import { orderOf } from '../config/boot-order.ts';

type Params = Readonly<Record<string, string | number>>;

type Rig = DoorlessDatacenter & { readonly started: readonly PuppetGuest[] };

/** A VM with a disk, a medium and a card; it runs where that is asked for. */
async function aVm(more: Params = {}, runs = false): Promise<Rig> {
  const { guests, started } = puppets();
  const lab = aDatacenter({
    guests,
    storages: [
      { id: 'local', type: 'dir', content: ['iso', 'snippets'], totalGiB: 100 },
      { id: 'disks', type: 'dir', content: ['images'], totalGiB: 100 },
    ],
  });
  const { storages, hosts } = lab.datacenter;
  for (const name of ['iso/one.iso', 'iso/two.iso'])
    for (const host of hosts.values())
      storages.put(host, storages.definition('local'), {
        name,
        bytes: 1024,
        fileBytes: 1024,
        written: { head: undefined, fileName: name, state: new Map() },
      });
  const machine = {
    scsi0: 'disks:1',
    ide2: 'local:iso/one.iso,media=cdrom',
    net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
  };
  await lab.task('POST /nodes/{node}/qemu', { node, vmid, boot: 'order=scsi0;ide2', ...machine, ...more });
  if (runs) await lab.task('POST /nodes/{node}/qemu/{vmid}/status/start', { node, vmid });
  return Object.assign(lab, { started });
}

const put = (lab: DoorlessDatacenter, params: Params): Promise<string> =>
  passing(lab, lab.refused('PUT /nodes/{node}/qemu/{vmid}/config', { node, vmid, ...params }));

const config = async (lab: DoorlessDatacenter, params: Params = {}): Promise<Record<string, unknown>> =>
  (await lab.ask('GET /nodes/{node}/qemu/{vmid}/config', { node, vmid, ...params })) as Record<string, unknown>;

type Row = { readonly key: string; readonly value?: unknown; readonly pending?: unknown; readonly delete?: number };

/** Only rows that wait for something. */
const waiting = async (lab: DoorlessDatacenter): Promise<Row[]> =>
  ((await lab.ask('GET /nodes/{node}/qemu/{vmid}/pending', { node, vmid })) as Row[]).filter(
    (row) => row.pending !== undefined || row.delete !== undefined,
  );

describe('of a VM that is off', () => {
  test.each<[Params, string]>([
    [{}, 'no options specified'],
    [{ delete: 'nosuch' }, "delete: unknown option 'nosuch'"],
    [{ delete: 'name', name: 'x' }, "delete: you can't use '-name' and -delete name' at the same time"],
    [{ revert: 'name', name: 'x' }, "delete: you can't use '-name' and -revert name' at the same time"],
    [{ boot: 'order=scsi9' }, "invalid bootorder: device 'scsi9' does not exist'"],
    [{ digest: '0'.repeat(40), name: 'x' }, 'checksum mismatch (file change by other user?)'],
    [{ skiplock: 1, name: 'x' }, 'skiplock: Only root may use this option.'],
    [{ lock: 'backup' }, "only root can set 'lock' config"],
    [{ delete: 'vmgenid' }, "only root can set 'vmgenid' config"],
    [{ balloon: 1024, memory: 512 }, 'balloon value too large (must be smaller than assigned memory)'],
    [{ ide2: 'local:iso/two.iso' }, "ide2: explicit 'media=cdrom' is required for iso images"],
    [{ sshkeys: 'nonsense' }, 'SSH public key validation error'],
  ])('%o is refused: %s', async (params, words) => {
    using lab = await aVm();
    const before = await config(lab);
    expect(await put(lab, params)).toBe(words);
    expect(await config(lab)).toEqual(before);
  });

  test('a digest changes with the content, and not with writing', async () => {
    using lab = await aVm();
    const { digest } = await config(lab);
    await put(lab, { name: 'a', digest: String(digest) });
    const { digest: changed } = await config(lab);
    await put(lab, { name: 'a' });
    expect([(await config(lab))['digest'] === changed, changed === digest]).toEqual([true, false]);
  });

  test('a medium that comes can be booted from, a disk is not meant to be, and what goes leaves the order', async () => {
    using lab = await aVm();
    await put(lab, { ide3: 'none,media=cdrom', scsi1: 'disks:1' });
    expect((await config(lab))['boot']).toBe('order=scsi0;ide2;ide3');
    await put(lab, { delete: 'ide2,scsi0' });
    const { boot, unused0, scsi0, ide2 } = await config(lab);
    expect([boot, unused0, scsi0, ide2]).toEqual(['order=ide3', 'disks:100/vm-100-disk-0.raw', undefined, undefined]);
    await put(lab, { delete: 'unused0' });
    expect(lab.datacenter.storages.ofVm(hostOf(lab), vmid)).toHaveLength(1);
  });

  test('a disk that comes back is not unused any more', async () => {
    using lab = await aVm();
    await put(lab, { delete: 'scsi0' });
    await put(lab, { scsi5: 'disks:100/vm-100-disk-0.raw' });
    const { unused0, scsi5 } = await config(lab);
    expect([unused0, scsi5]).toEqual([undefined, 'disks:100/vm-100-disk-0.raw,size=1G']);
  });

  test('a card without an address gets another one', async () => {
    using lab = await aVm();
    await put(lab, { net0: 'virtio,bridge=vmbr0' });
    expect((await config(lab))['net0']).not.toBe('virtio=BC:24:11:00:00:01,bridge=vmbr0');
  });

  test('what was written before something failed stays written', async () => {
    using lab = await aVm();
    expect(await put(lab, { ide0: 'disks:cloudinit', cicustom: 'user=local:snippets/none.yaml' })).toBe(
      "volume 'local:snippets/none.yaml' does not exist",
    );
    const { ide0, cicustom } = await config(lab);
    expect([ide0, cicustom]).toEqual(['disks:100/vm-100-cloudinit.qcow2,media=cdrom', 'user=local:snippets/none.yaml']);
  });

  test('without a quorum the file cannot be written', async () => {
    using lab = await aVm();
    hostOf(lab).state = 'cut off';
    expect(await put(lab, { name: 'x' })).toMatch(
      /^unable to open file '\/etc\/pve\/nodes\/pve1\/qemu-server\/100\.conf\.tmp\.\d+' - Permission denied$/,
    );
  });

  test('a worker says what it does, and a client may wait for it', async () => {
    using lab = await aVm();
    const post = 'POST /nodes/{node}/qemu/{vmid}/config';
    const task = await lab.task(post, { node, vmid, description: 'd', cipassword: 'secret' });
    expect(task.log).toEqual(['update VM 100: -cipassword <hidden> -description d', 'TASK OK']);
    expect(await passing(lab, lab.ask(post, { node, vmid, description: 'e', background_delay: 5 }))).toBeNull();
    expect(await passing(lab, lab.refused(post, { node, vmid, boot: 'order=scsi9', background_delay: 5 }))).toBe(
      "failed to update VM 100: invalid bootorder: device 'scsi9' does not exist'",
    );
  });
});

describe('of a VM that runs', () => {
  test('some keys are in force at once, others wait for a cold start', async () => {
    using lab = await aVm({ agent: 'enabled=1', memory: 128 }, true);
    await put(lab, { memory: 256, cores: 2, description: 'live', tags: 'b;a', agent: '0' });
    expect(await waiting(lab)).toEqual([
      { key: 'agent', value: 'enabled=1', pending: '0' },
      { key: 'memory', value: '128', pending: '256' },
      { key: 'cores', pending: 2 },
    ]);
    expect([(await config(lab))['memory'], (await config(lab, { current: 1 }))['memory']]).toEqual(['256', '128']);
    await put(lab, { revert: 'memory,cores' });
    expect(await waiting(lab)).toEqual([{ key: 'agent', value: 'enabled=1', pending: '0' }]);
    await put(lab, { delete: 'agent' });
    expect(await waiting(lab)).toEqual([{ key: 'agent', value: 'enabled=1', delete: 1 }]);
  });

  test('disks and cards are plugged in, and the guest sees them', async () => {
    using lab = await aVm({}, true);
    await put(lab, { scsi1: 'disks:1,serial=data', net1: 'virtio,bridge=vmbr0' });
    expect(await waiting(lab)).toEqual([]);
    expect(lab.started[0]?.drives.map(({ slot, serial }) => [slot, serial])).toEqual([
      ['scsi0', undefined],
      ['ide2', undefined],
      ['scsi1', 'data'],
    ]);
    await put(lab, { delete: 'scsi1,net1' });
    const { unused0, net1 } = await config(lab);
    expect([unused0, net1]).toEqual(['disks:100/vm-100-disk-1.raw', undefined]);
  });

  test('media are changed at once; a drive comes and goes with the next cold start', async () => {
    using lab = await aVm({}, true);
    await put(lab, { ide2: 'local:iso/two.iso,media=cdrom' });
    expect(lab.started[0]?.drives[1]?.volume?.name).toBe('iso/two.iso');
    await put(lab, { ide2: 'none,media=cdrom' });
    expect(lab.started[0]?.drives[1]?.volume).toBeUndefined();
    await put(lab, { ide3: 'local:iso/one.iso,media=cdrom' });
    expect(await waiting(lab)).toEqual([
      { key: 'boot', value: 'order=scsi0;ide2', pending: 'order=scsi0;ide2;ide3' },
      { key: 'ide3', pending: 'local:iso/one.iso,media=cdrom,size=1K' },
    ]);
    // The order that is in force is what a drive is taken out of; what waited in the other one is lost.
    await put(lab, { delete: 'ide2' });
    expect(await waiting(lab)).toEqual([
      { key: 'boot', value: 'order=scsi0;ide2', pending: 'order=scsi0' },
      { key: 'ide2', value: 'none,media=cdrom', delete: 1 },
      { key: 'ide3', pending: 'local:iso/one.iso,media=cdrom,size=1K' },
    ]);
    expect((await config(lab))['ide2']).toBeUndefined();
    expect(await put(lab, { ide2: 'local:iso/gone.iso,media=cdrom' })).toBe(
      "volume 'local:iso/gone.iso' does not exist",
    );
  });

  test('what is refused waits all the same', async () => {
    using lab = await aVm({}, true);
    expect(await put(lab, { net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr7' })).toBe(
      'net0: hotplug problem - interface vmbr7 does not exist\n',
    );
    expect(await put(lab, { delete: 'scsi0' })).toBe("scsi0: hotplug problem - can't unplug bootdisk 'scsi0'\n");
    expect(await waiting(lab)).toEqual([
      { key: 'boot', value: 'order=scsi0;ide2', pending: 'order=ide2' },
      {
        key: 'net0',
        value: 'virtio=BC:24:11:00:00:01,bridge=vmbr0',
        pending: 'virtio=BC:24:11:00:00:01,bridge=vmbr7',
      },
      { key: 'scsi0', value: 'disks:100/vm-100-disk-0.raw,size=1G', delete: 1 },
    ]);
    await put(lab, { revert: 'net0,scsi0,boot' });
    expect(await waiting(lab)).toEqual([]);
  });

  test('a cold start brings what waits', async () => {
    using lab = await aVm({ memory: 128 }, true);
    await put(lab, { memory: 256, ide3: 'none,media=cdrom' });
    await lab.task('POST /nodes/{node}/qemu/{vmid}/status/stop', { node, vmid });
    const { memory, boot } = await config(lab, { current: 1 });
    expect([await waiting(lab), memory, boot]).toEqual([[], '256', 'order=scsi0;ide2;ide3']);
  });

  test('a drive of the host that is not there warns, and later tasks of that worker show it', async () => {
    using lab = await aVm({}, true);
    hostOf(lab).daemonWarnings.splice(0, 3, 0);
    expect(await put(lab, { ide2: 'cdrom,media=cdrom' })).toBe(
      "ide2: hotplug problem - adding blockdev 'drive-ide2' failed : VM 100 qmp command 'blockdev-add' failed - The 'host_cdrom' block driver requires a file name\n\n",
    );
    const stopped = await lab.task('POST /nodes/{node}/qemu/{vmid}/status/stop', { node, vmid });
    expect([stopped.exit, stopped.log]).toEqual(['WARNINGS: 1', ['TASK WARNINGS: 1']]);
  });
});

test('whoever may not is refused, key by key', async () => {
  using lab = await aVm();
  const rights = new Set(['VM.Config.Options']);
  const may = (_path: string, wanted: readonly string[]): boolean => wanted.every((each) => rights.has(each));
  const refused = (params: Params) =>
    passing(lab, lab.refused('PUT /nodes/{node}/qemu/{vmid}/config', { node, vmid, ...params }, { may }));
  expect(await refused({ name: 'x' })).toBe('no refusal');
  expect(await refused({ cores: 2 })).toBe('Permission check failed (/vms/100, VM.Config.CPU)');
  expect(await refused({ ide2: 'none,media=cdrom' })).toBe('Permission check failed (/vms/100, VM.Config.CDROM)');
  expect(await refused({ delete: 'scsi0' })).toBe('Permission check failed (/vms/100, VM.Config.Disk)');
  rights.add('VM.Config.Network');
  expect(await refused({ net0: 'virtio,bridge=vmbr1' })).toBe(
    'Permission check failed (/sdn/zones/localnetwork/vmbr1, SDN.Use)',
  );
  lab.datacenter.options.set('registered-tags', 'prod');
  expect(await refused({ tags: 'prod' })).toBe("Permission check failed (/, Sys.Modify for modifying tag 'prod')");
  lab.datacenter.options.set('user-tag-access', 'user-allow=none');
  expect(await refused({ tags: 'own' })).toBe("Permission check failed (/, Sys.Modify for modifying tag 'own')");
});

test('whatever is done to a VM that is off, its boot order names only devices that are there', async () => {
  const slot = fc.constantFrom('scsi0', 'scsi1', 'ide2', 'ide3', 'net0');
  const value: Readonly<Record<string, string>> = {
    scsi0: 'disks:1',
    scsi1: 'disks:1',
    ide2: 'none,media=cdrom',
    ide3: 'local:iso/one.iso,media=cdrom',
    net0: 'virtio,bridge=vmbr0',
  };
  const step = fc.record({ kind: fc.constantFrom('set', 'delete', 'order', 'start and stop'), slot });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      using lab = await aVm();
      for (const { kind, slot: device } of steps) {
        if (kind === 'set') await put(lab, { [device]: value[device] ?? '' });
        else if (kind === 'delete') await put(lab, { delete: device });
        else if (kind === 'order') await put(lab, { boot: `order=${device}` });
        else
          for (const power of ['start', 'stop'])
            await lab.task(`POST /nodes/{node}/qemu/{vmid}/status/${power}`, { node, vmid });
        const now = await config(lab, { current: 1 });
        expect(orderOf(String(now['boot'])).filter((each) => now[each] === undefined)).toEqual([]);
      }
    }),
    { numRuns: 25 },
  );
});

test('two devices that are taken from a running VM one after the other: the order forgets only the last of them', async () => {
  using lab = await aVm({}, true);
  await put(lab, { delete: 'ide2' });
  await put(lab, { delete: 'scsi0' });
  await lab.task('POST /nodes/{node}/qemu/{vmid}/status/stop', { node, vmid });
  const { boot, ide2, scsi0 } = await config(lab);
  expect([boot, ide2, scsi0]).toEqual(['order=ide2', undefined, undefined]);
});
