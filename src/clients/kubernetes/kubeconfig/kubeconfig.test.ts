import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../../../../test/folder.ts';
import { Problem, Problems } from '../../../model/problem.ts';
import type { KubernetesTarget } from '../../kubernetes.ts';
import { proxyFromEnvironment } from './proxies.ts';
import { findKubernetes, type Choice } from './target.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A folder with files, and what is found there. */
function place(files: Readonly<Record<string, string>>) {
  const home = folder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(home, name, '..'), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return {
    home,
    find: (choice: Choice = {}, env: Record<string, string> = {}): Promise<KubernetesTarget> =>
      findKubernetes(
        { ...choice, ...(choice.file === undefined ? {} : { file: join(home, choice.file) }) },
        { env: { HOME: home, ...env } },
      ),
  };
}

/** What a person reads: code, message, `file:line:column`. */
async function told(found: Promise<unknown>, home: string): Promise<readonly unknown[]> {
  const error: unknown = await found.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const problem = error instanceof Problems ? error.problems[0] : error;
  if (!(problem instanceof Problem)) throw new Error('not a problem', { cause: error });
  const { code, message, at } = problem;
  const where = at === undefined ? '' : `${at.file}:${at.line}:${at.column}`;
  return [code, message.replaceAll(home, 'HOME'), where.replaceAll(home, 'HOME')];
}

const usual = `
apiVersion: v1
kind: Config
current-context: a
clusters:
- name: one
  cluster:
    server: https://10.0.0.1:6443
    certificate-authority-data: ${base64('THE CA')}
- name: two
  cluster:
    server: https://10.0.0.2:6443
    certificate-authority: pki/ca.crt
    tls-server-name: kubernetes
    proxy-url: http://proxy:3128
- name: three
  cluster: {server: 'https://10.0.0.3:6443', insecure-skip-tls-verify: true}
contexts:
- {name: a, context: {cluster: one, user: admin}}
- {name: b, context: {cluster: two, user: robot, namespace: flux}}
- {name: c, context: {cluster: three, user: person}}
- {name: d, context: {cluster: one, user: plugin}}
- {name: e, context: {cluster: one}}
users:
- name: admin
  user:
    client-certificate-data: ${base64('THE CRT')}
    client-key-data: ${base64('THE KEY')}
- name: robot
  user: {tokenFile: run/token, token: old, as: eve, as-groups: [x], as-uid: "7", as-user-extra: {k: [v]}}
- name: person
  user: {username: me, password: pw, client-certificate: crt, client-key: key}
- name: plugin
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: bin/login
      args: [--cluster, one]
      env: [{name: A, value: b}]
      provideClusterInfo: true
      installHint: get it
`;

const files = { '.kube/config': usual, '.kube/pki/ca.crt': 'CA OF TWO', '.kube/crt': 'CRT', '.kube/key': 'KEY' };

const one: KubernetesTarget = {
  server: 'https://10.0.0.1:6443',
  ca: 'THE CA',
  tlsServerName: undefined,
  insecure: false,
  proxy: undefined,
  credentials: { kind: 'certificate', crt: 'THE CRT', key: 'THE KEY' },
  as: undefined,
  namespace: 'default',
};

describe('a kubeconfig', () => {
  test('has contexts, one of which is the current one', async () => {
    const { home, find } = place(files);
    expect(await find()).toEqual(one);
    expect(await find({ context: 'b' })).toEqual({
      server: 'https://10.0.0.2:6443',
      ca: 'CA OF TWO',
      tlsServerName: 'kubernetes',
      insecure: false,
      proxy: 'http://proxy:3128',
      credentials: { kind: 'token-file', path: join(home, '.kube/run/token'), token: 'old' },
      as: { user: 'eve', uid: '7', groups: ['x'], extra: { k: ['v'] } },
      namespace: 'flux',
    });
    expect(await find({ context: 'c' })).toEqual({
      ...one,
      server: 'https://10.0.0.3:6443',
      ca: undefined,
      insecure: true,
      credentials: { kind: 'password', username: 'me', password: 'pw', certificate: { crt: 'CRT', key: 'KEY' } },
    });
    expect((await find({ context: 'd' })).credentials).toEqual({
      kind: 'exec',
      plugin: {
        apiVersion: 'client.authentication.k8s.io/v1beta1',
        command: join(home, '.kube/bin/login'),
        args: ['--cluster', 'one'],
        env: { A: 'b' },
        interactive: 'IfAvailable',
        clusterInfo: true,
        clusterConfig: undefined,
        installHint: 'get it',
      },
    });
    expect((await find({ context: 'e' })).credentials).toEqual({ kind: 'nobody' });
  });

  test('may be several: whoever says something first is believed, and paths are meant from their own file', async () => {
    const part = (server: string, current: string): string => `
current-context: ${current}
clusters: [{name: k, cluster: {server: ${server}, certificate-authority: ca}}]
contexts: [{name: x, context: {cluster: k}}, {name: only-${server.at(-1)}, context: {cluster: k, namespace: 2026-01-01}}]
`;
    const { home, find } = place({
      'a/config': part('https://a', ''),
      'a/ca': 'CA A',
      'b/config': part('https://b', 'only-b'),
      'b/ca': 'CA B',
    });
    const KUBECONFIG = [
      join(home, 'missing'),
      join(home, 'a/config'),
      '',
      join(home, 'b/config'),
      join(home, 'a/config'),
    ].join(':');
    expect(await find({}, { KUBECONFIG })).toMatchObject({ server: 'https://a', ca: 'CA A', namespace: '2026-01-01' });
    expect(await find({ file: 'b/config', context: 'x' }, { KUBECONFIG })).toMatchObject({
      server: 'https://b',
      ca: 'CA B',
    });
  });

  test('is taken from the pod where there is none', async () => {
    const { home, find } = place({ 'sa/token': 't', 'sa/ca.crt': 'CA', 'sa/namespace': 'mine\n' });
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const serviceAccount = join(home, 'sa');
    expect(await find({ serviceAccount }, env)).toEqual({
      ...one,
      server: 'https://[fd00::1]:443',
      ca: 'CA',
      credentials: { kind: 'token-file', path: join(home, 'sa/token') },
      namespace: 'mine',
    });
    expect(await told(find({ serviceAccount }), home)).toEqual(['kubeconfig-missing', 'There is no kubeconfig.', '']);
  });
});

describe('what is wrong with a kubeconfig is told with its place, and without what is written there', () => {
  const wrong = async (text: string, choice: Choice = {}) => {
    const { home, find } = place({ c: text });
    return told(find({ file: 'c', ...choice }), home);
  };

  test.each<[text: string, message: string, place: string]>([
    ['clusters: [', 'This is not YAML: bad indent.', 'HOME/c:1:12'],
    ['a: b\n\t- s3cret', 'This is not YAML: tab as indent.', 'HOME/c:2:1'],
    ['- a', 'This is no kubeconfig.', 'HOME/c:1:1'],
    ['kind: Pod', 'This is no kubeconfig.', 'HOME/c:1:1'],
    ['users:\n- name: a\n  user:\n    token: 12345', '"token" has to be text; put it into quotes.', 'HOME/c:4:12'],
    [
      'contexts:\n- {name: a, context: {namespace: on}}',
      '"namespace" has to be text; put it into quotes.',
      'HOME/c:2:34',
    ],
    ['clusters:\n- {name: a}\n- {name: a}', '"clusters" names "a" twice.', 'HOME/c:3:10'],
    [
      'clusters:\n- {name: a, cluster: {certificate-authority-data: "?"}}',
      '"certificate-authority-data" is not base64.',
      'HOME/c:2:51',
    ],
    [
      `clusters:\n- {name: a, cluster: {certificate-authority-data: AAAA, certificate-authority: x}}`,
      'Only one of "certificate-authority" and "certificate-authority-data" can be given.',
      'HOME/c:2:80',
    ],
    [
      'users:\n- {name: a, user: {client-certificate: x}}',
      'A client certificate needs "client-key" or "client-key-data".',
      'HOME/c:2:40',
    ],
    [
      'users:\n- {name: a, user: {token: x, username: me}}',
      'A user can have a token or a password, not both.',
      'HOME/c:2:27',
    ],
    [
      'users:\n- {name: a, user: {as-groups: [x]}}',
      '"as-uid", "as-groups" and "as-user-extra" need "as".',
      'HOME/c:2:19',
    ],
    [
      'users:\n- name: a\n  user: {exec: {command: x, apiVersion: client.authentication.k8s.io/v1alpha1}}',
      'Plugins speak client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1; this one has another apiVersion.',
      'HOME/c:3:41',
    ],
    [
      'users:\n- name: a\n  user: {exec: {command: x, apiVersion: client.authentication.k8s.io/v1}}',
      '"interactiveMode" has to be Never, IfAvailable, Always.',
      'HOME/c:3:16',
    ],
  ])('%j', async (text, message, at) => {
    expect(await wrong(text)).toEqual(['kubeconfig-wrong', message, at]);
  });

  test('contexts that exist are named', async () => {
    const text =
      'current-context: prod\ncontexts: [{name: prd, context: {cluster: x}}, {name: test, context: {}}]\nclusters: [{name: other}]';
    expect(await wrong(text)).toEqual([
      'kubeconfig-unknown-context',
      'The kubeconfig has no context "prod". There are: prd, test.',
      'HOME/c:1:18',
    ]);
    expect(await wrong(text, { context: 'tset' })).toEqual([
      'kubeconfig-unknown-context',
      'The kubeconfig has no context "tset". There are: prd, test.',
      '',
    ]);
    expect(await wrong(text.replace('current-context: prod', 'x: y'))).toEqual([
      'kubeconfig-no-context',
      'The kubeconfig does not say which context is the current one. There are: prd, test.',
      '',
    ]);
    expect(await wrong(text, { context: 'prd' })).toEqual([
      'kubeconfig-wrong',
      'The context "prd" names the cluster "x", which is not there; there are other.',
      'HOME/c:2:19',
    ]);
  });

  test('files that are missing are named', async () => {
    const { home, find } = place({
      c: 'clusters: [{name: k, cluster: {server: "https://a", certificate-authority: ca}}]\ncontexts: [{name: x, context: {cluster: k}}]',
    });
    expect(await told(find({ file: 'none' }), home)).toEqual([
      'kubeconfig-unreadable',
      'The kubeconfig HOME/none is not there.',
      '',
    ]);
    expect(await told(find({ file: 'c', context: 'x' }), home)).toEqual([
      'kubeconfig-unreadable',
      'The certificate authority of "k" cannot be read from HOME/ca.',
      'HOME/c:1:19',
    ]);
  });

  test('an auth-provider of old is told what replaced it', async () => {
    const text =
      'current-context: x\nclusters: [{name: k, cluster: {server: "https://a"}}]\ncontexts: [{name: x, context: {cluster: k, user: u}}]\nusers: [{name: u, user: {auth-provider: {name: gcp}}}]';
    expect((await wrong(text)).slice(0, 2)).toEqual([
      'kubeconfig-auth-provider',
      'The user "u" logs in by the auth-provider "gcp", which is no longer used.',
    ]);
  });
});

test.each<[server: string, env: Record<string, string>, proxy: string | undefined]>([
  ['https://10.0.0.1:6443', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  ['https://10.0.0.1:6443', { https_proxy: 'p:1' }, 'http://p:1'],
  ['https://10.0.0.1:6443', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['https://127.0.0.1:6443', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ['https://10.0.0.1:6443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '10.0.0.0/8' }, undefined],
  ['https://10.0.0.1:6443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '10.0.0.2, 10.0.0.1' }, undefined],
  ['https://10.0.0.1:6443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '10.0.0.1:443' }, 'http://p:1'],
  ['https://[fd00::1]:6443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'fd00::1' }, undefined],
  ['https://[fd00::1]:6443', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'fd00::/16' }, undefined],
  ['https://k.acme.io', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'acme.io' }, undefined],
  ['https://k.acme.io', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*.acme.io' }, undefined],
  ['https://acme.io', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.acme.io' }, 'http://p:1'],
  ['https://kacme.io', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'acme.io' }, 'http://p:1'],
  ['https://kacme.io', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
])('the environment’s proxy for %s with %j is %s', (server, env, proxy) => {
  expect(proxyFromEnvironment(server, env)).toBe(proxy);
});
