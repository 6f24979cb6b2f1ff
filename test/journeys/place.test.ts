import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ichor, root } from '../cli.ts';
import { folder } from '../folder.ts';

const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.yaml') && name !== 'hosts.yaml');
const hostsFor = (name: string): readonly string[] => (name === 'viti.yaml' ? ['--hosts', 'examples/hosts.yaml'] : []);
const golden = (name: string): string => join(root, 'test/golden/place', name);

test('there is an example for every road', () => {
  expect(examples.toSorted()).toEqual([
    'enterprise.yaml',
    'full.yaml',
    'ha.yaml',
    'homelab.yaml',
    'libvirt.yaml',
    'private-cloud.yaml',
    'smallest.yaml',
    'viti.yaml',
  ]);
});

test.each(examples)('%s is valid, fits, and is proved and drawn as before', async (name) => {
  const file = ['-f', `examples/${name}`];
  expect(ichor(['validate', ...file])).toMatchObject({ status: 0, stderr: '' });
  const text = ichor(['place', ...file, ...hostsFor(name)]);
  expect({ status: text.status, stderr: text.stderr }).toEqual({ status: 0, stderr: '' });
  await expect(text.stdout).toMatchFileSnapshot(golden(name.replace('.yaml', '.txt')));
  const picture = ichor(['place', ...file, ...hostsFor(name), '--output', 'svg']);
  await expect(picture.stdout).toMatchFileSnapshot(golden(name.replace('.yaml', '.svg')));
});

test('the homelab gets the numbers and addresses that its owner chose', () => {
  const { stdout } = ichor(['place', '-f', 'examples/homelab.yaml', '-o', 'json']);
  const { machines } = JSON.parse(stdout) as {
    machines: { name: string; vmid: number; mac: string; address: string }[];
  };
  expect(machines.map(({ name, vmid, mac, address }) => ({ name, vmid, mac, address }))).toEqual([
    { name: 'cp-0', vmid: 110, mac: 'BC:24:11:00:00:10', address: '10.10.0.10' },
    { name: 'worker-0', vmid: 120, mac: 'BC:24:11:00:00:20', address: '10.10.0.20' },
    { name: 'worker-1', vmid: 121, mac: 'BC:24:11:00:00:21', address: '10.10.0.21' },
  ]);
});

test('its DHCP server takes the reservations as they are printed', () => {
  expect(ichor(['machines', '-f', 'examples/homelab.yaml', '--output', 'dnsmasq']).stdout).toBe(
    'dhcp-host=BC:24:11:00:00:10,10.10.0.10,cp-0\ndhcp-host=BC:24:11:00:00:20,10.10.0.20,worker-0\ndhcp-host=BC:24:11:00:00:21,10.10.0.21,worker-1\n',
  );
  const kea = JSON.parse(ichor(['machines', '-f', 'examples/homelab.yaml', '--output', 'kea']).stdout) as unknown[];
  expect(kea[0]).toEqual({ 'hw-address': 'bc:24:11:00:00:10', 'ip-address': '10.10.0.10', hostname: 'cp-0' });
});

test('JSON has the fields that programs rely on', () => {
  const { stdout, status } = ichor(['place', '-f', 'examples/ha.yaml', '--output', 'json']);
  const proof = JSON.parse(stdout) as {
    machines: Record<string, unknown>[];
    hosts: Record<string, unknown>[];
  } & Record<string, unknown>;
  expect(status).toBe(0);
  expect(Object.keys(proof)).toEqual([
    'platform',
    'kind',
    'fits',
    'certain',
    'machines',
    'hosts',
    'shared',
    'losses',
    'short',
    'nearest',
    'remarks',
  ]);
  expect(proof.machines[3]).toEqual({
    name: 'prod-general-0',
    role: 'worker',
    pool: 'general',
    host: 'pve1',
    vmid: 501,
    mac: '02:C2:03:79:25:91',
    uuid: '8c1964a8-a07e-58cd-8a97-29de59ad1f5e',
    address: '10.10.0.20',
    hostname: 'prod-general-0',
    cpu: 8,
    memoryMiB: 16384,
    diskGiB: 100,
    disks: [{ name: 'system', sizeGiB: 100, datastore: 'local-lvm' }],
    exists: false,
    because: 'spread evenly: slot 0 of pve1',
  });
  expect(proof.hosts[2]).toEqual({
    name: 'pve3',
    cpu: { capacity: 24, before: 0, after: 12 },
    memoryMiB: { capacity: 94208, before: 0, after: 24576 },
    disks: { 'local-lvm': { capacity: 1024, before: 0, after: 140 } },
    tightest: 'cpu',
    machines: ['prod-cp-2', 'prod-general-2'],
  });
});

test('what does not fit exits 1 and says what is missing, where, and what would fit', async () => {
  const { status, stdout } = ichor(['place', '-f', 'examples/ha.yaml', '--set', 'cluster.workers.general.replicas=12']);
  expect(status).toBe(1);
  await expect(stdout).toMatchFileSnapshot(golden('does-not-fit.txt'));
});

test('two hosts for three control planes is refused, and the file can say that it does not matter', () => {
  const two = [
    'place',
    '-f',
    'examples/ha.yaml',
    '--set',
    'machines.proxmox.hosts=[pve1, pve2]',
    '--set',
    'machines.proxmox.capacity.pve3=null',
  ];
  const refused = ichor([...two, '-o', 'json']);
  const { fits, short } = JSON.parse(refused.stdout) as { fits: boolean; short: unknown };
  expect({ status: refused.status, fits, short }).toEqual({
    status: 1,
    fits: false,
    short: [{ group: 'controlPlane', machines: 1, host: null, resource: 'hosts', missing: 1 }],
  });
  expect(ichor([...two, '--set', 'cluster.highAvailability=false']).status).toBe(0);
});

test('what nobody measured is not called proved', () => {
  const { status, stderr } = ichor(['place', '-f', 'examples/ha.yaml', '--set', 'machines.proxmox.capacity=null']);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `error: It cannot be proved that the machines fit: nobody said what pve1, pve2, pve3 can carry.
  Declare it: "machines.proxmox.capacity: { pve1: { cpu: 32, memory: 128GiB } }", or give a measured file:
    ichor place -f examples/ha.yaml --set 'machines.proxmox.capacity=…' --hosts hosts.yaml
`,
  });
});

test('the world after a plan can be looked at again: nothing moves', () => {
  const hosts = join(folder(), 'hosts.yaml');
  const after = ichor(['place', '-f', 'examples/enterprise.yaml', '--output', 'hosts']);
  writeFileSync(hosts, after.stdout);
  expect(ichor(['place', '-f', 'examples/enterprise.yaml', '--hosts', hosts, '--output', 'hosts'])).toEqual(after);
  const smaller = ['--set', 'cluster.workers.general=null', '--hosts', hosts, '-o', 'json'];
  const { machines } = JSON.parse(ichor(['place', '-f', 'examples/enterprise.yaml', ...smaller]).stdout) as {
    machines: { name: string; exists: boolean }[];
  };
  expect(machines.every(({ exists }) => exists)).toBe(true);
});

test('a mistake in a hosts file is shown at its line', () => {
  const hosts = join(folder(), 'hosts.yaml');
  writeFileSync(hosts, 'hosts:\n  pve1: { cpu: 64, memory: 504, disks: { local-lvm: 1TiB } }\n');
  const { status, stdout } = ichor(['place', '-f', 'examples/ha.yaml', '--hosts', hosts, '--output', 'json']);
  const { problems } = JSON.parse(stdout) as { problems: { line: number; column: number; code: string }[] };
  expect({ status, problems: problems.map(({ line, column, code }) => `${line}:${column} ${code}`) }).toEqual({
    status: 1,
    problems: ['2:28 wrong-type', '2:33 unknown-key'],
  });
});
