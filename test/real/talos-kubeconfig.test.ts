import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { systemClock, systemEntropy } from '../../src/state/system.ts';
import { mergeKubeconfig } from '../../src/talos/kubeconfig/merge.ts';
import { newKubeconfig } from '../../src/talos/kubeconfig/new.ts';
import { readKubeconfig } from '../../src/talos/kubeconfig/read.ts';
import { fromBase64 } from '../../src/talos/pki/pem.ts';
import { aBundle } from '../arbitrary/secrets.ts';
import { anatomyOf, type Anatomy } from '../certificate-anatomy.ts';
import { folder } from '../folder.ts';
import { sweep } from '../sweep.ts';
import { askAll } from './oracle.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';

const endpoint = 'https://10.0.0.100:6443';

test('a kubeconfig from the secrets is the one that a node makes', { timeout: buildTimeoutMs }, async () => {
  const bundle = await aBundle(0);
  const own = await newKubeconfig({ bundle, cluster: 'prod', endpoint }, systemEntropy, systemClock);
  const generate = { cluster: 'prod', endpoint, ...bundle.certs.k8s };
  const [theirs = ''] = await askAll<string>('kubeconfig', [{ generate }]);

  const blank = (text: string): string => text.replaceAll(/(client-\S+): \S+/g, '$1: …');
  expect(blank(own)).toBe(blank(theirs));
  expect(clientOf(own)).toEqual(clientOf(theirs));
});

/** Life in whole minutes: Talos asks the clock twice. */
function clientOf(text: string): Anatomy {
  const data = readKubeconfig(text, 'kubeconfig').users[0]?.user?.['client-certificate-data'];
  const anatomy = anatomyOf(fromBase64(typeof data === 'string' ? data : '') ?? '');
  return { ...anatomy, days: Math.floor(anatomy.days * 1440) / 1440 };
}

type Part = { readonly cluster: string; readonly server: string; readonly token: string; readonly context: string };

const fileOf = (parts: readonly Part[]): string =>
  stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: parts.map(({ cluster, server }) => ({ name: cluster, cluster: { server } })),
      users: parts.map(({ cluster, token }) => ({ name: `admin@${cluster}`, user: { token } })),
      contexts: parts.map(({ cluster, context }) => ({
        name: context,
        context: { cluster, user: `admin@${cluster}` },
      })),
      'current-context': parts[0]?.context ?? '',
    },
    { compat: 'yaml-1.1' },
  );

/** Everything that counts, in no order. */
function meaningOf(text: string): unknown {
  const { currentContext, clusters, contexts, users } = readKubeconfig(text, 'kubeconfig');
  const flat = (items: readonly object[]): readonly string[] =>
    items.map((item) => JSON.stringify(item, sorted)).toSorted();
  return [currentContext, flat(clusters), flat(contexts), flat(users)];
}

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

test(
  'talosctl merges kubeconfigs as we do, asked to rename and asked to overwrite',
  { timeout: buildTimeoutMs },
  async () => {
    const { numRuns, seed } = sweep('kubeconfigs merged by talosctl', 500, 5000);
    const part = fc.record({
      cluster: fc.constantFrom('prod', 'prod-1', 'test'),
      server: fc.constantFrom('https://a', 'https://b'),
      token: fc.constantFrom('x', 'y'),
      context: fc.constant(''),
    });
    const named = part.chain((one) =>
      fc.constantFrom(`admin@${one.cluster}`, `my-${one.cluster}`).map((context) => ({ ...one, context })),
    );
    const existing = fc.uniqueArray(named, { selector: ({ cluster }) => cluster });
    const merges = fc
      .sample(
        fc.record({ existing, token: fc.constantFrom('x', 'y'), conflict: fc.constantFrom('rename', 'overwrite') }),
        { numRuns, seed },
      )
      .map(({ token, conflict, ...given }) => ({
        existing: fileOf(given.existing),
        added: fileOf([{ cluster: 'prod', server: 'https://a', token, context: 'admin@prod' }]),
        conflict: conflict === 'rename' ? ('rename' as const) : ('overwrite' as const),
      }));
    const theirs = await askAll<string>(
      'kubeconfig',
      merges.map((merge) => ({ merge })),
    );

    const differing = merges.filter(({ existing: text, added, conflict }, index) => {
      const ours = mergeKubeconfig({ text, file: 'config' }, added, conflict).text;
      return JSON.stringify(meaningOf(ours)) !== JSON.stringify(meaningOf(theirs[index] ?? ''));
    });
    console.log(`kubeconfigs: ${numRuns - differing.length} of ${numRuns} merges equal`);
    expect(differing).toEqual([]);
  },
);

test('kubectl reads our kubeconfig, and one that we merged it into', { timeout: buildTimeoutMs }, async () => {
  const kubectl = await peerProgram('kubectl');
  const file = join(folder(), 'config');
  const bundle = await aBundle(0);
  const request = { bundle, cluster: 'prod', endpoint };
  const own = await newKubeconfig(request, systemEntropy, systemClock);
  const theirs = fileOf([{ cluster: 'prod', server: 'https://other', token: 'x', context: 'admin@prod' }]);
  const contextsOf = (text: string): unknown => {
    writeFileSync(file, text, { mode: 0o600 });
    const args = ['--kubeconfig', file, 'config', 'view', '--output', 'json'];
    const { stdout, stderr } = spawnSync(kubectl, args, { encoding: 'utf8' });
    expect(stderr).toBe('');
    const view = JSON.parse(stdout) as { 'current-context': string; contexts: { name: string; context: object }[] };
    return [view['current-context'], ...view.contexts.map(({ name, context }) => [name, context])];
  };

  expect(contextsOf(own)).toEqual([
    'admin@prod',
    ['admin@prod', { cluster: 'prod', namespace: 'default', user: 'admin@prod' }],
  ]);
  expect(contextsOf(mergeKubeconfig({ text: theirs, file: 'config' }, own).text)).toEqual([
    'admin@prod-1',
    ['admin@prod', { cluster: 'prod', user: 'admin@prod' }],
    ['admin@prod-1', { cluster: 'prod-1', namespace: 'default', user: 'admin@prod-1' }],
  ]);
  const on = await newKubeconfig({ ...request, cluster: 'on' }, systemEntropy, systemClock);
  const contextOfOn = { cluster: 'on', namespace: 'default', user: 'admin@on' };
  expect(contextsOf(on)).toEqual(['admin@on', ['admin@on', contextOfOn]]);
  expect(contextsOf(mergeKubeconfig({ text: '', file: 'config' }, on).text)).toEqual([
    'admin@on',
    ['admin@on', contextOfOn],
  ]);
});
