import { describe, expect, test } from 'vitest';
import { aDatacenter } from '../../../../test/proxmox-datacenter.ts';

describe('status', () => {
  test('one host is no cluster', async () => {
    using lab = aDatacenter();
    expect(await lab.ask('GET /cluster/status')).toEqual([
      { type: 'node', id: 'node/pve1', name: 'pve1', nodeid: 0, ip: '127.80.0.2', local: 1, online: 1, level: '' },
    ]);
    expect(await lab.ask('GET /cluster/config/nodes')).toEqual([]);
  });

  test('several are one, as long as more than half of them see each other', async () => {
    using lab = aDatacenter({ hosts: 3, clusterName: 'site' });
    lab.datacenter.setHost('pve3', 'cut off');
    const seen = async (on: string) => {
      const [cluster, ...hosts] = (await lab.ask('GET /cluster/status', {}, { on })) as Record<string, unknown>[];
      return [cluster?.['quorate'], hosts.map((host) => host['online'])];
    };
    expect(await seen('pve1')).toEqual([1, [1, 1, 0]]);
    expect(await seen('pve3')).toEqual([0, [0, 0, 1]]);
    expect(await lab.ask('GET /cluster/config/nodes')).toContainEqual({
      node: 'pve2',
      name: 'pve2',
      nodeid: '2',
      ring0_addr: '127.80.0.3',
      quorum_votes: '1',
    });
  });
});

describe('the next VMID', () => {
  test('is text, and free of VMs and containers', async () => {
    using lab = aDatacenter({ containers: [{ vmid: 101, host: 'pve1' }] });
    await lab.task('POST /nodes/{node}/qemu', { node: 'pve1', vmid: 100 });
    expect(await lab.ask('GET /cluster/nextid')).toBe('102');
    expect(await lab.ask('GET /cluster/nextid', { vmid: 12345 })).toBe('12345');
    expect(await lab.refused('GET /cluster/nextid', { vmid: 101 })).toBe('vmid: VM 101 already exists');
  });

  test('stays below the upper end of its range', async () => {
    using lab = aDatacenter();
    await lab.ask('PUT /cluster/options', { 'next-id': 'lower=7000,upper=7001' });
    expect(await lab.ask('GET /cluster/nextid')).toBe('7000');
    await lab.task('POST /nodes/{node}/qemu', { node: 'pve1', vmid: 7000 });
    expect(await lab.refused('GET /cluster/nextid')).toBe('unable to get any free VMID in range [7000, 7001]');
  });
});

describe('options', () => {
  test('are taken apart where they are lists of properties', async () => {
    using lab = aDatacenter();
    expect(await lab.ask('GET /cluster/options')).toEqual({
      mac_prefix: 'BC:24:11',
      description: '',
      'allowed-tags': [],
    });
    await lab.ask('PUT /cluster/options', {
      'registered-tags': 'Prod;admin',
      'user-tag-access': 'user-allow=list,user-allow-list=x;y',
      migration: 'secure,network=10.0.0.0/24',
      description: 'ours',
    });
    expect(await lab.ask('GET /cluster/options')).toEqual({
      mac_prefix: 'BC:24:11',
      description: 'ours',
      'registered-tags': ['admin', 'prod'],
      'user-tag-access': { 'user-allow': 'list', 'user-allow-list': ['x', 'y'] },
      migration: { type: 'secure', network: '10.0.0.0/24' },
      'allowed-tags': ['admin', 'prod', 'x', 'y'],
    });
    await lab.ask('PUT /cluster/options', { delete: 'migration,description' });
    expect(await lab.ask('GET /cluster/options')).not.toHaveProperty('migration');
  });

  test('who may not look sees the tags of what he may see', async () => {
    using lab = aDatacenter();
    for (const vmid of [100, 101])
      await lab.task('POST /nodes/{node}/qemu', { node: 'pve1', vmid, tags: `of-${vmid}` });
    const may = (path: string): boolean => path === '/vms/101';
    expect(await lab.ask('GET /cluster/options', {}, { may })).toEqual({ 'allowed-tags': ['of-101'] });
  });

  test('cannot be changed without a majority, which takes a while to learn', async () => {
    using lab = aDatacenter({ hosts: 2 });
    lab.datacenter.setHost('pve2', 'dead');
    const refused = lab.refused('PUT /cluster/options', { description: 'x' });
    const started = lab.clock.now().getTime();
    await lab.clock.advance(9000);
    await lab.clock.advance(1000);
    expect(await refused).toBe("cfs-lock 'file-datacenter_cfg' error: no quorum!");
    expect(lab.clock.now().getTime() - started).toBe(10_000);
    expect(await lab.ask('GET /cluster/options')).toMatchObject({ description: '' });
  });
});

test('versions are those of what is played', async () => {
  using lab = aDatacenter({ version: '8.4' });
  expect(await lab.ask('GET /version')).toMatchObject({ release: '8.4' });
  expect(await lab.ask('GET /nodes/{node}/version', { node: 'pve1' })).toEqual(await lab.ask('GET /version'));
});
