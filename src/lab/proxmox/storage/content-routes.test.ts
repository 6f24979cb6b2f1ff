import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDatacenter, type DoorlessDatacenter } from '../../../../test/proxmox-datacenter.ts';
import type { StorageOptions } from '../twin.ts';
import { nothingWritten } from './new-volume.ts';

const content = '/nodes/{node}/storage/{storage}/content';
const files: StorageOptions = { id: 'local', content: ['iso', 'import', 'vztmpl', 'backup', 'snippets', 'images'] };
const local = { node: 'pve1', storage: 'local' };

function put(lab: DoorlessDatacenter, name: string, fileBytes: number, bytes = Math.ceil(fileBytes / 512) * 512) {
  const { storages } = lab.datacenter;
  return storages.put({ name: 'pve1' }, storages.definition('local'), {
    name,
    bytes,
    fileBytes,
    written: nothingWritten(),
  });
}

type Row = Readonly<Record<string, unknown>>;
const listed = async (lab: DoorlessDatacenter, params: Record<string, string | number> = {}) =>
  (await lab.ask(`GET ${content}`, { ...local, ...params })) as Row[];

describe('lists', () => {
  test('show files as they lie there, and disks as guests see them', async () => {
    using lab = aDatacenter({ storages: [files] });
    put(lab, 'iso/talos.iso', 300_000);
    put(lab, 'import/talos.qcow2', 196_616, 67_108_864);
    put(lab, 'snippets/user.yaml', 10);
    put(lab, 'vztmpl/debian.tar.zst', 10);
    put(lab, 'backup/vzdump-qemu-101-2026.vma.zst', 10);
    await lab.task('POST /nodes/{node}/qemu', { node: 'pve1', vmid: 101, scsi0: 'local:1' });
    const ctime = 1_794_744_000;
    expect(await listed(lab)).toEqual([
      {
        volid: 'local:101/vm-101-disk-0.raw',
        content: 'images',
        format: 'raw',
        vmid: 101,
        size: 1024 ** 3,
        used: 4096,
        parent: null,
        ctime: expect.any(Number) as unknown,
      },
      {
        volid: 'local:backup/vzdump-qemu-101-2026.vma.zst',
        content: 'backup',
        format: 'vma.zst',
        size: 10,
        vmid: 101,
        subtype: 'qemu',
        ctime,
      },
      { volid: 'local:import/talos.qcow2', content: 'import', format: 'qcow2', size: 196_616, ctime },
      { volid: 'local:iso/talos.iso', content: 'iso', format: 'iso', size: 300_000, ctime },
      { volid: 'local:snippets/user.yaml', content: 'snippets', format: 'snippet', size: 10, ctime },
      { volid: 'local:vztmpl/debian.tar.zst', content: 'vztmpl', format: 'tzst', size: 10, ctime },
    ]);
  });

  test('can be asked for one content, or for what may be of a VM', async () => {
    using lab = aDatacenter({ storages: [files] });
    put(lab, 'iso/talos.iso', 1);
    put(lab, 'import/talos.qcow2', 1);
    await lab.task('POST /nodes/{node}/qemu', { node: 'pve1', vmid: 101, scsi0: 'local:1' });
    const ids = async (params: Record<string, string | number>) =>
      (await listed(lab, params)).map((row) => String(row['volid']).slice('local:'.length));
    expect(await ids({ content: 'iso' })).toEqual(['iso/talos.iso']);
    expect(await ids({ content: 'rootdir' })).toEqual([]);
    expect(await ids({ vmid: 101 })).toEqual(['101/vm-101-disk-0.raw', 'import/talos.qcow2']);
    expect(await ids({ vmid: 102, content: 'images' })).toEqual([]);
  });

  test('leave out what whoever asks may not see', async () => {
    using lab = aDatacenter({ storages: [files] });
    put(lab, 'iso/talos.iso', 1);
    for (const vmid of [101, 102]) await lab.task('POST /nodes/{node}/qemu', { node: 'pve1', vmid, scsi0: 'local:1' });
    const may = (path: string, [privilege]: readonly string[]): boolean =>
      (path === '/storage/local' && privilege === 'Datastore.Audit') || path === '/vms/102';
    const seen = (await lab.ask(`GET ${content}`, local, { may })) as Row[];
    expect(seen.map((row) => row['volid'])).toEqual(['local:102/vm-102-disk-0.raw']);
  });

  test('have no folders on devices', async () => {
    using lab = aDatacenter();
    await lab.task('POST /nodes/{node}/qemu', { node: 'pve1', vmid: 101, scsi0: 'local-lvm:1' });
    expect(await lab.ask(`GET ${content}`, { node: 'pve1', storage: 'local-lvm' })).toEqual([
      {
        volid: 'local-lvm:vm-101-disk-0',
        content: 'images',
        format: 'raw',
        vmid: 101,
        size: 1024 ** 3,
        ctime: expect.any(Number) as unknown,
      },
    ]);
  });
});

describe('one volume', () => {
  test('is what is in the file, in whole sectors and blocks', async () => {
    using lab = aDatacenter({ storages: [files] });
    put(lab, 'iso/talos.iso', 300_000);
    put(lab, 'import/talos.qcow2', 196_616, 67_108_864);
    const one = (volume: string) => lab.ask(`GET ${content}/{volume}`, { ...local, volume });
    const iso = { path: '/var/lib/vz/template/iso/talos.iso', size: 300_032, used: 303_104, format: 'raw' };
    expect(await Promise.all([one('local:iso/talos.iso'), one('iso/talos.iso')])).toEqual([iso, iso]);
    expect(await one('import/talos.qcow2')).toEqual({
      path: '/var/lib/vz/import/talos.qcow2',
      size: 67108864,
      used: 200704,
      format: 'qcow2',
    });
  });

  test.each([
    ['iso/no.iso', "volume_size_info on 'local:iso/no.iso' failed - no format"],
    ['bogus', "unable to parse directory volume name 'bogus'"],
    ['other:iso/x.iso', 'volume: storage ID mismatch (other != local)\n'],
  ])('%s is not there', async (volume, words) => {
    using lab = aDatacenter({ storages: [files] });
    expect(await lab.refused(`GET ${content}/{volume}`, { ...local, volume })).toBe(words);
  });

  test('is for whoever may use it', async () => {
    using lab = aDatacenter({ storages: [files] });
    put(lab, 'iso/talos.iso', 1);
    const refused = (volume: string) =>
      lab.refused(`GET ${content}/{volume}`, { ...local, volume }, { may: () => false });
    expect(await refused('iso/talos.iso')).toBe(
      'Permission check failed (/storage/local, Datastore.AllocateSpace|Datastore.Audit)',
    );
    expect(await refused('101/vm-101-disk-0.raw')).toBe('Permission check failed (/storage/local, Datastore.Audit)');
    expect(await refused('snippets/x')).toBe('missing privileges to access local:snippets/x');
  });

  test('only backups have notes', async () => {
    using lab = aDatacenter({ storages: [files] });
    const change = (volume: string) => lab.refused(`PUT ${content}/{volume}`, { ...local, volume, notes: 'n' });
    expect(await change('iso/x.iso')).toBe('only backups can have notes');
    expect(await change('backup/vzdump-qemu-101-x.vma')).toBe('no refusal');
  });
});

describe('a new disk', () => {
  const disk = { vmid: 101, filename: 'vm-101-disk-7.raw', size: '1M' };

  test('has the name that was asked for, once', async () => {
    using lab = aDatacenter({ storages: [files] });
    expect(await lab.ask(`POST ${content}`, { ...local, ...disk })).toBe('local:101/vm-101-disk-7.raw');
    expect(await lab.refused(`POST ${content}`, { ...local, ...disk })).toBe(
      "disk image '/var/lib/vz/images/101/vm-101-disk-7.raw' already exists",
    );
    expect(await listed(lab)).toMatchObject([{ size: 1024 ** 2, vmid: 101 }]);
  });

  test.each([
    [{ ...disk, format: 'qcow2' }, 'format: different storage formats (qcow2 != raw)'],
    [{ ...disk, filename: 'vm-101-disk-7' }, "unable to parse volume filename 'vm-101-disk-7'"],
  ])('%j is refused', async (params, words) => {
    using lab = aDatacenter({ storages: [files] });
    expect(await lab.refused(`POST ${content}`, { ...local, ...params })).toBe(words);
  });

  test('on devices belongs to whom its name says', async () => {
    using lab = aDatacenter();
    const make = (params: Record<string, string | number>) =>
      lab.refused(`POST ${content}`, { node: 'pve1', storage: 'local-lvm', size: '1G', ...params });
    expect(await make({ vmid: 101, filename: 'vm-102-disk-0' })).toBe(
      "illegal name 'vm-102-disk-0' - should be 'vm-101-*'",
    );
    expect(await make({ vmid: 101, filename: 'vm-101-disk-0', format: 'qcow2' })).toBe("unsupported format 'qcow2'");
    expect(await make({ vmid: 101, filename: 'vm-101-disk-0' })).toBe('no refusal');
  });
});

describe('deleting', () => {
  test('is a task, also for what is not there', async () => {
    using lab = aDatacenter({ storages: [files] });
    put(lab, 'iso/talos.iso', 1);
    const remove = (volume: string) => lab.task(`DELETE ${content}/{volume}`, { ...local, volume });
    const [there, missing] = [await remove('iso/talos.iso'), await remove('iso/no.iso')];
    expect([there.type, there.id, there.exit, there.log]).toEqual([
      'imgdel',
      'local',
      'OK',
      ["Removed volume 'local:iso/talos.iso'", 'TASK OK'],
    ]);
    expect([missing.exit, missing.log]).toEqual([
      'OK',
      ["disk image '/var/lib/vz/template/iso/no.iso' does not exist", "Removed volume 'local:iso/no.iso'", 'TASK OK'],
    ]);
    expect(await listed(lab)).toEqual([]);
  });

  test('can be waited for', async () => {
    using lab = aDatacenter({ storages: [files] });
    put(lab, 'iso/talos.iso', 1);
    const waited = lab.ask(`DELETE ${content}/{volume}`, { ...local, volume: 'iso/talos.iso', delay: 5 });
    await lab.clock.advance(1000);
    expect(await waited).toBeNull();
  });

  test('is for whoever may allocate', async () => {
    using lab = aDatacenter({ storages: [files] });
    const refused = (volume: string) =>
      lab.refused(`DELETE ${content}/{volume}`, { ...local, volume }, { may: () => false });
    expect(await refused('iso/x.iso')).toBe('Permission check failed (/storage/local, Datastore.Allocate)');
    expect(await refused('backup/vzdump-qemu-101-x.vma')).toBe(
      'Permission check failed (/storage/local, Datastore.AllocateSpace)',
    );
  });
});

test('what is listed is what was put there and not deleted', async () => {
  const names = fc.constantFrom('iso/a.iso', 'iso/b.img', 'import/c.qcow2', 'import/d.raw');
  const deeds = fc.array(fc.record({ put: fc.boolean(), name: names, bytes: fc.integer({ min: 1, max: 1e9 }) }), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(deeds, async (sequence) => {
      using lab = aDatacenter({ storages: [files] });
      const expected = new Map<string, number>();
      for (const { put: puts, name, bytes } of sequence) {
        if (puts) {
          put(lab, name, bytes);
          expected.set(`local:${name}`, bytes);
        } else {
          await lab.task(`DELETE ${content}/{volume}`, { ...local, volume: name });
          expected.delete(`local:${name}`);
        }
      }
      const rows = await listed(lab);
      expect(new Map(rows.map((row) => [row['volid'], row['size']]))).toEqual(expected);
      const status = (await lab.ask('GET /nodes/{node}/storage/{storage}/status', local)) as { used: number };
      expect(status.used).toBe([...expected.values()].reduce((sum, bytes) => sum + bytes, 0));
    }),
    { numRuns: 40 },
  );
});
