import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KubernetesTarget } from '../kubernetes.ts';
import { findHelm } from './helm.ts';

let folder: string;
let env: NodeJS.ProcessEnv;
const signal = new AbortController().signal;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-test-'));
  env = {
    PATH: [folder, dirname(process.execPath)].join(delimiter),
    HELM_NAMESPACE: 'elsewhere',
    HELM_KUBETOKEN: 'x',
    OUT: join(folder, 'said'),
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A helm that notes what it is given. */
const helmIs = async (body: string): Promise<void> => {
  const file = join(folder, 'helm');
  const script = `#!${process.execPath}
const fs = require('node:fs');
const [first, ...rest] = process.argv.slice(2);
if (first === 'version') { console.log('v4.3.1+gabc'); process.exit(); }
${body}`;
  await writeFile(file, script);
  await chmod(file, 0o755);
};

const target: KubernetesTarget = {
  server: 'https://10.10.0.5:6443',
  ca: 'CA',
  tlsServerName: 'kubernetes',
  insecure: false,
  proxy: undefined,
  credentials: { kind: 'certificate', crt: 'CRT', key: 'KEY' },
  as: undefined,
  namespace: 'default',
};
const order = { words: (file: string) => ['upgrade', 'cilium', '--values', file], values: '{"a":1}' };

test('helm is given a kubeconfig and values in files of our own, and nothing stays behind', async () => {
  await helmIs(`fs.writeFileSync(process.env.OUT, JSON.stringify({
  rest, values: fs.readFileSync(rest[2], 'utf8'), kubeconfig: JSON.parse(fs.readFileSync(process.env.KUBECONFIG, 'utf8')),
  modes: [rest[2], process.env.KUBECONFIG].map((file) => (fs.statSync(file).mode & 0o777).toString(8)),
  helm: Object.keys(process.env).filter((name) => name.startsWith('HELM_')) }));`);
  const helm = await findHelm(env, signal);
  expect(helm?.version).toBe('v4.3.1');
  await helm?.run(order, target, signal);
  const said = JSON.parse(await readFile(join(folder, 'said'), 'utf8')) as { readonly rest: readonly string[] };
  const file = said.rest[2] ?? '';
  expect(said).toEqual({
    rest: ['cilium', '--values', file],
    values: '{"a":1}',
    modes: ['600', '600'],
    helm: [],
    kubeconfig: {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'ichor',
      clusters: [
        {
          name: 'ichor',
          cluster: {
            server: 'https://10.10.0.5:6443',
            'certificate-authority-data': 'Q0E=',
            'tls-server-name': 'kubernetes',
          },
        },
      ],
      users: [{ name: 'ichor', user: { 'client-certificate-data': 'Q1JU', 'client-key-data': 'S0VZ' } }],
      contexts: [{ name: 'ichor', context: { cluster: 'ichor', user: 'ichor', namespace: 'default' } }],
    },
  });
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('what helm complains about is told, without where its values were', async () => {
  await helmIs(`console.error('Error: chart not found'); process.exit(1);`);
  const helm = await findHelm(env, signal);
  await expect(helm?.run(order, target, signal)).rejects.toMatchObject({
    code: 'helm-failed',
    message: 'helm upgrade cilium --values VALUES failed:\n  Error: chart not found',
  });
});

test('no helm, and a helm that does not work, are none', async () => {
  expect(await findHelm(env, signal)).toBeUndefined();
  await writeFile(join(folder, 'helm'), `#!${process.execPath}\nprocess.exit(1);`);
  await chmod(join(folder, 'helm'), 0o755);
  expect(await findHelm(env, signal)).toBeUndefined();
});
