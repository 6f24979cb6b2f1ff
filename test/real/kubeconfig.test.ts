import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findKubernetes } from '../../src/clients/kubernetes/kubeconfig/target.ts';
import type { KubernetesTarget } from '../../src/clients/kubernetes.ts';
import { Problem, Problems } from '../../src/model/problem.ts';
import { folder } from '../folder.ts';
import { sweep } from '../sweep.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const some = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

const cluster = fc.record({
  server: fc.constantFrom('https://a:6443', 'https://b', 'http://c:8080/k8s'),
  'tls-server-name': some('kubernetes'),
  'proxy-url': some('http://p:1'),
  ca: fc.constantFrom('none', 'data', 'file', 'insecure'),
});
const user = fc.record({
  token: some('t', '2026-01-01', 'yes'),
  tokenFile: some('run/token'),
  certificate: fc.constantFrom('none', 'data', 'file'),
  as: some('eve'),
  exec: some('login', './bin/login', '/opt/login'),
});
const named = <T>(names: readonly string[], part: fc.Arbitrary<T>) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...names), part), { selector: ([name]) => name, maxLength: 3 });
const file = fc.record({
  current: some('x', 'y'),
  clusters: named(['one', 'two'], cluster),
  users: named(['me', 'you'], user),
  contexts: named(
    ['x', 'y'],
    fc.record({
      cluster: fc.constantFrom('one', 'two'),
      user: fc.constantFrom('me', 'you'),
      namespace: some('on', 'shop'),
    }),
  ),
});
type File = typeof file extends fc.Arbitrary<infer T> ? T : never;

/** As JSON, which is YAML; what is undefined is not written. */
const textOf = ({ current, clusters, users, contexts }: File, index: number): string =>
  JSON.stringify({
    'current-context': current,
    clusters: clusters.map(([name, { ca, ...given }]) => ({
      name,
      cluster: {
        ...given,
        ...(ca === 'data' ? { 'certificate-authority-data': base64(`CA ${index}`) } : {}),
        ...(ca === 'file' ? { 'certificate-authority': 'pki/ca' } : {}),
        ...(ca === 'insecure' ? { 'insecure-skip-tls-verify': true } : {}),
      },
    })),
    users: users.map(([name, { certificate, exec, ...given }]) => ({
      name,
      user: {
        ...given,
        ...(certificate === 'data' ? { 'client-certificate-data': base64('C'), 'client-key-data': base64('K') } : {}),
        ...(certificate === 'file' ? { 'client-certificate': 'pki/crt', 'client-key': 'pki/key' } : {}),
        ...(exec === undefined
          ? {}
          : { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: exec, interactiveMode: 'Never' } }),
      },
    })),
    contexts: contexts.map(([name, context]) => ({ name, context })),
  });

type Entry = Readonly<Record<string, unknown>>;
type View = {
  readonly clusters: { cluster: Entry }[];
  readonly users: { user: Entry }[];
  readonly contexts: { context: Entry }[];
};

const decoded = (data: unknown): string | undefined =>
  typeof data === 'string' ? Buffer.from(data, 'base64').toString() : undefined;

/** `config view` shows these two as they stand in their file, and not from where they are meant. */
const asWritten = (path: unknown): string | undefined =>
  typeof path === 'string' ? path.replace(/^.*\/ichor-test-[^/]*\/\d\//, '').replace(/^\.\//, '') : undefined;

/** What kubectl would use, in our words. Besides a plugin or a file other tokens are only spare. */
function meantBy({ clusters, users, contexts }: View): unknown {
  const there = clusters[0]?.cluster ?? {};
  const { user: given = {} } = users[0] ?? {};
  const exec = given['exec'] as Entry | undefined;
  return {
    server: there['server'],
    ca: decoded(there['certificate-authority-data']),
    tlsServerName: there['tls-server-name'],
    insecure: there['insecure-skip-tls-verify'] ?? false,
    proxy: there['proxy-url'],
    crt: decoded(given['client-certificate-data']),
    key: decoded(given['client-key-data']),
    exec: asWritten(exec?.['command']),
    tokenFile: exec === undefined ? asWritten(given['tokenFile']) : undefined,
    token: exec === undefined ? given['token'] : undefined,
    as: given['as'],
    namespace: contexts[0]?.context['namespace'] ?? 'default',
  };
}

function meantByUs({ credentials, as, ...rest }: KubernetesTarget): unknown {
  const certificate =
    credentials.kind === 'certificate'
      ? credentials
      : 'certificate' in credentials
        ? credentials.certificate
        : undefined;
  return {
    ...rest,
    crt: certificate?.crt,
    key: certificate?.key,
    exec: credentials.kind === 'exec' ? asWritten(credentials.plugin.command) : undefined,
    tokenFile: credentials.kind === 'token-file' ? asWritten(credentials.path) : undefined,
    token: 'token' in credentials ? credentials.token : undefined,
    as: as?.user,
  };
}

test('kubectl finds the same cluster and the same user in the same files', { timeout: buildTimeoutMs }, async () => {
  const kubectl = await peerProgram('kubectl');
  const { numRuns, seed } = sweep('kubeconfigs read by kubectl', 60, 1000);
  let found = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 3 }), some('x', 'y', 'z'), async (files, context) => {
      const home = folder();
      const paths = files.map((content, index) => {
        const own = join(home, String(index));
        mkdirSync(join(own, 'pki'), { recursive: true });
        for (const name of ['ca', 'crt', 'key']) writeFileSync(join(own, 'pki', name), `${name} of ${index}`);
        writeFileSync(join(own, 'config'), textOf(content, index));
        return join(own, 'config');
      });
      const env = { HOME: home, KUBECONFIG: [join(home, 'missing'), ...paths].join(':') };
      const args = ['config', 'view', '--minify', '--flatten', '--raw', '-o', 'json'];
      const { status, stdout } = spawnSync(
        kubectl,
        [...args, ...(context === undefined ? [] : ['--context', context])],
        { encoding: 'utf8', env },
      );
      const ours = await findKubernetes(context === undefined ? {} : { context }, { env }).catch((error: unknown) => {
        if (error instanceof Problem || error instanceof Problems) return undefined;
        throw error;
      });
      if (status !== 0) {
        refused++;
        expect(ours).toBeUndefined();
      } else {
        found++;
        expect(ours === undefined ? undefined : meantByUs(ours)).toEqual(meantBy(JSON.parse(stdout) as View));
      }
    }),
    { numRuns, seed },
  );
  console.log(`kubeconfigs: ${found} read the same, ${refused} refused by both`);
  expect(found).toBeGreaterThan(0);
});
