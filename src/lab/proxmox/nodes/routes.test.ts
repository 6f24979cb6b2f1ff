import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { aDatacenter } from '../../../../test/proxmox-datacenter.ts';

type Row = Readonly<Record<string, unknown>>;
const node = { node: 'pve1' };

describe('hosts', () => {
  test('are listed with their certificates, and with their load for whoever may look', async () => {
    using lab = aDatacenter({ hosts: [{ name: 'a', cpus: 8, memoryMiB: 4096 }, { name: 'b' }] });
    await lab.clock.advance(1);
    const [first] = (await lab.ask('GET /nodes')) as [Row];
    expect(first).toEqual({
      id: 'node/a',
      node: 'a',
      type: 'node',
      status: 'online',
      level: '',
      maxcpu: 8,
      cpu: 0.02,
      maxmem: 4096 * 1024 ** 2,
      mem: expect.any(Number) as unknown,
      maxdisk: expect.any(Number) as unknown,
      disk: expect.any(Number) as unknown,
      uptime: 0,
      ssl_fingerprint: lab.datacenter.hosts.get('a')?.certificate.fingerprint,
    });
    const [bare] = (await lab.ask('GET /nodes', {}, { may: () => false })) as [Row];
    expect(Object.keys(bare).toSorted()).toEqual(['id', 'level', 'node', 'ssl_fingerprint', 'status', 'type']);
  });

  test('know their memory as it is now; 8 does not say what is available', async () => {
    using lab = aDatacenter({ hosts: [{ name: 'pve1', cpus: 4, memoryMiB: 8192 }] });
    using eight = aDatacenter({ version: '8.4' });
    const before = (await lab.ask('GET /nodes/{node}/status', node)) as { memory: Record<string, number> };
    await lab.task('POST /nodes/{node}/qemu', { ...node, vmid: 101, memory: 2048 });
    await lab.task('POST /nodes/{node}/qemu/{vmid}/status/start', { ...node, vmid: 101 });
    const { memory, cpuinfo } = (await lab.ask('GET /nodes/{node}/status', node)) as {
      memory: Record<string, number>;
      cpuinfo: Row;
    };
    expect(memory['used']).toBeGreaterThan(before.memory['used'] ?? 0);
    expect((memory['used'] ?? 0) + (memory['available'] ?? 0)).toBe(8192 * 1024 ** 2);
    expect(cpuinfo).toMatchObject({ cpus: 4, sockets: 1, family: '6' });
    expect(((await eight.ask('GET /nodes/{node}/status', node)) as { memory: Row }).memory).not.toHaveProperty(
      'available',
    );
  });

  test('go down when they are told to, and come back from a reboot', async () => {
    using lab = aDatacenter({ hosts: 3 });
    const stateOf = (name: string) => lab.datacenter.hosts.get(name)?.state;
    await lab.ask('POST /nodes/{node}/status', { node: 'pve2', command: 'shutdown' });
    await lab.ask('POST /nodes/{node}/status', { node: 'pve3', command: 'reboot' });
    await lab.clock.advance(20_000);
    expect([stateOf('pve2'), stateOf('pve3')]).toEqual(['dead', 'dead']);
    await lab.clock.advance(90_000);
    expect([stateOf('pve2'), stateOf('pve3')]).toEqual(['dead', 'up']);
  });
});

describe('networks', () => {
  const bridges = { vmbr0: { vlanAware: true }, vmbr1: {} };

  test('are a card and bridges, of which the first has the address', async () => {
    using lab = aDatacenter({ hosts: [{ name: 'pve1', bridges }] });
    const rows = (await lab.ask('GET /nodes/{node}/network', node)) as Row[];
    expect(rows.map((row) => [row['iface'], row['type'], row['bridge_vlan_aware'], row['cidr']])).toEqual([
      ['eno1', 'eth', undefined, undefined],
      ['vmbr0', 'bridge', 1, '127.80.0.2/24'],
      ['vmbr1', 'bridge', undefined, undefined],
    ]);
    const names = async (type: string) =>
      ((await lab.ask('GET /nodes/{node}/network', { ...node, type })) as Row[]).map((row) => row['iface']);
    expect([await names('any_bridge'), await names('eth'), await names('vlan')]).toEqual([
      ['vmbr0', 'vmbr1'],
      ['eno1'],
      [],
    ]);
  });

  test('bridges are for whoever may use them', async () => {
    using lab = aDatacenter({ hosts: [{ name: 'pve1', bridges }] });
    const may = (path: string): boolean => path === '/sdn/zones/localnetwork/vmbr1';
    const rows = (await lab.ask('GET /nodes/{node}/network', node, { may })) as Row[];
    expect(rows.map((row) => row['iface'])).toEqual(['eno1', 'vmbr1']);
  });

  test('one can be asked for by name', async () => {
    using lab = aDatacenter();
    expect(await lab.ask('GET /nodes/{node}/network/{iface}', { ...node, iface: 'vmbr0' })).toMatchObject({
      type: 'bridge',
    });
    expect(await lab.refused('GET /nodes/{node}/network/{iface}', { ...node, iface: 'vmbr9' })).toBe(
      'iface: interface does not exist',
    );
  });
});

test('certificates begin with that of the cluster, which vouches for the host', async () => {
  using lab = aDatacenter();
  const [authority, own] = (await lab.ask('GET /nodes/{node}/certificates/info', node)) as [Row, Row];
  expect([authority['filename'], own['filename']]).toEqual(['pve-root-ca.pem', 'pve-ssl.pem']);
  const certificate = new X509Certificate(String(own['pem']));
  expect(certificate.verify(new X509Certificate(String(authority['pem'])).publicKey)).toBe(true);
  expect(own).toMatchObject({
    fingerprint: lab.datacenter.hosts.get('pve1')?.certificate.fingerprint,
    san: expect.arrayContaining(['pve1']) as unknown,
    issuer: authority['subject'],
  });
});

test('containers are listed where they are, for whoever may see them', async () => {
  using lab = aDatacenter({
    hosts: 2,
    containers: [
      { vmid: 300, host: 'pve1', name: 'dns', cpus: 2, memoryMiB: 256 },
      { vmid: 301, host: 'pve2' },
      { vmid: 302, host: 'pve1', running: false },
    ],
  });
  const rows = (await lab.ask('GET /nodes/{node}/lxc', node)) as Row[];
  expect(rows.map((row) => [row['vmid'], row['name'], row['status'], row['cpus'], row['maxmem']])).toEqual([
    ['300', 'dns', 'running', 2, 256 * 1024 ** 2],
    ['302', 'CT302', 'stopped', 1, 512 * 1024 ** 2],
  ]);
  expect(await lab.ask('GET /nodes/{node}/lxc', node, { may: () => false })).toEqual([]);
});

test('history begins when the host did', async () => {
  using lab = aDatacenter();
  await lab.clock.advance(10 * 60_000);
  const points = (await lab.ask('GET /nodes/{node}/rrddata', { ...node, timeframe: 'hour' })) as Row[];
  expect([points.length, points.filter((point) => 'cpu' in point).length]).toEqual([70, 11]);
  const stored = (await lab.ask('GET /nodes/{node}/storage/{storage}/rrddata', {
    ...node,
    storage: 'local',
    timeframe: 'day',
  })) as Row[];
  expect(stored.at(-1)).toHaveProperty('time');
  expect(stored).toHaveLength(70);
});

test('what QEMU can play is known', async () => {
  using lab = aDatacenter();
  const path = 'GET /nodes/{node}/capabilities/qemu';
  expect(await lab.ask(`${path}/cpu`, node)).toContainEqual({
    name: 'x86-64-v2-AES',
    custom: 0,
    vendor: 'default',
    abstract: 1,
  });
  expect(await lab.ask(`${path}/cpu`, node)).toContainEqual({ name: 'EPYC-Genoa', custom: 0, vendor: 'AuthenticAMD' });
  expect(await lab.ask(`${path}/machines`, node)).toContainEqual({ id: 'pc-q35-9.0', type: 'q35', version: '9.0' });
});
