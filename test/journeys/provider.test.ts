import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ichorBeside, root } from '../cli.ts';
import { folderForAll } from '../folder.ts';
import { aCluster, aRequest, type Cluster } from '../proxmox/cluster.ts';
import { serveImages } from '../proxmox/image-server.ts';
import { Someone } from '../proxmox/someone.ts';

/** A cluster with a machine of ours, one that the file no longer has, and a stranger. */
describe('asking a Proxmox endpoint', () => {
  const place = folderForAll();
  const file = join(place, 'prod.yaml');
  let cluster: Cluster;
  let images: Awaited<ReturnType<typeof serveImages>>;

  const platform = (changed: Readonly<Record<string, string>> = {}): string => {
    const { endpoint, endpoints } = cluster.settings;
    const fields = {
      endpoint,
      endpoints: `[${endpoints.map(({ url }) => `{ url: "${url}" }`).join(', ')}]`,
      token: '{ env: PROXMOX_TOKEN }',
      tls: `{ ca: "${join(place, 'ca.pem')}" }`,
      hosts: '[pve1, pve2, pve3]',
      ...changed,
    };
    return `apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: prod }
spec:
  machines:
    proxmox:
${Object.entries(fields)
  .map(([name, value]) => `      ${name}: ${value}\n`)
  .join('')}  cluster:
    talos: { image: { factory: "${images.url}", boot: iso } }
    controlPlane: { replicas: 3, cpu: 2, memory: 2GiB, disk: 10GiB }
    workers: { general: { replicas: 2, cpu: 2, memory: 4GiB, disk: 20GiB } }
    nodes: { cp-1: { address: 10.10.0.12 } }
`;
  };
  const writes = (): number => cluster.lab.requests().filter(({ method }) => method !== 'GET').length;
  let made = 0;
  const run = (command: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
    ichorBeside([command, '-f', file, ...args], { env: { PROXMOX_TOKEN: cluster.token, ...env } });

  beforeAll(async () => {
    images = await serveImages();
    cluster = await aCluster({ containers: [{ vmid: 110, host: 'pve3', name: 'dns', cpus: 1, memoryMiB: 512 }] });
    const { lab, clock, provider } = cluster;
    const someone = new Someone(lab, clock);
    await someone.does('POST', '/nodes/pve2/qemu', {
      vmid: 100,
      name: 'web',
      memory: 8192,
      cores: 4,
      scsi0: 'local-lvm:100',
    });
    await someone.does('POST', '/nodes/pve1/storage/local/download-url', {
      content: 'iso',
      filename: 'talos.iso',
      url: `${images.url}/talos.iso`,
    });
    const signal = AbortSignal.timeout(60_000);
    const ours = await provider.writer.create(aRequest(401), signal);
    await provider.writer.setPower(ours, 'on', signal);
    const left = { platform: 'prod', name: 'prod-old-0', uuid: '6b0f1d0e-0000-5000-8000-000000000001' };
    await provider.writer.create(
      aRequest(590, { mark: left, hostname: 'prod-old-0', role: 'worker', pool: 'old' }),
      signal,
    );
    writeFileSync(join(place, 'ca.pem'), lab.ca);
    writeFileSync(file, platform());
    made = writes();
  });
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
    await images[Symbol.asyncDispose]();
  });

  test('ichor hosts: how full each is, and who sits there', async () => {
    const { status, stdout } = await run('hosts');
    expect(status).toBe(0);
    await expect(stdout).toMatchFileSnapshot(join(root, 'test/golden/hosts.txt'));
  });

  test('ichor hosts for programs', async () => {
    const { stdout } = await run('hosts', ['--output', 'json']);
    const { provider, hosts, silent } = JSON.parse(stdout) as {
      provider: unknown;
      silent: unknown;
      hosts: Record<string, unknown>[];
    };
    expect({ provider, silent }).toEqual({ provider: { product: 'Proxmox VE', version: '9.2.11' }, silent: [] });
    expect(hosts[1]).toMatchObject({
      name: 'pve2',
      cpu: { total: 16, platforms: 0, others: 4, free: 12 },
      memoryMiB: { others: 8192 },
      datastoresGiB: { 'local-lvm': { others: 100, platforms: 0 } },
      machines: [{ name: 'web', vmid: 100, platform: null, cpu: 4, memoryMiB: 8192 }],
    });
  });

  test('what hosts answered can be kept, and proves without asking again', async () => {
    const { stdout } = await run('hosts', ['--output', 'hosts']);
    const kept = join(place, 'hosts.yaml');
    writeFileSync(kept, stdout);
    const asked = await run('place', ['--output', 'json']);
    const fromFile = await run('place', ['--hosts', kept, '--output', 'json'], { PROXMOX_TOKEN: '' });
    expect(fromFile.status).toBe(0);
    expect(JSON.parse(fromFile.stdout)).toEqual(JSON.parse(asked.stdout));
  });

  test('ichor place counts what is there: ours stays, a stranger keeps its room', async () => {
    const { stdout, status } = await run('place', ['--output', 'json']);
    const { machines } = JSON.parse(stdout) as {
      machines: { name: string; host: string; vmid: number; exists: boolean }[];
    };
    expect(status).toBe(0);
    expect(machines[0]).toMatchObject({ name: 'prod-cp-0', host: 'pve1', vmid: 401, exists: true });
    expect(new Set(machines.slice(0, 3).map(({ host }) => host)).size).toBe(3);
  });

  test('ichor machines: which are there, which are not, and one that the file no longer has', async () => {
    const { stdout, status } = await run('machines');
    expect(status).toBe(0);
    await expect(stdout).toMatchFileSnapshot(join(root, 'test/golden/machines-live.txt'));
  });

  test('reservations are for the machines of the file, with what those have that exist', async () => {
    const { stdout } = await run('machines', ['--output', 'dnsmasq']);
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe('dhcp-host=02:00:00:00:01:91,prod-cp-0');
    expect(stdout).not.toContain('prod-old-0');
  });

  test('without credentials the file alone speaks, and that is said', async () => {
    const { stdout, stderr, status } = await run('machines', [], { PROXMOX_TOKEN: '' });
    expect(status).toBe(0);
    expect(stderr).toBe(
      'Nobody was asked what is there: The environment variable PROXMOX_TOKEN is not set. What follows is what the file alone says (--offline means that).\n',
    );
    expect(stdout).toContain('prod-cp-0');
    const offline = await run('machines', ['--offline'], { PROXMOX_TOKEN: '' });
    expect({ stdout: offline.stdout, stderr: offline.stderr }).toEqual({ stdout, stderr: '' });
  });

  test('ichor doctor finds nothing in a good place but a token that may do everything', async () => {
    const { stdout, status } = await run('doctor');
    expect(status).toBe(0);
    const shown = stdout
      .replaceAll(images.url, 'http://FACTORY')
      .replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, 'https://HOST:8006');
    await expect(shown).toMatchFileSnapshot(join(root, 'test/golden/doctor.txt'));
  });

  test('ichor doctor names what is wrong, and what to type', async () => {
    writeFileSync(file, platform({ bridge: 'vmbr7', datastore: 'fast', vlan: '40', hosts: '[pve1, pve9]' }));
    const { stdout, status } = await run('doctor', ['--output', 'json']);
    writeFileSync(file, platform());
    expect(status).toBe(1);
    const { findings, errors } = JSON.parse(stdout) as {
      errors: number;
      findings: { about: string; host: string | null; problem: { code: string; remedy: string } | null }[];
    };
    const wrong = findings.flatMap(({ about, host, problem }) =>
      problem === null ? [] : [`${about} ${host}: ${problem.code}`],
    );
    expect(errors).toBe(3);
    expect(wrong).toEqual([
      'user null: proxmox-root',
      'storage pve1: proxmox-no-storage',
      'bridge pve1: proxmox-no-bridge',
      'host pve9: proxmox-no-host',
    ]);
  });

  test('ichor doctor looks at the datastores of single pools, too', async () => {
    const { stdout, status } = await run('doctor', ['--set', 'cluster.workers.general.datastore=nosuch']);
    expect(status).toBe(1);
    expect(stdout).toContain('There is no datastore “nosuch” on pve1');
  });

  test('whoever sees only a pool is told so by doctor, hosts and place', async () => {
    const someone = new Someone(cluster.lab, cluster.clock);
    await someone.does('POST', '/access/users', { userid: 'few@pve' });
    const { value } = (await someone.does('POST', '/access/users/few@pve/token/ichor')) as { readonly value: string };
    await someone.does('POST', '/pools', { poolid: 'talos' });
    const subject = { users: 'few@pve', tokens: 'few@pve!ichor' };
    const given = { '/': 'PVEAuditor', '/vms': 'PVEPoolUser', '/pool/talos': 'PVEVMAdmin' };
    for (const [path, roles] of Object.entries(given))
      await someone.does('PUT', '/access/acl', { path, roles, ...subject });
    writeFileSync(file, platform({ pool: 'talos' }));
    const few = { PROXMOX_TOKEN: `few@pve!ichor=${value}` };
    const doctor = await run('doctor', [], few);
    const hosts = await run('hosts', [], few);
    const placed = await run('place', [], few);
    writeFileSync(file, platform());
    made = writes();
    const from = doctor.stdout.indexOf('✗ permissions');
    const block = doctor.stdout.slice(from, doctor.stdout.indexOf('\n✓', from)).split('\n');
    expect(block.slice(1).filter((line) => !line.startsWith(' '.repeat(15)))).toEqual([]);
    expect(block.join('\n')).toMatch(/\/vms: VM\.Audit \(without: machines of others are not seen/);
    const warning = 'warning: few@pve!ichor does not see every VM of the cluster';
    expect([hosts.stderr, placed.stderr]).toEqual([expect.stringContaining(warning), expect.stringContaining(warning)]);
    expect(hosts.stderr).toContain('ichor doctor');
  });

  test('a wrong token is told so, and the token is in nothing that is printed', async () => {
    const token = 'root@pam!lab=00000000-1111-4222-8333-444444444444';
    const { stdout, stderr, status } = await run('hosts', [], { PROXMOX_TOKEN: token });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('Proxmox');
    expect(stderr + stdout).not.toContain('44444444');
  });

  test('a certificate of somebody else is not talked to', async () => {
    writeFileSync(file, platform({ tls: `{ fingerprint: "${'AA:'.repeat(31)}AA" }` }));
    const before = cluster.lab.requests().length;
    const { stderr, status } = await run('hosts');
    writeFileSync(file, platform());
    expect(status).toBe(1);
    expect(stderr).toContain(cluster.lab.fingerprint('pve1'));
    expect(cluster.lab.requests().length).toBe(before);
  });

  test('any certificate is accepted only with a warning, every time', async () => {
    writeFileSync(file, platform({ tls: '{ insecure: true }' }));
    const { stderr, status } = await run('hosts');
    writeFileSync(file, platform());
    expect(status).toBe(0);
    expect(stderr).toContain('warning: Any certificate is accepted');
  });

  test('when one endpoint is down the next answers, and its host is not taken for empty', async () => {
    cluster.lab.setHost('pve1', 'dead');
    const { stdout, stderr, status } = await run('machines');
    const hosts = await run('hosts');
    const placed = await run('place');
    cluster.lab.setHost('pve1', 'up');
    expect(status, stderr).toBe(0);
    expect(hosts.status).toBe(1);
    expect(hosts.stdout).toMatch(/pve1 +did not answer/);
    expect(placed.stderr).toContain('note: pve1 did not answer (it is offline)');
    expect(stderr).toContain('note: pve1 did not answer');
    expect(stdout).toMatch(/prod-cp-0 +control-plane +unknown/);
    expect(stdout).not.toContain('not there');
  });

  test('nothing of all this changed anything', () => {
    expect(writes()).toBe(made);
  });
});
