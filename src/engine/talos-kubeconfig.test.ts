import { describe, expect, test } from 'vitest';
import { seededEntropy, testClock, testNow } from '../../test/entropy.ts';
import { platformOf, twoMachines } from '../../test/talos-platform.ts';
import { readKubeconfig } from '../talos/kubeconfig/read.ts';
import { newSecrets } from '../talos/secrets/new.ts';
import { issueKubeconfig, placeKubeconfig } from './talos-kubeconfig.ts';

describe('a kubeconfig from the secrets alone', async () => {
  const entropy = seededEntropy('kubeconfig');
  const bundle = await newSecrets(entropy, testClock, '1.13');
  const issued = (text = twoMachines()) =>
    issueKubeconfig({ platform: platformOf(text), bundle, resolved: new Map() }, { clock: testClock, entropy });
  const first = await issued();
  const at = (days: number) => ({ now: () => new Date(testNow.getTime() + days * 86_400_000) });

  test('leads to where the platform has its API', () => {
    const { currentContext, clusters } = readKubeconfig(first, 'kubeconfig');
    expect([currentContext, clusters.map(({ name, cluster }) => [name, cluster?.['server']])]).toEqual([
      'admin@prod',
      [['prod', 'https://10.10.0.11:6443']],
    ]);
  });

  test('stays as it is while it is good', async () => {
    const again = await issued();
    expect(again).not.toBe(first);
    const placed = (days: number) => placeKubeconfig({ text: first, file: 'kubeconfig' }, again, at(days));
    expect(placed(243)).toEqual({ text: first, context: 'admin@prod', changed: false });
    expect(placed(244).changed).toBe(true);
  });

  test('is renewed where the API has moved, and leaves other clusters alone', async () => {
    const moved = await issued(twoMachines(undefined, 'endpoint: { host: k8s.example.org }'));
    const other = first
      .replaceAll('admin@prod', 'admin@home')
      .replaceAll('name: prod', 'name: home')
      .replaceAll('cluster: prod', 'cluster: home');
    const { text, context } = placeKubeconfig({ text: other, file: 'kubeconfig' }, moved, testClock);
    const merged = readKubeconfig(text, 'kubeconfig');
    expect([context, merged.clusters.map(({ name, cluster }) => [name, cluster?.['server']])]).toEqual([
      'admin@prod',
      [
        ['home', 'https://10.10.0.11:6443'],
        ['prod', 'https://k8s.example.org:6443'],
      ],
    ]);
  });
});
