import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../../../../test/folder.ts';
import { aScriptedApi, certificates, patient, refusal, type Script } from '../../../../test/kubernetes/scripted.ts';
import { told } from '../../../../test/talos/told.ts';
import { Problem } from '../../../model/problem.ts';
import { readableKey } from '../../talos/credentials.ts';
import type { ExecPlugin, KubernetesTarget } from '../../kubernetes.ts';
import { runPlugin } from './exec-plugin.ts';
import { execProver } from './exec.ts';
import { tokenFile } from './token-file.ts';

const target: KubernetesTarget = {
  server: 'https://10.0.0.1:6443',
  ca: 'PEM',
  tlsServerName: 'kubernetes',
  insecure: false,
  proxy: undefined,
  credentials: { kind: 'nobody' },
  as: undefined,
  namespace: 'default',
};
const v1 = 'client.authentication.k8s.io/v1';

/** A plugin that runs a shell script in a folder of its own. */
function aPlugin(script: string, more: Partial<ExecPlugin> = {}): ExecPlugin & { readonly home: string } {
  const home = folder();
  const command = join(home, 'login');
  writeFileSync(command, `#!/bin/sh\ncd "${home}"\n${script}\n`);
  chmodSync(command, 0o700);
  return {
    apiVersion: v1,
    command,
    args: [],
    env: {},
    interactive: 'Never',
    clusterInfo: false,
    clusterConfig: undefined,
    installHint: undefined,
    home,
    ...more,
  };
}

const printing = (status: object, apiVersion = v1): string =>
  `cat <<'END'\n${JSON.stringify({ apiVersion, kind: 'ExecCredential', status })}\nEND`;
const env = { PATH: process.env['PATH'], INHERITED: 'yes' };

describe('a plugin', () => {
  test('is told what it is asked for, with the environment of both', async () => {
    const plugin = aPlugin(
      `echo "$KUBERNETES_EXEC_INFO" > info; echo "$1 $INHERITED $OWN" > seen; ${printing({ token: 't' })}`,
      {
        args: ['login'],
        env: { OWN: 'mine' },
        clusterInfo: true,
        clusterConfig: { audience: 'x' },
      },
    );
    expect(await runPlugin(plugin, target, { env }, patient)).toEqual({
      token: 't',
      certificate: undefined,
      expires: undefined,
    });
    expect(readFileSync(join(plugin.home, 'seen'), 'utf8')).toBe('login yes mine\n');
    expect(JSON.parse(readFileSync(join(plugin.home, 'info'), 'utf8'))).toEqual({
      kind: 'ExecCredential',
      apiVersion: v1,
      spec: {
        cluster: {
          server: 'https://10.0.0.1:6443',
          'tls-server-name': 'kubernetes',
          'certificate-authority-data': Buffer.from('PEM').toString('base64'),
          config: { audience: 'x' },
        },
        interactive: false,
      },
    });
  });

  test.each<[script: string, message: string]>([
    ['echo no >&2; exit 3', 'it ended with code 3.\nIt said:\n    no'],
    ['echo hello', 'it did not print JSON.'],
    ['echo "{}"', 'it printed something else than an ExecCredential.'],
    [
      printing({ token: 't' }, 'client.authentication.k8s.io/v1beta1'),
      `it answered in client.authentication.k8s.io/v1beta1, and the kubeconfig says ${v1}.`,
    ],
    [printing({}), 'it gave neither a token nor a certificate.'],
    [printing({ clientKeyData: 'k' }), 'it gave only one of certificate and key.'],
    [printing({ token: 't', expirationTimestamp: 'soon' }), 'its expirationTimestamp is no time.'],
  ])('that fails is quoted: %j', async (script, message) => {
    const plugin = aPlugin(script);
    expect(await told(runPlugin(plugin, target, { env }, patient))).toEqual({
      code: 'kubernetes-plugin-failed',
      recovery: 'ask',
      message: `The plugin "${plugin.command}" gave no credentials: ${message}`,
    });
  });

  test('that says something secret is not quoted with it', async () => {
    const jwt = `ey${'Jhbx'.repeat(5)}.eyJzdWIi.c2ln`;
    const script = `printf '\\033[31mrefused\\033[0m\\npassword: hunter2\\ntoken %s was not taken\\n' ${jwt} >&2; exit 1`;
    const { message } = await told(runPlugin(aPlugin(script), target, { env }, patient));
    expect(message.split('\n').slice(1)).toEqual([
      'It said:',
      '    refused',
      '    password: *******',
      '    token … was not taken',
    ]);
  });

  test('that is not there is named with its hint', async () => {
    const plugin = { ...aPlugin(''), command: 'no-such-plugin', installHint: 'Get it from \u001B[1macme\u001B[0m' };
    const problem: unknown = await runPlugin(plugin, target, { env }, patient).catch((error: unknown) => error);
    if (!(problem instanceof Problem)) throw problem;
    expect([problem.code, problem.message, problem.remedy]).toEqual([
      'kubernetes-plugin-missing',
      'The kubeconfig asks the plugin "no-such-plugin" for credentials, and it is not installed.',
      'Get it from acme\nInstall it, or name another program in the kubeconfig’s users[].user.exec.command:\n    command -v no-such-plugin',
    ]);
  });

  test('that has to ask somebody is not run where nobody is, and heard live where somebody is', async () => {
    const plugin = aPlugin(`echo "open https://acme" >&2; ${printing({ token: 't' })}`, { interactive: 'Always' });
    expect((await told(runPlugin(plugin, target, { env }, patient))).code).toBe('kubernetes-plugin-interactive');
    const heard: string[] = [];
    await runPlugin(plugin, target, { env, terminal: true, warn: (line) => heard.push(line) }, patient);
    expect(heard).toEqual(['open https://acme']);
  });

  test('is run once for everybody, and again when what it gave has expired or was not taken', async () => {
    const plugin = aPlugin(`echo x >> runs; ${printing({ token: 't', expirationTimestamp: '2026-11-17T10:00:00Z' })}`);
    const runs = (): number => readFileSync(join(plugin.home, 'runs'), 'utf8').length / 2;
    let now = new Date('2026-11-17T09:00:00Z');
    const prover = execProver(plugin, target, { certificate: undefined }, { env, now: () => now });
    const [proof] = await Promise.all(Array.from({ length: 5 }, async () => prover.proof(patient)));
    expect(proof?.authorization).toBe('Bearer t');
    expect(await prover.proof(patient)).toBe(proof);
    expect(runs()).toBe(1);
    now = new Date('2026-11-17T10:00:00Z');
    await Promise.all([prover.proof(patient), prover.proof(patient)]);
    expect(runs()).toBe(2);
    now = new Date('2026-11-17T09:00:00Z');
    const taken = await prover.proof(patient);
    expect(prover.renew(taken)).toBe(true);
    await prover.proof(patient);
    expect(runs()).toBe(3);
  });

  test('may give a certificate, which new connections show', async () => {
    const { admin, authority } = await certificates();
    const second = await authority.issue({ name: 'second', use: ['client'] });
    const home = folder();
    const give = ({ crt, key }: { crt: string; key: string }): void =>
      writeFileSync(
        join(home, 'answer'),
        JSON.stringify({
          apiVersion: v1,
          kind: 'ExecCredential',
          status: { clientCertificateData: crt, clientKeyData: readableKey(key) },
        }),
      );
    give(admin);
    let refusing = false;
    const script: Script = ({ path }) => {
      if (path !== '/version') return undefined;
      if (!refusing) return { body: {} };
      refusing = false;
      return refusal(401, 'Unauthorized', 'Unauthorized');
    };
    await using api = await aScriptedApi(script);
    await using client = api.open({ env }, { credentials: { kind: 'exec', plugin: aPlugin(`cat ${home}/answer`) } });
    await client.version(patient);
    await client.version(patient);
    expect(api.connections()).toBe(1);
    give(second);
    refusing = true;
    await client.version(patient);
    expect([api.connections(), api.asked.length]).toEqual([2, 4]);
  });
});

describe('a token in a file', () => {
  test('is read again after a minute, and kept while the file cannot be read', async () => {
    const path = join(folder(), 'token');
    writeFileSync(path, 'one\n');
    let now = 0;
    const prover = tokenFile({ path }, { certificate: undefined }, () => new Date(now));
    const header = async () => (await prover.proof(patient)).authorization;
    expect(await header()).toBe('Bearer one');
    writeFileSync(path, 'two');
    now = 59_000;
    expect(await header()).toBe('Bearer one');
    now = 60_000;
    expect(await header()).toBe('Bearer two');
    rmSync(path);
    now = 200_000;
    expect(await header()).toBe('Bearer two');
  });

  test('is read at once when it was not taken', async () => {
    const path = join(folder(), 'token');
    writeFileSync(path, 'old');
    await using api = await aScriptedApi(({ headers }) => {
      if (headers.authorization === 'Bearer new') return { body: {} };
      writeFileSync(path, 'new');
      return refusal(401, 'Unauthorized', 'Unauthorized');
    });
    await using client = api.open({}, { credentials: { kind: 'token-file', path } });
    await client.version(patient);
    expect(api.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
  });

  test('that is not there is a problem, unless there is one besides', async () => {
    const path = join(folder(), 'token');
    const prover = tokenFile({ path }, { certificate: undefined }, () => new Date(0));
    expect((await told(Promise.resolve(prover.proof(patient)))).message).toBe(`The token cannot be read from ${path}.`);
    const other = tokenFile({ path, token: 'given' }, { certificate: undefined }, () => new Date(0));
    expect((await other.proof(patient)).authorization).toBe('Bearer given');
  });
});

test('nothing secret is sent over a connection that anybody can read', async () => {
  const { proverOf } = await import('./prover.ts');
  const secret: KubernetesTarget = { ...target, credentials: { kind: 'token', token: 's3cret' } };
  expect(await proverOf(secret, false, {}).proof(patient)).toEqual({
    identity: { certificate: undefined },
    authorization: undefined,
  });
  expect(await proverOf(secret, true, {}).proof(patient)).toEqual({
    identity: { certificate: undefined },
    authorization: 'Bearer s3cret',
  });
});
