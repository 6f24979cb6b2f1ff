import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ichor } from '../cli.ts';
import { platformFile } from '../said.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'ichor-validate-'));
  const files: Readonly<Record<string, string | Uint8Array>> = {
    'ten.yaml': tenMistakes,
    'good.yaml': platformFile({ cluster: '{ controlPlane: { replicas: 3 }, workers: { general: { replicas: 2 } } }' }),
    'over.yaml':
      'apiVersion: ichor.dev/v1alpha1\nkind: Platform\nmetadata: { name: prod }\nspec:\n  cluster:\n    controlPlane:\n      replicas: 4\n      memory: 16GB # too much\n',
    'warned.yaml': platformFile({ cluster: '{ talos: { extensions: [] } }' }),
    'empty.yaml': '',
    'latin1.yaml': new Uint8Array([...Buffer.from('a: 1\nname: '), 0xe9, 0x0a]),
    'others.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: web }\n',
    'class.yaml':
      'apiVersion: vitistack.io/v1alpha1\nkind: MachineClass\nmetadata: { name: tiny }\nspec: { cpu: { cores: 2 }, memory: { quantity: 4Gi }, machineProviders: [] }\n',
  };
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(cwd, name), content)));
  await mkdir(join(cwd, 'clusters'));
  await mkdir(join(cwd, 'nothing'));
  await writeFile(join(cwd, 'clusters', 'b.yaml'), platformFile({ machines: '{ libvirt: {} }' }, 'b'));
  await writeFile(join(cwd, 'clusters', 'a.yml'), platformFile({ machines: '{ libvirt: {} }' }, 'a'));
  await writeFile(join(cwd, 'clusters', 'notes.txt'), 'not YAML: [');
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const tenMistakes = `apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: prod }
spec:
  enviroment: production
  machines:
    proxmox:
      endpoint: pve1.example.org
      token: root@pam!ichor=0dd7c6b4-8d1f-4f43-9f4c-000000000000
      hosts: [pve1, pve2, pve1]
  cluster:
    controlPlane: { cpu: "4", memory: 8GB }
    workers:
      general: { replicas: 3, hosts: [pve3] }
    nodes:
      generl-0: { vmid: 7 }
    endpoint: { vip: 10.11.0.5 }
    network: { nodes: 10.10.0.0/24 }
`;

describe('ten mistakes in one file', () => {
  test('are ten complaints, each with its place, its line and a remedy', async () => {
    const { status, stdout, stderr } = ichor(['validate', '-f', 'ten.yaml'], { cwd });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('10 errors.');
    await expect(stderr).toMatchFileSnapshot('../golden/validate-ten.txt');
  });

  test('are ten objects for a program', async () => {
    const { status, stdout, stderr } = ichor(['validate', '-f', 'ten.yaml', '--output', 'json'], { cwd });
    expect([status, stderr]).toEqual([1, '']);
    const { problems } = JSON.parse(stdout) as { problems: readonly { line: number; column: number; path: string }[] };
    expect(problems.map(({ line, column, path }) => `${line}:${column} ${path}`)).toEqual([
      '5:3 spec.enviroment',
      '8:17 spec.machines.proxmox.endpoint',
      '9:14 spec.machines.proxmox.token',
      '10:27 spec.machines.proxmox.hosts[2]',
      '12:26 spec.cluster.controlPlane.cpu',
      '12:39 spec.cluster.controlPlane.memory',
      '14:39 spec.cluster.workers.general.hosts[0]',
      '16:7 spec.cluster.nodes.generl-0',
      '16:25 spec.cluster.nodes.generl-0.vmid',
      '17:22 spec.cluster.endpoint.vip',
    ]);
    await expect(stdout).toMatchFileSnapshot('../golden/validate-ten.json');
  });

  test('are ten annotations of a pull request', async () => {
    const { status, stdout, stderr } = ichor(['validate', '-f', 'ten.yaml', '--output', 'github'], { cwd });
    expect([status, stderr, stdout.trimEnd().split('\n').length]).toEqual([1, '', 10]);
    await expect(stdout).toMatchFileSnapshot('../golden/validate-ten.github.txt');
  });
});

test('mistakes that an overlay brought in name its lines', async () => {
  const { status, stderr } = ichor(
    ['validate', '-f', 'good.yaml', '-f', 'over.yaml', '--set', 'cluster.workers.general.replicas=many'],
    { cwd },
  );
  expect(status).toBe(1);
  await expect(stderr).toMatchFileSnapshot('../golden/validate-overlay.txt');
});

describe('what is read', () => {
  test.each<[what: string, args: readonly string[], status: number, stdout: string, stderr: string]>([
    [
      'a file',
      ['-f', 'good.yaml'],
      0,
      'valid: platform prod: 3 control planes, 2 workers, Talos v1.13.9, Kubernetes v1.36.3\n',
      '',
    ],
    [
      'a folder, in the order of its names',
      ['-f', 'clusters'],
      0,
      'valid: platform a: 1 control plane, 0 workers, Talos v1.13.9, Kubernetes v1.36.3\nvalid: platform b: 1 control plane, 0 workers, Talos v1.13.9, Kubernetes v1.36.3\n',
      '',
    ],
    [
      'a file and somebody else’s',
      ['-f', 'good.yaml', '-f', 'others.yaml'],
      0,
      'valid: platform prod: 3 control planes, 2 workers, Talos v1.13.9, Kubernetes v1.36.3\nleft alone: v1 Namespace web\n',
      '',
    ],
    ['a class alone', ['-f', 'class.yaml'], 0, 'valid: MachineClass tiny\n', ''],
    [
      'a missing file',
      ['-f', 'missing.yaml'],
      1,
      '',
      'error: "missing.yaml" does not exist.\n  Check the name; ichor init writes a file to begin with.\n',
    ],
    [
      'a missing file of values',
      ['-f', 'good.yaml', '--var-file', 'missing.yaml'],
      1,
      '',
      'error: "missing.yaml" does not exist.\n  Check the name; ichor init writes a file to begin with.\n',
    ],
    [
      'a folder without files',
      ['-f', 'nothing'],
      1,
      '',
      'error: There is no .yaml, .yml or .json file in "nothing".\n  Name a file, or another folder.\n',
    ],
    [
      'no file at all',
      [],
      1,
      '',
      'error: No file was given, and there is no platform.yaml here.\n  Name one with -f, or write one:\n    ichor init\n',
    ],
    [
      'an empty file',
      ['-f', 'empty.yaml'],
      1,
      '',
      'empty.yaml:1:1: error: There is nothing in this file.\n  Write one to begin with:\n    ichor init\n\n1 error.\n',
    ],
    [
      'a file that is not UTF-8',
      ['-f', 'latin1.yaml'],
      1,
      '',
      'latin1.yaml:2:7: error: A byte here is not part of any UTF-8 character.\n  2 | name: \ufffd\n    |       ^\n  Give a YAML or JSON file in UTF-8.\n\n1 error.\n',
    ],
  ])('%s', async (_, args, status, stdout, stderr) => {
    expect(ichor(['validate', ...args], { cwd })).toEqual({ status, stdout, stderr });
  });

  test('standard input', async () => {
    const input = await readFile(join(cwd, 'good.yaml'));
    expect(ichor(['validate', '-f', '-'], { cwd, input })).toEqual({
      status: 0,
      stdout: 'valid: platform prod: 3 control planes, 2 workers, Talos v1.13.9, Kubernetes v1.36.3\n',
      stderr: '',
    });
    const wrong = ichor(['validate', '-f', '-'], { cwd, input: 'kind: Platform\n' });
    expect(wrong.stderr).toMatch(/^-:1:1: error: This document needs "apiVersion"\./);
  });

  test('ICHOR_FILE, when no file is named', async () => {
    expect(ichor(['validate'], { cwd, env: { ICHOR_FILE: 'good.yaml' } }).status).toBe(0);
  });

  test('a file that may not be read', async () => {
    await writeFile(join(cwd, 'locked.yaml'), 'a: 1\n');
    await chmod(join(cwd, 'locked.yaml'), 0o000);
    const { status, stderr } = ichor(['validate', '-f', 'locked.yaml'], { cwd });
    // The superuser reads it all the same.
    const expected = process.getuid?.() === 0 ? 'This document needs "kind".' : 'may not be read by you';
    expect([status, stderr.includes(expected)]).toEqual([1, true]);
  });
});

describe('how it is said', () => {
  test('a warning is said, and the file is valid all the same', async () => {
    const { status, stdout, stderr } = ichor(['validate', '-f', 'warned.yaml'], { cwd });
    expect([status, stdout]).toEqual([
      0,
      'valid: platform prod: 1 control plane, 0 workers, Talos v1.13.9, Kubernetes v1.36.3\n',
    ]);
    expect(stderr).toMatch(/^warned\.yaml:6:23: warning: Without the guest agent/);
  });

  test.each([[{}], [{ NO_COLOR: '1' }], [{ FORCE_COLOR: '1' }], [{ TERM: 'xterm-256color' }]])(
    'no escape codes without a terminal: %o',
    async (env) => {
      const { stdout, stderr } = ichor(['validate', '-f', 'ten.yaml'], { cwd, env });
      expect(`${stdout}${stderr}`).not.toContain('\u001b');
    },
  );

  test('an unknown format is refused with those that there are', async () => {
    const { status, stderr } = ichor(['validate', '-f', 'good.yaml', '--output', 'xml'], { cwd });
    expect([status, stderr.split('\n')[0]]).toEqual([
      1,
      "error: option '-o, --output <format>' argument 'xml' is invalid. Use text, json, github.",
    ]);
  });

  test('a problem without a place is JSON too', async () => {
    const { status, stdout } = ichor(['validate', '-f', 'missing.yaml', '-o', 'json'], { cwd });
    expect([status, JSON.parse(stdout)]).toEqual([
      1,
      {
        problems: [
          {
            file: null,
            line: null,
            column: null,
            path: null,
            code: 'unreadable-file',
            severity: 'error',
            message: '"missing.yaml" does not exist.',
            remedy: 'Check the name; ichor init writes a file to begin with.',
          },
        ],
      },
    ]);
  });
});
