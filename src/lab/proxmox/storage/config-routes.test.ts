import { describe, expect, test } from 'vitest';
import { aDatacenter } from '../../../../test/proxmox-datacenter.ts';

type Row = Readonly<Record<string, unknown>>;
const sorted = (row: Row): Row => ({ ...row, content: String(row['content']).split(',').toSorted().join() });
const digest = expect.stringMatching(/^[0-9a-f]{40}$/) as unknown;

describe('definitions', () => {
  test('are as an installer leaves them', async () => {
    using lab = aDatacenter();
    expect(((await lab.ask('GET /storage')) as Row[]).map(sorted)).toEqual([
      { storage: 'local', type: 'dir', path: '/var/lib/vz', content: 'backup,import,iso,snippets,vztmpl', digest },
      { storage: 'local-lvm', type: 'lvmthin', thinpool: 'data', vgname: 'pve', content: 'images,rootdir', digest },
    ]);
    expect(await lab.refused('GET /storage/{storage}', { storage: 'no' })).toBe("storage 'no' does not exist");
    expect(await lab.ask('GET /storage', {}, { may: () => false })).toEqual([]);
  });

  test('come, change and go', async () => {
    using lab = aDatacenter();
    const nfs = { storage: 'net', type: 'nfs', server: '192.0.2.7', export: '/srv' };
    expect(await lab.ask('POST /storage', { ...nfs, content: 'images,iso' })).toEqual({ storage: 'net', type: 'nfs' });
    expect(sorted((await lab.ask('GET /storage/{storage}', nfs)) as Row)).toEqual({
      ...nfs,
      path: '/mnt/pve/net',
      content: 'images,iso',
      shared: 1,
      digest,
    });
    await lab.ask('PUT /storage/{storage}', { storage: 'net', nodes: 'pve1', disable: 1 });
    expect(await lab.ask('GET /storage/{storage}', nfs)).toMatchObject({ nodes: 'pve1', disable: 1 });
    await lab.ask('PUT /storage/{storage}', { storage: 'net', delete: 'nodes,disable' });
    expect(await lab.ask('GET /storage/{storage}', nfs)).not.toHaveProperty('disable');
    await lab.ask('DELETE /storage/{storage}', { storage: 'net' });
    expect(await lab.ask('GET /storage', { type: 'nfs' })).toEqual([]);
  });

  test.each([
    [
      'POST /storage',
      { storage: 'local', type: 'dir', path: '/x' },
      "create storage failed: storage ID 'local' already defined",
    ],
    ['POST /storage', { storage: 'new', type: 'dir' }, "missing value for required option 'path'"],
    ['POST /storage', { storage: 'new', type: 'dir', path: '/x', vgname: 'y' }, "unexpected property 'vgname'"],
    [
      'POST /storage',
      { storage: 'new', type: 'dir', path: '/x', content: 'none,iso' },
      "unable to combine 'none' with other content types",
    ],
    [
      'PUT /storage/{storage}',
      { storage: 'local', path: '/y' },
      "update storage failed: can't change value of fixed parameter 'path'",
    ],
    ['PUT /storage/{storage}', { storage: 'no' }, "update storage failed: storage 'no' does not exist"],
    [
      'PUT /storage/{storage}',
      { storage: 'local', delete: 'path' },
      "update storage failed: unable to delete required option 'path'",
    ],
    [
      'PUT /storage/{storage}',
      { storage: 'local', delete: 'nosuch' },
      "update storage failed: no such option 'nosuch'",
    ],
    [
      'PUT /storage/{storage}',
      { storage: 'local', disable: 1, delete: 'disable' },
      "update storage failed: cannot set and delete property 'disable' at the same time!",
    ],
    [
      'PUT /storage/{storage}',
      { storage: 'local', disable: 1, digest: '0'.repeat(40) },
      'update storage failed: detected modified configuration - file changed by other user? Try again.',
    ],
    ['DELETE /storage/{storage}', { storage: 'no' }, "delete storage failed: storage 'no' does not exist"],
  ])('%s %j is refused', async (call, params, words) => {
    using lab = aDatacenter();
    expect(await lab.refused(call, params)).toBe(words);
  });

  test('what lay on a storage is there again when its definition is', async () => {
    using lab = aDatacenter();
    await lab.task('POST /nodes/{node}/qemu', { node: 'pve1', vmid: 101, scsi0: 'local-lvm:1' });
    const definition = { storage: 'local-lvm', type: 'lvmthin', vgname: 'pve', thinpool: 'data' };
    await lab.ask('DELETE /storage/{storage}', definition);
    await lab.ask('POST /storage', definition);
    expect(await lab.ask('GET /nodes/{node}/storage/{storage}/content', { ...definition, node: 'pve1' })).toHaveLength(
      1,
    );
  });
});

describe('as a host sees them', () => {
  const path = 'GET /nodes/{node}/storage';

  test('with their room', async () => {
    using lab = aDatacenter();
    lab.datacenter.storages.fill('local', 25);
    const GiB = 1024 ** 3;
    const [local] = (await lab.ask(path, { node: 'pve1', storage: 'local' })) as [Row];
    const status = { type: 'dir', shared: 0, enabled: 1, active: 1, total: 100 * GiB, used: 75 * GiB, avail: 25 * GiB };
    expect(sorted(local)).toEqual({
      storage: 'local',
      content: 'backup,import,iso,snippets,vztmpl',
      used_fraction: 0.75,
      ...status,
    });
    expect(await lab.ask(`${path}/{storage}/status`, { node: 'pve1', storage: 'local' })).toMatchObject(status);
    for (const call of [path, `${path}/{storage}/status`])
      expect(await lab.refused(call, { node: 'pve1', storage: 'no' })).toBe('storage: No such storage.');
  });

  test('by content, by format, and by what another host sees too', async () => {
    using lab = aDatacenter({
      hosts: 2,
      storages: [
        { id: 'own', content: ['images', 'iso'] },
        { id: 'net', type: 'nfs', content: ['images'] },
        { id: 'far', content: ['images'], hosts: ['pve2'] },
      ],
    });
    const ids = async (params: Record<string, string | number>) =>
      ((await lab.ask(path, { node: 'pve1', ...params })) as Row[]).map((row) => row['storage']);
    expect(await ids({})).toEqual(['own', 'net', 'far']);
    expect(await ids({ content: 'images' })).toEqual(['own', 'net']);
    expect(await ids({ content: 'iso,vztmpl' })).toEqual(['own']);
    expect(await ids({ target: 'pve2' })).toEqual(['net']);
    const [far] = (await lab.ask(path, { node: 'pve1', storage: 'far' })) as [Row];
    expect(far).toMatchObject({ enabled: 0, active: 0, total: 0 });
    const [own] = (await lab.ask(path, { node: 'pve1', storage: 'own', format: 1 })) as [Row];
    expect(own['formats']).toEqual({ supported: ['qcow2', 'raw', 'subvol', 'vmdk'], default: 'raw' });
    expect(await lab.ask(path, { node: 'pve1' }, { may: () => false })).toEqual([]);
  });
});
