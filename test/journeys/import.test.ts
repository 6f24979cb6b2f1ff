import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ichor } from '../cli.ts';
import { folder } from '../folder.ts';

let cwd: string;
beforeEach(() => {
  cwd = folder();
});

const sources = ['terraform.tfvars', 'talconfig.yaml', 'viti.yaml'].map((name) => `examples/import/${name}`);
const golden = (path: string) => readFileSync(`test/golden/import/${path.split('/').at(-1)}.platform.yaml`, 'utf8');

test.each(sources)('%s becomes a file that validates', (source) => {
  const target = join(cwd, 'platform.yaml');
  const { status, stdout } = ichor(['import', source, '--out', target]);
  expect([status, stdout, readFileSync(target, 'utf8')]).toEqual([0, `written: ${target}\n`, golden(source)]);
  expect(ichor(['validate', '-f', target]).status).toBe(0);
});

test.each(sources)('%s goes through a pipe, with the notes beside it', (source) => {
  const { status, stdout, stderr } = ichor(['import', source]);
  const notes = readFileSync(`test/golden/import/${source.split('/').at(-1)}.notes.txt`, 'utf8')
    .trimEnd()
    .split('\n');
  expect([status, stdout]).toEqual([0, golden(source)]);
  expect(
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^\S+?:(\d+:\d+): note: /, '$1 ')),
  ).toEqual(notes.map((line) => line.replace(/^(\d+:\d+) : /, '$1 ')));
});

test('standard input is recognised like a file', () => {
  const { status, stdout } = ichor(['import', '-'], { input: readFileSync('examples/import/viti.yaml', 'utf8') });
  expect([status, stdout]).toEqual([0, golden('viti.yaml').replace('from viti.yaml', 'from standard input')]);
});

test('as JSON everything is one object', () => {
  const { status, stdout, stderr } = ichor(['import', 'examples/import/talconfig.yaml', '--output', 'json']);
  const answer = JSON.parse(stdout) as { file: string; notes: unknown[]; problems: unknown[] };
  expect([status, stderr, answer.file, answer.notes[0], answer.problems]).toEqual([
    0,
    '',
    golden('talconfig.yaml'),
    {
      file: 'examples/import/talconfig.yaml',
      line: 6,
      column: 1,
      path: 'domain',
      message: 'Not carried over: talhelper fills in the environment variable CLUSTER_DOMAIN here.',
    },
    [],
  ]);
});

test('a file that is there is written over only when asked to', () => {
  const target = join(cwd, 'platform.yaml');
  writeFileSync(target, 'precious\n');
  const refused = ichor(['import', 'examples/import/terraform.tfvars', '--out', target]);
  expect([refused.status, refused.stderr, readFileSync(target, 'utf8')]).toEqual([
    1,
    `error: "${target}" is already there.\n  Choose another name with --out, or write over it with --force.\n`,
    'precious\n',
  ]);
  expect(ichor(['import', 'examples/import/terraform.tfvars', '--out', target, '--force']).status).toBe(0);
  expect(readFileSync(target, 'utf8')).toBe(golden('terraform.tfvars'));
});

test('a platform that our own reader refuses is written, and the exit code says so', () => {
  const source = join(cwd, 'terraform.tfvars');
  writeFileSync(source, 'cluster_name = "lab"\nha_enabled = true\ncontrol_plane_count = 1\n');
  const { status, stdout, stderr } = ichor(['import', source]);
  expect([
    status,
    stdout.includes('highAvailability: true'),
    stderr.split('\n').filter((line) => line.includes('error')),
  ]).toEqual([
    1,
    true,
    [`${source}:2:1: error: High availability needs at least three control planes, and there is one.`],
  ]);
});

test.each<[string, string[], string]>([
  ['a broken file', ['import', '-', '--from', 'tfvars'], '-:1:5: error: Text stands in double quotes.'],
  ['an unknown file', ['import', 'package.json'], 'package.json:1:1: error: This is not a file that ichor recognises'],
  ['no file', ['import', 'missing.tfvars'], 'error: "missing.tfvars" does not exist.'],
  ['a wrong name', ['import', 'x', '--name', 'A_B'], 'error: "A_B" cannot be the name of a platform.'],
  [
    'a wrong origin',
    ['import', 'x', '--from', 'ansible'],
    "error: option '--from <kind>' argument 'ansible' is invalid.",
  ],
])('%s ends in exit code 1 and a sentence', (_, args, message) => {
  const { status, stdout, stderr } = ichor(args, { input: "a = 'b'\n" });
  expect([status, stdout, stderr.startsWith(message)]).toEqual([1, '', true]);
});

/** Every secret of a file that has one wherever one can be. */
const secret = 'hunter2-do-not-print';
const inClear: Readonly<Record<string, string>> = {
  'terraform.tfvars': `cluster_name = "lab"
proxmox_api_token_id     = "ci@pve!${secret}"
proxmox_api_token_secret = "${secret}"
proxmox = { endpoint = "https://root:${secret}@pve.example.org", password = "${secret}", target_nodes = ["pve1"] }
vault = { token = "${secret}" }
ssh_private_key = <<EOT
-----BEGIN OPENSSH PRIVATE KEY-----
${secret}
EOT
talos = {
  machine = {
    token = "${secret}"
    ca    = { crt = "abc", key = "${secret}${secret}" }
    registries = { config = { "ghcr.io" = { auth = { username = "a", password = "${secret}" } } } }
    files = [{ path = "/a", content = "PASSWORD=${secret}" }]
  }
}
`,
  'talconfig.yaml': `clusterName: lab
endpoint: https://10.0.0.1:6443
nodes:
  - hostname: lab-cp-0
    ipAddress: 10.0.0.1
    controlPlane: true
    machineFiles: [{ path: /a, op: create, content: "TS_AUTHKEY=${secret}" }]
    extensionServices: [{ name: tailscale, environment: ["TS_AUTHKEY=${secret}"] }]
    networkInterfaces: [{ interface: wg0, wireguard: { privateKey: ${secret} } }]
    volumes: [{ name: STATE, encryption: { provider: luks2, keys: [{ slot: 0, static: { passphrase: ${secret} } }] } }]
    userVolumes: [{ name: data, encryption: { provider: luks2, keys: [{ slot: 0, static: { passphrase: ${secret} } }] } }]
    patches: ["cluster: { secret: ${secret}, token: ${secret} }"]
inlineManifests: [{ name: a, contents: "kind: Secret\\nstringData: { a: ${secret} }" }]
`,
};
const broken: Readonly<Record<string, string>> = {
  'terraform.tfvars': `proxmox_api_token_secret = ${secret}\n`,
  'talconfig.yaml': `clusterName: lab\nnodes: []\npassword: *${secret}\n`,
};

test.each([
  ...Object.entries(inClear).map(([name, text]) => [name, text, 0] as const),
  ...Object.entries(broken).map(([name, text]) => [`broken ${name}`, text, 1] as const),
])('no secret of a %s is shown or written', (name, text, expected) => {
  const source = join(cwd, name.replace('broken ', ''));
  writeFileSync(source, text);
  for (const output of ['text', 'json']) {
    const target = join(cwd, `${output}.yaml`);
    const { status, stdout, stderr } = ichor(['import', source, '--out', target, '--output', output]);
    const written = expected === 0 ? readFileSync(target, 'utf8') : '';
    expect([status, `${stdout}${stderr}${written}`.includes(secret)]).toEqual([expected, false]);
  }
});
