import { beforeAll, describe, expect, test } from 'vitest';
import { seededEntropy, testClock, testNow } from '../../test/entropy.ts';
import { newSecrets } from '../talos/secrets/new.ts';
import { newTalosconfig } from '../talos/talosconfig/new.ts';
import { talosconfigText, type Talosconfig } from '../talos/talosconfig/talosconfig.ts';
import { nodesOfContext, unconfiguredNodes, type Chosen } from './talos-access.ts';

let config: Talosconfig;
beforeAll(async () => {
  const entropy = seededEntropy('access');
  const bundle = await newSecrets(entropy, testClock, '1.13');
  config = await newTalosconfig(
    { bundle, cluster: 'prod', endpoints: ['10.0.0.1', '10.0.0.2:50001'] },
    entropy,
    testClock,
  );
});

const file = (given: Talosconfig = config) => ({ text: talosconfigText(given), file: 'talosconfig' });
const withNodes = (nodes: readonly string[], endpoints: readonly string[]): Talosconfig => ({
  ...config,
  contexts: new Map([...config.contexts].map(([name, context]) => [name, { ...context, nodes, endpoints }])),
});

describe('nodes are', () => {
  test.each<[what: string, given: () => Talosconfig, chosen: Chosen, targets: readonly string[]]>([
    [
      'those that are named',
      () => config,
      { nodes: ['10.0.0.9'], endpoints: ['10.0.0.8'] },
      ['10.0.0.9 10.0.0.9:50000'],
    ],
    [
      'else the endpoints that are named',
      () => config,
      { endpoints: ['[fd00::1]:50002'] },
      ['[fd00::1]:50002 fd00::1:50002'],
    ],
    ['else the nodes of the context', () => withNodes(['10.0.0.5'], ['10.0.0.1']), {}, ['10.0.0.5 10.0.0.5:50000']],
    ['else its endpoints', () => config, {}, ['10.0.0.1 10.0.0.1:50000', '10.0.0.2:50001 10.0.0.2:50001']],
  ])('%s', (_, given, chosen, targets) => {
    const nodes = nodesOfContext(file(given()), chosen, testClock);
    expect(nodes.map(({ name, target }) => `${name} ${target.host}:${target.port}`)).toEqual(targets);
    const context = config.contexts.get('prod');
    expect(nodes[0]?.target.access).toEqual({ kind: 'mutual', ca: context?.ca, crt: context?.crt, key: context?.key });
  });
});

describe('refused is', () => {
  test.each<[what: string, given: () => Talosconfig, chosen: Chosen, at: Date, code: string, message: string]>([
    [
      'an unknown context',
      () => config,
      { context: 'test' },
      testNow,
      'talosconfig-context',
      'There is no context "test" in talosconfig.',
    ],
    [
      'a context without addresses',
      () => withNodes([], []),
      {},
      testNow,
      'no-node',
      'Context "prod" of "talosconfig" names no node and no endpoint.',
    ],
    [
      'a certificate that has ended',
      () => config,
      {},
      new Date('2027-11-16T12:00:00Z'),
      'certificate-expired',
      'The certificate of context "prod" in "talosconfig" ended on 2027-11-16.',
    ],
  ])('%s', (_, given, chosen, at, code, message) => {
    expect(() => nodesOfContext(file(given()), chosen, { now: () => at })).toThrow(
      expect.objectContaining({ code, message }),
    );
  });
});

test('machines in maintenance mode need no talosconfig', () => {
  expect(unconfiguredNodes(['10.0.0.1'], undefined)).toEqual([
    { name: '10.0.0.1', target: { host: '10.0.0.1', port: 50000, access: { kind: 'maintenance' } } },
  ]);
  expect(unconfiguredNodes(['10.0.0.1'], 'x=')[0]?.target.access).toEqual({ kind: 'maintenance', fingerprint: 'x=' });
});
