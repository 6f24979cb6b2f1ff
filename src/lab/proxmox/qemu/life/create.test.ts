import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDatacenter } from '../../../../../test/proxmox-datacenter.ts';
import type { DoorlessDatacenter } from '../../../../../test/proxmox-datacenter.ts';
import { hostOf, node } from '../../../../../test/proxmox-vm.ts';
import type { DatacenterOptions } from '../../twin.ts';

const create = 'POST /nodes/{node}/qemu';
const disks: DatacenterOptions = {
  storages: [
    { id: 'local', type: 'dir', content: ['iso', 'import', 'snippets'], totalGiB: 100 },
    { id: 'disks', type: 'dir', content: ['images'], path: '/srv/disks', totalGiB: 100 },
    { id: 'thin', type: 'lvmthin', content: ['images'], totalGiB: 100 },
  ],
};

/** With a medium and two images to import. */
function aStore(options: DatacenterOptions = {}): DoorlessDatacenter {
  const lab = aDatacenter({ ...disks, ...options });
  const { storages, hosts } = lab.datacenter;
  const local = storages.definition('local');
  for (const host of hosts.values())
    for (const [name, bytes] of [
      ['iso/medium.iso', 300_000],
      ['import/small.qcow2', 64 * 1024 ** 2],
      ['import/odd.raw', 1_000_500],
    ] as const)
      storages.put(host, local, {
        name,
        bytes,
        fileBytes: bytes,
        written: { head: undefined, fileName: name, state: new Map([['from', name]]) },
      });
  return lab;
}

const configOf = (lab: DoorlessDatacenter, vmid = 100) =>
  lab.ask('GET /nodes/{node}/qemu/{vmid}/config', { node, vmid }) as Promise<Record<string, unknown>>;

describe('what is written', () => {
  test('of nothing but a VMID', async () => {
    using lab = aStore();
    const task = await lab.task(create, { node, vmid: 100 });
    expect([task.exit, task.log]).toEqual(['OK', ['TASK OK']]);
    const { digest, smbios1, vmgenid, meta, ...rest } = await configOf(lab);
    expect(rest).toEqual({ boot: ' ' });
    expect([digest, smbios1, vmgenid, meta].map(String)).toEqual([
      expect.stringMatching(/^[0-9a-f]{40}$/),
      expect.stringMatching(/^uuid=[0-9a-f-]{36}$/),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringMatching(/^creation-qemu=[\d.]+,ctime=\d+$/),
    ]);
  });

  test('of a whole machine, normalised', async () => {
    using lab = aStore();
    const task = await lab.task(create, {
      node,
      vmid: 100,
      bios: 'ovmf',
      efidisk0: 'disks:1,efitype=4m,pre-enrolled-keys=0',
      scsi0: 'disks:0.5,ssd=on,serial=root',
      scsi1: 'disks:0,import-from=local:import/small.qcow2,discard=on',
      tpmstate0: 'thin:1,version=v2.0',
      ide0: 'disks:cloudinit',
      cdrom: 'local:iso/medium.iso',
      net0: 'model=virtio,bridge=vmbr0',
      tags: 'b;A',
      description: 'text \n\n',
      agent: 'yes',
      memory: 512,
      onboot: 1,
    });
    expect(task.exit).toBe('OK');
    const { digest, meta, smbios1, vmgenid, ...rest } = await configOf(lab);
    expect({ ...rest, net0: String(rest['net0']).replace(/BC:24:11(:[0-9A-F]{2}){3}/, 'MAC') }).toEqual({
      agent: 'yes',
      bios: 'ovmf',
      boot: 'order=scsi0;ide0;net0',
      description: 'text',
      efidisk0: 'disks:100/vm-100-disk-0.raw,efitype=4m,pre-enrolled-keys=0,size=528K',
      ide0: 'disks:100/vm-100-cloudinit.qcow2,media=cdrom',
      ide2: 'local:iso/medium.iso,media=cdrom,size=293K',
      memory: '512',
      net0: 'virtio=MAC,bridge=vmbr0',
      onboot: 1,
      scsi0: 'disks:100/vm-100-disk-1.raw,serial=root,size=512M,ssd=1',
      scsi1: 'disks:100/vm-100-disk-2.qcow2,discard=on,size=64M',
      tags: 'a;b',
      tpmstate0: 'thin:vm-100-disk-0,size=4M,version=v2.0',
    });
    expect([digest, meta, smbios1, vmgenid].every((each) => typeof each === 'string')).toBe(true);
    const disk = lab.datacenter.storages.find(hostOf(lab), 'disks:100/vm-100-disk-2.qcow2');
    expect([...(disk?.written.state ?? [])]).toEqual([['from', 'import/small.qcow2']]);
  });

  test('of an image of odd length, in whole sectors', async () => {
    using lab = aStore();
    await lab.task(create, { node, vmid: 100, scsi0: 'disks:0,import-from=local:import/odd.raw' });
    expect((await configOf(lab))['scsi0']).toBe('disks:100/vm-100-disk-0.raw,size=1000960');
  });
});

describe('refusals at once', () => {
  const nobody = { may: () => false };
  test.each<[Record<string, string>, string]>([
    [
      { scsi0: 'disks:5,import-from=local:import/small.qcow2' },
      "scsi0: 'import-from' requires special syntax - use <storage ID>:0,import-from=<source>",
    ],
    [
      { scsi0: 'disks:0,import-from=local:iso/medium.iso' },
      "scsi0: local:iso/medium.iso has wrong type 'iso' - needs to be 'images' or 'import'",
    ],
    [{ ide2: 'local:iso/medium.iso' }, "ide2: explicit 'media=cdrom' is required for iso images"],
    [{ scsi0: 'nosuch:4' }, "storage 'nosuch' does not exist"],
    [{ scsi0: 'local:4' }, "storage: storage 'local' does not support vm images"],
    [{ scsi0: 'disks:4G' }, "unable to parse directory volume name '4G'"],
    [{ ide2: 'local:iso/medium.iso,media=cdrom,format=raw' }, 'ide2: unable to parse drive options'],
    [{ sshkeys: 'nonsense' }, 'SSH public key validation error'],
    [{ args: '-foo' }, "only root can set 'args' config"],
    [{ hookscript: 'local:snippets/x' }, "only root can set 'hookscript' config"],
    [{ hostpci0: '00:02.0' }, "only root can set 'hostpci0' config for non-mapped devices"],
    [{ serial0: '/dev/ttyS0' }, "only root can set 'serial0' config for real devices"],
    [{ pool: 'nosuch' }, "Permission check failed (pool 'nosuch' does not exist)"],
  ])('%o: %s', async (params, words) => {
    using lab = aStore();
    expect(await lab.refused(create, { node, vmid: 100, ...params })).toBe(words);
    expect(lab.datacenter.vms.size).toBe(0);
  });

  test.each<[Record<string, string>, readonly string[], string]>([
    [{}, [], 'Permission check failed'],
    [{ scsi0: 'disks:1' }, ['VM.Allocate'], 'Permission check failed (/storage/disks, Datastore.AllocateSpace)'],
    [
      { ide2: 'local:iso/medium.iso,media=cdrom' },
      ['VM.Allocate'],
      'Permission check failed (/storage/local, Datastore.AllocateSpace|Datastore.Audit)',
    ],
    [{ memory: '64' }, ['VM.Allocate'], 'Permission check failed (/vms/100, VM.Config.Memory)'],
    [
      { net0: 'virtio,bridge=vmbr0,tag=40' },
      ['VM.Allocate', 'VM.Config.Network'],
      'Permission check failed (/sdn/zones/localnetwork/vmbr0/40, SDN.Use)',
    ],
    [{ startup: 'order=1' }, ['VM.Allocate', 'VM.Config.Options'], 'Permission check failed (/, Sys.Modify)'],
    [{ 'ha-managed': '1' }, ['VM.Allocate'], 'Permission check failed (/, Sys.Console)'],
    [{ start: '1' }, ['VM.Allocate'], 'Permission check failed (/vms/100, VM.PowerMgmt)'],
    [
      { ipconfig0: 'ip=dhcp' },
      ['VM.Allocate'],
      'Permission check failed (/vms/100, VM.Config.Cloudinit|VM.Config.Network)',
    ],
  ])('%o with %j: %s', async (params, rights, words) => {
    using lab = aStore();
    const may = (_path: string, wanted: readonly string[]): boolean => wanted.every((each) => rights.includes(each));
    expect(await lab.refused(create, { node, vmid: 100, ...params }, { may })).toBe(words);
  });

  test('rights on the pool are enough for all but tags', async () => {
    using lab = aStore();
    lab.datacenter.pools.set('ours', { comment: undefined, vms: new Set(), storages: new Set() });
    const may = (path: string): boolean => path === '/pool/ours';
    const bare = await lab.task(create, { node, vmid: 100, pool: 'ours', memory: 64 }, { may });
    const tagged = await lab.task(create, { node, vmid: 101, pool: 'ours', tags: 'x' }, { may });
    expect([bare.exit, tagged.exit, [...(lab.datacenter.pools.get('ours')?.vms ?? [])]]).toEqual([
      'OK',
      'unable to create VM 101 - 403 Permission check failed (/vms/101, VM.Config.Options)',
      [100],
    ]);
    expect(await lab.refused(create, { node, vmid: 102, memory: 64 }, nobody)).toBe('Permission check failed');
  });

  test('without a quorum nothing is created, and a VMID is taken everywhere', async () => {
    using lab = aStore({ hosts: 3 });
    await lab.task(create, { node: 'pve2', vmid: 100 });
    expect(await lab.refused(create, { node, vmid: 100 })).toBe(
      "unable to create VM 100 - VM 100 already exists on node 'pve2'",
    );
    lab.datacenter.setHost('pve2', 'dead');
    lab.datacenter.setHost('pve3', 'dead');
    expect(await lab.refused(create, { node, vmid: 101 })).toBe('cluster not ready - no quorum?');
  });
});

describe('a creation in progress', () => {
  test('shows only its lock, and its VMID is taken', async () => {
    using lab = aStore();
    const created = lab.task(create, { node, vmid: 100, name: 'a', scsi0: 'disks:1' });
    await lab.clock.advance(0);
    expect(await configOf(lab)).toEqual({ lock: 'create', digest: 'a7e9f8c42935261b36fcd1d7d6cd8cd41648da49' });
    expect(await lab.refused('PUT /nodes/{node}/qemu/{vmid}/config', { node, vmid: 100, name: 'b' })).toBe(
      'VM is locked (create)',
    );
    const again = lab.refused(create, { node, vmid: 100 });
    const start = lab.task('POST /nodes/{node}/qemu/{vmid}/status/start', { node, vmid: 100 });
    await created;
    expect(await again).toBe("unable to create VM 100 - VM 100 already exists on node 'pve1'");
    expect((await start).log).toEqual(['trying to acquire lock...', ' OK', 'TASK OK']);
  });

  test('of four at once, one wins', async () => {
    using lab = aStore();
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((memory) =>
        lab.ask(create, { node, vmid: 100, memory: memory * 64 }).then(
          () => 'won',
          (error: unknown) => (error as Error).message,
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => "unable to create VM 100 - VM 100 already exists on node 'pve1'"),
      'won',
    ]);
  });

  test('that is killed leaves its lock and its disk', async () => {
    using lab = aStore();
    lab.datacenter.faults.add({ kind: 'kill-task' });
    const task = await lab.datacenter.faults.during({ method: 'POST', path: '/' }, () =>
      lab.task(create, { node, vmid: 100, scsi0: 'disks:0,import-from=local:import/small.qcow2' }),
    );
    lab.datacenter.faults.clear();
    expect([task.exit, Object.fromEntries(lab.datacenter.vms.get(100)?.config ?? [])]).toEqual([
      'unexpected status',
      { lock: 'create' },
    ]);
    expect(await volumes(lab)).toEqual(['disks:100/vm-100-disk-0.qcow2']);
    const destroyed = await lab.task('DELETE /nodes/{node}/qemu/{vmid}', { node, vmid: 100 });
    expect(destroyed.exit).toBe('VM is locked (create)');
  });

  test('that is aborted while an image is copied says so in the words of the tool, and leaves nothing', async () => {
    using lab = aStore();
    const copied = await lab.ask(create, { node, vmid: 100, scsi0: 'disks:0,import-from=local:import/small.qcow2' });
    await lab.clock.advance(700);
    const stopped = lab.ask('DELETE /nodes/{node}/tasks/{upid}', { node, upid: String(copied) });
    await lab.clock.advance(100);
    await stopped;
    const [task] = hostOf(lab).tasks;
    expect(task?.exit).toBe(
      "unable to create VM 100 - cannot import from 'local:import/small.qcow2' - copy failed: command '/usr/bin/qemu-img convert -p -n -f qcow2 -O qcow2 /var/lib/vz/import/small.qcow2 zeroinit:/srv/disks/images/100/vm-100-disk-0.qcow2' failed: received interrupt",
    );
    expect([await volumes(lab), lab.datacenter.vms.size]).toEqual([[], 0]);
  });
});

async function volumes(lab: DoorlessDatacenter): Promise<string[]> {
  const lists = await Promise.all(
    ['disks', 'thin'].map((storage) => lab.ask('GET /nodes/{node}/storage/{storage}/content', { node, storage })),
  );
  return (lists.flat() as { volid: string }[]).map(({ volid }) => volid).sort();
}

test.each([
  [{ ide2: 'local:iso/gone.iso,media=cdrom' }, "volume 'local:iso/gone.iso' does not exist"],
  [{ scsi0: 'disks:0,import-from=local:import/gone.raw' }, "failed to stat '/var/lib/vz/import/gone.raw'"],
  [{ scsi0: 'disks:100/vm-100-disk-9.raw' }, "volume 'disks:100/vm-100-disk-9.raw' does not exist"],
  [{ ide0: 'disks:cloudinit', ide1: 'disks:cloudinit' }, "ide0 - cloud-init drive is already attached at 'ide1'"],
])('%o fails the task, with %s', async (params, words) => {
  using lab = aStore();
  const task = await lab.task(create, { node, vmid: 100, ...params });
  expect([task.exit, task.log.at(-1)]).toEqual([
    `unable to create VM 100 - ${words}`,
    `TASK ERROR: unable to create VM 100 - ${words}`,
  ]);
});

test('a creation that fails leaves neither a volume nor a configuration, wherever it fails', async () => {
  const drive = fc.constantFrom(
    'disks:1',
    'thin:1',
    'disks:0,import-from=local:import/small.qcow2',
    'disks:0,import-from=local:import/gone.raw',
    'disks:cloudinit',
    'local:iso/gone.iso,media=cdrom',
    'thin:200',
  );
  const drives = fc.dictionary(fc.constantFrom('scsi0', 'scsi1', 'ide0', 'ide1', 'sata0'), drive);
  await fc.assert(
    fc.asyncProperty(drives, fc.nat(3000), fc.boolean(), async (given, moment, fails) => {
      using lab = aStore();
      if (fails) lab.datacenter.faults.add({ kind: 'fail-task', reason: 'told to' });
      const asked = lab.datacenter.faults.during({ method: 'POST', path: '/' }, () =>
        lab.ask(create, { node, vmid: 100, ...given }),
      );
      await asked.catch(() => undefined);
      await lab.clock.advance(moment);
      const [task] = hostOf(lab).tasks;
      task?.abort();
      await lab.clock.advance(60_000);
      if (task?.exit === 'OK') return;
      expect([await volumes(lab), lab.datacenter.vms.size]).toEqual([[], 0]);
    }),
    { numRuns: 40 },
  );
});
