import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ichor } from '../cli.ts';
import { folder } from '../folder.ts';

let cwd: string;
beforeEach(() => {
  cwd = folder();
});

const proxmox = [
  'init',
  '--name',
  'prod',
  '--provider',
  'proxmox',
  '--endpoint',
  'https://pve1.example.org:8006',
  '--hosts',
  'pve1,pve2,pve3',
];

test('everything can be said by flags, and the next commands work', async () => {
  const written = ichor(
    [
      ...proxmox,
      '--capacity',
      '32,128GiB',
      '--control-planes',
      '3',
      '--workers',
      '4',
      '--vip',
      '10.10.0.5',
      '--network',
      '10.10.0.0/24',
      '--gateway',
      '10.10.0.1',
      '--addresses',
      'static:10.10.0.11',
      '--hostnames',
      'talos',
      '--talos',
      'v1.13.9',
      '--yes',
    ],
    { cwd },
  );
  expect(written).toEqual({
    status: 0,
    stdout:
      "written: platform.yaml\n\nNext:\n    export PROXMOX_TOKEN='USER@REALM!NAME=UUID'\n    ichor validate\n    ichor place\n",
    stderr: '',
  });
  await expect(readFileSync(join(cwd, 'platform.yaml'), 'utf8')).toMatchFileSnapshot('../golden/init/proxmox.yaml');
  expect(ichor(['validate'], { cwd })).toEqual({
    status: 0,
    stdout: 'valid: platform prod: 3 control planes, 4 workers, Talos v1.13.9, Kubernetes v1.36.3\n',
    stderr: '',
  });
  expect(ichor(['place'], { cwd }).stdout).toMatch(/^platform prod: 7 machines on 3 hosts: fits\n/);
});

test.each<[provider: string, args: readonly string[]]>([
  ['libvirt', ['--hosts', 'kvm1,qemu+ssh://root@kvm2.example.org/system']],
  ['openstack', ['--cloud', 'prod', '--vip', '10.20.0.5']],
  ['existing', ['--hosts', '10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4', '--hostnames', 'dhcp']],
])('a file for %s', async (provider, args) => {
  const { status, stdout, stderr } = ichor(['init', '--name', 'prod', '--provider', provider, ...args, '--out', '-'], {
    cwd,
  });
  expect([status, stderr]).toEqual([0, '\nNext:\n    ichor validate\n    ichor place\n']);
  await expect(stdout).toMatchFileSnapshot(`../golden/init/${provider}.yaml`);
  expect(ichor(['validate', '-f', '-'], { cwd, input: stdout }).status).toBe(0);
  expect(readdirSync(cwd)).toEqual([]);
});

test('without a terminal nothing is asked, and what is missing is named', () => {
  expect(ichor(['init'], { cwd })).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'error: Where machines come from is not known.\n  at --provider\n  Add --provider proxmox, libvirt, openstack or existing\n',
  });
  const { stderr } = ichor(['init', '--provider', 'proxmox', '--vip', 'x'], { cwd });
  expect(stderr.split('\n').filter((line) => line.startsWith('  at '))).toEqual([
    '  at --endpoint',
    '  at --hosts',
    '  at --vip',
  ]);
  expect(readdirSync(cwd)).toEqual([]);
});

test('a wrong answer is said about its flag, and nothing is written', () => {
  expect(ichor([...proxmox, '--network', '10.10.0.0/24', '--vip', '10.11.0.5'], { cwd })).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'error: The VIP 10.11.0.5 is not an address for a machine in 10.10.0.0/24.\n  at --vip\n  Choose a free address of 10.10.0.0/24.\n',
  });
  expect(readdirSync(cwd)).toEqual([]);
});

test.each([
  [
    '--provider',
    'vmware',
    "error: option '--provider <kind>' argument 'vmware' is invalid. Allowed choices are proxmox, libvirt, openstack, existing.",
  ],
  ['--workers', 'many', "error: option '--workers <number>' argument 'many' is invalid. Use a whole number."],
  [
    '--addresses',
    '10.0.0.1',
    "error: option '--addresses <how>' argument '10.0.0.1' is invalid. Use dhcp, or static: and an address.",
  ],
])('%s %s is refused', (flag, value, message) => {
  const { status, stderr } = ichor([...proxmox, flag, value], { cwd });
  expect([status, stderr.split('\n')[0]]).toEqual([1, message]);
});

test('what is there is not written over, unless that is asked for', () => {
  writeFileSync(join(cwd, 'platform.yaml'), 'mine\n');
  expect(ichor(proxmox, { cwd })).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'error: "platform.yaml" is already there.\n  Choose another name with --out, or write over it with --force.\n',
  });
  expect(readFileSync(join(cwd, 'platform.yaml'), 'utf8')).toBe('mine\n');
  expect(ichor([...proxmox, '--out', "it's.yaml"], { cwd }).stdout).toContain("ichor validate -f 'it'\\''s.yaml'");
  expect(ichor([...proxmox, '--force'], { cwd }).status).toBe(0);
  expect(readFileSync(join(cwd, 'platform.yaml'), 'utf8')).toMatch(/^# A platform/);
  expect(readdirSync(cwd).toSorted()).toEqual(["it's.yaml", 'platform.yaml']);
});

test('a folder that is not there is said, and nothing is left behind', () => {
  const { status, stderr } = ichor([...proxmox, '--out', 'no/such/platform.yaml'], { cwd });
  expect([status, stderr]).toEqual([
    1,
    'error: "no/such/platform.yaml" cannot be written (ENOENT).\n  Check that the folder exists and is yours.\n',
  ]);
  expect(existsSync(join(cwd, 'no'))).toBe(false);
});

test('the cloud can come from where OpenStack’s own tools look', () => {
  const { status, stdout } = ichor(['init', '--provider', 'openstack', '--out', '-'], {
    cwd,
    env: { OS_CLOUD: 'prod' },
  });
  expect([status, stdout.includes('cloud: prod ')]).toEqual([0, true]);
});

test('as JSON: the file, where it went, and what to do next', () => {
  const { status, stdout } = ichor([...proxmox, '--output', 'json'], { cwd });
  const file = readFileSync(join(cwd, 'platform.yaml'), 'utf8');
  expect([status, JSON.parse(stdout)]).toEqual([
    0,
    {
      written: 'platform.yaml',
      file,
      next: ["export PROXMOX_TOKEN='USER@REALM!NAME=UUID'", 'ichor validate', 'ichor place'],
    },
  ]);
  expect(JSON.parse(ichor(['init', '--out', '-', '--output', 'json'], { cwd }).stdout)).toMatchObject({
    problems: [{ code: 'missing-answer', path: '--provider' }],
  });
});
