import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ichor, root } from '../cli.ts';

const prod = `apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: prod }
spec:
  machines:
    proxmox:
      endpoint: https://pve1.example.org:8006
      token: { env: PROXMOX_TOKEN }
      hosts: [pve1, pve2, pve3]
  cluster:
    endpoint: { vip: 10.10.0.5 }
    controlPlane: { replicas: 3, addresses: 10.10.0.10-19 }
    workers:
      general: { replicas: 2, memory: 16GiB }
    nodes:
      cp-0: { vmid: 410, cpu: 8 }
    network: { nodes: 10.10.0.0/24, gateway: 10.10.0.1 }
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-explain-'));
  await writeFile(join(folder, 'prod.yaml'), prod);
  await writeFile(join(folder, 'large.yaml'), 'cluster: { workers: { general: { replicas: 9 } } }\n');
  await writeFile(
    join(folder, 'broken.yaml'),
    prod.replace('token: { env: PROXMOX_TOKEN }', 'token: hunter2').replace('replicas: 3', 'replicas: 2'),
  );
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

const explain = (...args: string[]) => ichor(['explain', ...args], { cwd: folder });

test.each<[string, readonly string[]]>([
  ['layers', []],
  ['workers', ['cluster.workers']],
  ['vip', ['cluster.endpoint.vip']],
  ['substrate', ['substrate']],
  ['pools', ['kubernetescluster.topology.workers.nodePools']],
  ['network-of-a-file', ['cluster.network', '-f', 'prod.yaml']],
  [
    'machine-of-a-file',
    ['cluster.nodes.cp-0', '-f', 'prod.yaml', '--var-file', 'large.yaml', '--set', 'cluster.controlPlane.memory=12GiB'],
  ],
  ['whole-file', ['-f', 'prod.yaml']],
])('what people read: %s', async (name, args) => {
  const { status, stdout, stderr } = explain(...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  await expect(stdout).toMatchFileSnapshot(`../golden/explain/${name}.txt`);
});

test('what a machine is called by others is the same as everywhere', () => {
  const { machines } = JSON.parse(ichor(['machines', '-f', 'examples/ha.yaml', '--output', 'json']).stdout) as {
    machines: readonly { name: string; vmid: number; mac: string; uuid: string }[];
  };
  const { name, vmid, mac, uuid } = machines.at(-1) ?? {};
  const { stdout } = ichor(['explain', `cluster.nodes.${name}`, '-f', 'examples/ha.yaml', '--output', 'json']);
  const [{ values }] = (JSON.parse(stdout) as { documents: [{ values: { path: string; value: unknown }[] }] })
    .documents;
  const found = (field: string) => values.find(({ path }) => path === `cluster.nodes.${name}.${field}`)?.value;
  expect(['vmid', 'mac', 'uuid', 'host'].map(found)).toEqual([vmid, mac, uuid, 'pve3']);
});

test('where nobody said what hosts carry, only the host is not known', () => {
  const capacity = readFileSync(join(root, 'examples/smallest.yaml'), 'utf8').replace(/^ *capacity:.*\n/m, '');
  const { stdout } = ichor(['explain', 'cluster.nodes.cp-0.host', '-f', '-'], { input: capacity });
  expect(stdout).toContain('cluster.nodes.cp-0.host  (not known yet)');
  expect(ichor(['explain', 'cluster.nodes.cp-0.vmid', '-f', '-'], { input: capacity }).stdout).toContain('vmid  401');
});

test('no line is wider than 100 characters, unless a single word is', () => {
  const { stdout } = explain('services.catalog');
  expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test('what programs read', () => {
  const { status, stdout } = explain(
    'cluster.workers.general.replicas',
    '-f',
    'prod.yaml',
    '--var-file',
    'large.yaml',
    '-o',
    'json',
  );
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    kind: 'Platform',
    path: 'cluster.workers.<name>.replicas',
    description: 'How many.',
    type: 'a whole number from 0 to 5000',
    required: false,
    default: 1,
    derived: null,
    examples: [],
    rules: [],
    fields: [],
    isCollection: false,
    documents: [
      {
        name: 'prod',
        values: [
          {
            path: 'cluster.workers.general.replicas',
            value: 9,
            hidden: false,
            origin: 'written',
            file: 'large.yaml',
            line: 1,
            column: 44,
          },
        ],
      },
    ],
    problems: [],
  });
});

test('a file with errors is explained as far as it can be read, and the errors are shown', () => {
  const { status, stdout, stderr } = explain('machines.proxmox.token', '-f', 'broken.yaml');
  expect(status).toBe(1);
  expect(stderr).toContain('broken.yaml:8:14: error: A secret must not be written here in clear');
  expect(stderr).toContain('broken.yaml:12:31: error: 2 control planes tolerate no more failures than 1');
  expect(stdout).toContain('(secret, not shown)  broken.yaml:8:14');
  expect(stdout + stderr).not.toContain('hunter2');
  const json = explain('-f', 'broken.yaml', '--output', 'json');
  expect(json.status).toBe(1);
  expect(json.stdout).not.toContain('hunter2');
});

test('an unknown step is an error with the nearest one', () => {
  expect(explain('cluster.wokers')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'error: There is no "wokers" in cluster.\n  Did you mean "workers"?\n',
  });
});

test('a kind that the file has not is said', () => {
  const { status, stdout } = explain('substrate.network', '-f', 'prod.yaml');
  expect(status).toBe(0);
  expect(stdout).toContain('There is no Substrate in what was given.');
});
