import { readFileSync, readdirSync, statSync, writeFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newSecrets } from '../../src/talos/secrets/new.ts';
import { secretsText } from '../../src/talos/secrets/text.ts';
import { newTalosconfig } from '../../src/talos/talosconfig/new.ts';
import { talosconfigText } from '../../src/talos/talosconfig/talosconfig.ts';
import { ichor, type Ran } from '../cli.ts';
import { seededEntropy, testClock } from '../entropy.ts';
import { folder, folderForAll } from '../folder.ts';
import { hiddenIn, leaks } from '../leaks.ts';
import { twoMachines } from '../talos-platform.ts';

/** A folder with a platform file in it. */
function place(text = twoMachines()): string {
  const path = folder();
  writeFileSync(join(path, 'platform.yaml'), text);
  return path;
}

const run = (cwd: string, args: readonly string[], env: Record<string, string> = {}): Ran =>
  ichor(['talos', ...args], { cwd, env: { HOME: cwd, ...env } });

const filesIn = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(path, name)).isFile())
    .toSorted()
    .map((name) => `${(statSync(join(path, name)).mode & 0o777).toString(8)} ${name}`);

const entropy = seededEntropy('journey');
const bundle = await newSecrets(entropy, testClock, '1.13');
const secrets = secretsText(bundle);

describe('from a file to the files of a cluster', () => {
  const cwd = folderForAll();
  writeFileSync(join(cwd, 'platform.yaml'), twoMachines());
  const first = run(cwd, ['gen']);
  const hidden = hiddenIn(readFileSync(join(cwd, 'talos/secrets.yaml'), 'utf8'));

  test('everything is written for its owner only', () => {
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout.split('\n').slice(0, 7)).toEqual([
      '+ talos/secrets.yaml  made',
      '+ talos/talosconfig  made',
      '+ talos/control-plane.yaml',
      '+ talos/worker.yaml',
      '+ talos/nodes/prod-cp-0.yaml',
      '+ talos/nodes/prod-general-0.yaml',
      expect.stringMatching(/^6 files written\. The talosconfig is good until \d{4}-\d\d-\d\d\.$/),
    ]);
    expect(filesIn(join(cwd, 'talos'))).toEqual([
      '600 .gitignore',
      '600 control-plane.yaml',
      '600 nodes/prod-cp-0.yaml',
      '600 nodes/prod-general-0.yaml',
      '600 secrets.yaml',
      '600 talosconfig',
      '600 worker.yaml',
    ]);
    expect(leaks(first.stdout, hidden)).toEqual([]);
  });

  test('a second run changes nothing and says so', () => {
    const before = filesIn(join(cwd, 'talos')).map((line) => readFileSync(join(cwd, 'talos', line.slice(4)), 'utf8'));
    expect(run(cwd, ['gen']).stdout).toMatch(/^Nothing to change\. The talosconfig is good until /);
    expect(filesIn(join(cwd, 'talos')).map((line) => readFileSync(join(cwd, 'talos', line.slice(4)), 'utf8'))).toEqual(
      before,
    );
  });

  test('programs read the same', () => {
    const { stdout } = run(cwd, ['gen', '--output', 'json']);
    expect(JSON.parse(stdout)).toEqual({
      folder: 'talos',
      dryRun: false,
      files: [
        'secrets.yaml',
        'talosconfig',
        'control-plane.yaml',
        'worker.yaml',
        'nodes/prod-cp-0.yaml',
        'nodes/prod-general-0.yaml',
      ].map((path) => ({ path, change: 'same' })),
      left: [],
      endpoints: ['10.10.0.11'],
      talosconfigExpires: expect.stringMatching(/Z$/) as string,
    });
    expect(leaks(stdout, hidden)).toEqual([]);
  });

  test('a change is tried before it is written', () => {
    const before = readFileSync(join(cwd, 'talos/nodes/prod-cp-0.yaml'), 'utf8');
    const { stdout, status } = run(cwd, ['gen', '--dry-run', '--set', 'cluster.kubernetes.version=v1.35.2']);
    expect(status).toBe(0);
    expect(stdout).toContain('~ talos/nodes/prod-cp-0.yaml');
    expect(stdout).toMatch(/4 files would be written; nothing was\./);
    expect(stdout).toMatch(/^ {4}machine\.kubelet\.image: \S+:v1\.36\.3 → \S+:v1\.35\.2$/m);
    expect(leaks(stdout, hidden)).toEqual([]);
    expect(readFileSync(join(cwd, 'talos/nodes/prod-cp-0.yaml'), 'utf8')).toBe(before);
  });

  test('who decided what is told, without what is secret', () => {
    expect(run(cwd, ['explain', 'cp-0', 'machine.type']).stdout).toMatch(
      /^path +value +because +changing it\nmachine\.type +controlplane +.* +reboot\n$/,
    );
    const { stdout } = run(cwd, ['explain', 'cp-0', '--output', 'json']);
    const { values } = JSON.parse(stdout) as { values: { path: string; value: string }[] };
    expect(values.find(({ path }) => path === 'machine.token')?.value).toBe('******');
    expect(leaks(stdout, hidden)).toEqual([]);
  });

  test('a kubeconfig comes from the secrets alone, into a file that may have others, once', () => {
    mkdirSync(join(cwd, '.kube'));
    const kept =
      'apiVersion: v1\nkind: Config\nclusters:\n- name: home\n  cluster:\n    server: https://home:6443\ncontexts: []\nusers: []\n';
    writeFileSync(join(cwd, '.kube/config'), kept);
    const once = run(cwd, ['kubeconfig', '--offline']);
    expect(once).toMatchObject({ status: 0, stderr: '' });
    expect(once.stdout).toBe(`written: ${join(cwd, '.kube/config')}, context admin@prod\n`);
    const text = readFileSync(join(cwd, '.kube/config'), 'utf8');
    expect(text).toContain('https://home:6443');
    expect(text).toContain('https://10.10.0.11:6443');
    expect(filesIn(join(cwd, '.kube'))).toEqual(['600 config']);
    expect(run(cwd, ['kubeconfig', '-f', 'platform.yaml']).stdout).toBe(
      `Nothing to change: context admin@prod in ${join(cwd, '.kube/config')} is good.\n`,
    );
    expect(run(cwd, ['kubeconfig', '--offline', '--out', '-']).stdout).toMatch(/^apiVersion: v1\n/);
  });

  test('a talosconfig is shown, renewed and merged', () => {
    const shown = run(cwd, ['talosconfig']);
    expect(shown.stdout).toMatch(
      /^talos\/talosconfig\n {3}context {2}endpoints {3}nodes {2}roles {5}ends\n\* {2}prod {5}10\.10\.0\.11 {9}os:admin {2}\d{4}-\d\d-\d\d \(in 365 days\)\n$/,
    );
    const before = readFileSync(join(cwd, 'talos/talosconfig'), 'utf8');
    expect(run(cwd, ['talosconfig', 'renew']).status).toBe(0);
    expect(readFileSync(join(cwd, 'talos/talosconfig'), 'utf8')).not.toBe(before);
    expect(run(cwd, ['talosconfig', 'merge', 'talos/talosconfig']).status).toBe(0);
    expect(filesIn(join(cwd, '.talos'))).toEqual(['600 config']);
    expect(run(cwd, ['talosconfig', 'merge', 'talos/talosconfig']).stdout).toBe(
      `Nothing to change: ${join(cwd, '.talos/config')} has them.\n`,
    );
    expect(run(cwd, ['gen']).stdout).toMatch(/^Nothing to change/);
  });
});

test('secrets of another tool are adopted to the byte, and never written over', () => {
  const cwd = place();
  writeFileSync(join(cwd, 'old.yaml'), `# by hand\n${secrets}`);
  expect(run(cwd, ['gen', '--secrets', 'old.yaml', '--node', 'cp-0']).stdout).toMatch(
    /^\+ talos\/secrets\.yaml {2}adopted from old\.yaml\n\+ talos\/talosconfig {2}made\n\+ talos\/nodes\/prod-cp-0\.yaml\n3 files written\./,
  );
  expect(readFileSync(join(cwd, 'talos/secrets.yaml'), 'utf8')).toBe(`# by hand\n${secrets}`);
  const other = run(place(), ['gen', '--out', 'elsewhere']);
  expect(other.status).toBe(0);
  writeFileSync(join(cwd, 'new.yaml'), secrets.replace(/(bootstraptoken: )\S+/, '$1aaaaaa.aaaaaaaaaaaaaaaa'));
  const refused = run(cwd, ['gen', '--secrets', 'new.yaml']);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toBe(
    'error: "talos/secrets.yaml" holds other secrets than "new.yaml".\n  Secrets are never written over, because a cluster is lost without them: choose another --out, or leave --secrets out.\n',
  );
});

test('a broken file of secrets is refused without a word of what is in it', () => {
  const cwd = place();
  mkdirSync(join(cwd, 'talos'));
  const broken = secrets.replace(/(crt: )\S+/, '$1bm90IGEgY2VydGlmaWNhdGU=').replace(/^ {4}token: .*$/m, '');
  writeFileSync(join(cwd, 'talos/secrets.yaml'), broken);
  const { status, stdout, stderr } = run(cwd, ['gen']);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^talos\/secrets\.yaml:\d+:\d+: error: /);
  expect(leaks(stdout + stderr, hiddenIn(secrets))).toEqual([]);
  expect(readFileSync(join(cwd, 'talos/secrets.yaml'), 'utf8')).toBe(broken);
});

describe('what is missing is said, with what to do', () => {
  const expired = async (): Promise<string> => {
    const before = { now: () => new Date('2020-01-01T00:00:00Z') };
    return talosconfigText(
      await newTalosconfig({ bundle, cluster: 'prod', endpoints: ['127.0.0.1'] }, entropy, before),
    );
  };
  const withSecret = twoMachines(
    undefined,
    'extensionServices: { tailscale: { secrets: { TS_AUTHKEY: { env: TS_AUTHKEY }, OTHER: { vault: a#b } } } }',
  );

  test('a patch that Talos would not read, where it is written', () => {
    const cwd = place(twoMachines(undefined, 'patches: [{ machine: { kubelet: { extraArg: { v: 4 } } } }]'));
    const { status, stderr } = run(cwd, ['gen']);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^platform\.yaml:\d+:\d+: error: .*There is no "extraArg" in machine\.kubelet\./);
    expect(stderr).toContain('Did you mean "extraArgs"?');
    expect(existsSync(join(cwd, 'talos'))).toBe(false);
  });

  test('references that cannot be fetched, all at once', () => {
    const { status, stderr } = run(place(withSecret), ['gen']);
    expect(status).toBe(1);
    expect(stderr).toContain('The environment variable TS_AUTHKEY is not set.');
    expect(stderr).toContain('ichor does not fetch secrets from vault yet.');
    expect(stderr).toContain('at cluster.extensionServices.tailscale.secrets.TS_AUTHKEY');
  });

  test('a reference that can be fetched is in the configuration and nowhere else', () => {
    const text = withSecret.replace(', OTHER: { vault: a#b }', '');
    const cwd = place(text);
    const { status, stdout, stderr } = run(cwd, ['gen'], { TS_AUTHKEY: 'tskey-hidden-0123' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toContain('tskey-hidden');
    expect(readFileSync(join(cwd, 'talos/nodes/prod-cp-0.yaml'), 'utf8')).toContain('TS_AUTHKEY=tskey-hidden-0123');
  });

  test.each<[what: string, args: readonly string[], says: string]>([
    [
      'a machine that is not there',
      ['gen', '--node', 'cp-7'],
      'error: There is no machine "cp-7" in platform "prod".\n  There is prod-cp-0, prod-general-0.\n',
    ],
    [
      'a platform that is not there',
      ['gen', '--only', 'test'],
      'error: There is no platform "test" here.\n  Choose one with --only: prod.\n',
    ],
    [
      'no talosconfig',
      ['version'],
      'error: There is no talosconfig here: ichor does not know who you are.\n  Name one with --talosconfig, or write one from your platform file:\n    ichor talos gen -f platform.yaml --out talos\n',
    ],
    [
      'no secrets',
      ['kubeconfig', '--offline'],
      'error: There is no "talos/secrets.yaml": the cluster’s secrets are not here.\n  Name their folder with --from, or make them:\n    ichor talos gen --out talos\n',
    ],
    [
      'no node',
      ['reboot', '--talosconfig', 'expired'],
      'error: This changes nodes, and none is named.\n  Name them: -n 10.10.0.11, or several with commas between.\n',
    ],
    [
      'an expired certificate',
      ['version', '--talosconfig', 'expired'],
      'error: The certificate of context "prod" in "expired" ended on 2020-12-31.\n  Renew it from the cluster’s secrets; no node is needed:\n    ichor talos gen -f platform.yaml --out talos\n',
    ],
    [
      'an unknown context',
      ['version', '--talosconfig', 'expired', '--context', 'x'],
      'error: There is no context "x" in expired.\n  It has: prod.\n',
    ],
  ])('%s', async (_, args, says) => {
    const cwd = place();
    writeFileSync(join(cwd, 'expired'), await expired());
    const { status, stdout, stderr } = run(cwd, args);
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: says });
    const json = run(cwd, [...args, '--output', 'json']);
    expect((JSON.parse(json.stdout) as { problems: unknown[] }).problems).toHaveLength(1);
    expect(existsSync(join(cwd, 'talos'))).toBe(false);
  });
});
