import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ichorBeside } from '../cli.ts';
import { folderForAll } from '../folder.ts';
import { servedTwin, twinNode, type ServedTwin } from '../kubernetes/twin.ts';
import { twoMachines } from '../talos-platform.ts';

/** A cluster with a network, and two pods on a worker: one that is made anew, one that is not. */
describe('a cluster that runs', () => {
  const place = folderForAll();
  let served: ServedTwin;

  beforeAll(async () => {
    served = await servedTwin([twinNode('prod-cp-0', true), twinNode('prod-general-0')], { cni: 'flannel' });
  });
  afterAll(() => served[Symbol.asyncDispose]());

  const run = (...words: readonly string[]) => ichorBeside([...words, '--kubeconfig', served.kubeconfig]);

  test('the network that Talos brings is waited for', async () => {
    const file = join(place, 'platform.yaml');
    writeFileSync(file, twoMachines(undefined, 'cni: { flannel: {} }'));
    const { status, stdout, stderr } = await run('cni', 'install', '-f', file, '-o', 'json');
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      network: 'flannel',
      outcome: 'not-ours',
      reasons: ['Talos brings flannel by itself.'],
    });
  });

  test('a node that never comes is named', async () => {
    const file = join(place, 'more.yaml');
    const [two, one] = ['general-1: { address: 10.10.0.22 }', 'general-0: { address: 10.10.0.21 }'];
    const text = twoMachines(undefined, 'cni: { flannel: {} }').replace(one, `${one}, ${two}`);
    writeFileSync(file, text.replace('general: { replicas: 1 }', 'general: { replicas: 2 }'));
    const { status, stderr } = await run('cni', 'install', '-f', file, '--timeout', '1s');
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /Waited \d s for all nodes to be Ready, in vain: prod-general-1: it has not joined the cluster yet\./,
      ),
    ]);
  });

  test('a node is emptied when that is said, and takes pods again', async () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'alone', namespace: 'default' },
      spec: { nodeName: 'prod-general-0', containers: [{ name: 'a', image: 'example.org/a' }] },
    };
    served.twin.api.create('/pods', pod, { manager: 'somebody' });
    const refused = await run('drain', 'prod-general-0');
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('default/alone on prod-general-0 stays: nobody makes it anew.'),
    ]);
    const drained = await run('drain', 'prod-general-0', '--unmanaged', '-o', 'json');
    expect([drained.status, JSON.parse(drained.stdout)]).toMatchObject([0, { node: 'prod-general-0' }]);
    expect((JSON.parse(drained.stdout) as { gone: string[] }).gone).toContain('default/alone');
    expect((await run('drain', 'prod-general-0', '--undo')).stdout).toBe('prod-general-0 takes pods again.\n');
    expect((await run('drain', 'prod-general-0', '--undo')).stdout).toBe(
      'Nothing to change: prod-general-0 takes pods.\n',
    );
  });

  test('a node that is not there', async () => {
    const { status, stderr } = await run('drain', 'w-9');
    expect([status, stderr]).toEqual([1, expect.stringContaining('There is no node w-9 in this cluster.')]);
  });
});
