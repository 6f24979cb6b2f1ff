import { expect, test } from 'vitest';
import { fakeNode, opens, probes } from '../../test/fake-talos.ts';
import { MemoryStore } from '../../test/memory-store.ts';
import { outline } from '../../test/observe/outline.ts';
import { platformOf, twoMachines } from '../../test/talos-platform.ts';
import type { Standing, TalosNode } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import type { Memory, World } from '../model/world.ts';
import type { Eyes } from './eyes.ts';
import { observe } from './observe.ts';

const platform = platformOf(twoMachines());
const config = 'version: v1alpha1\nmachine: { type: worker }\n';
const problem = (code: string, message = code): Problem => new Problem(code, message);

const answering = (hostname: string, more: Partial<TalosNode> = {}): TalosNode =>
  fakeNode({
    version: async () => ({ tag: 'v1.13.9', sha: '', arch: '', platform: '', mode: '' }),
    machineStatus: async () => ({ stage: 'running', ready: true, unmet: [] }),
    hostname: async () => hostname,
    machineConfig: async () => config,
    list: async () => [],
    services: async () => [{ id: 'etcd', state: 'Preparing', health: 'unknown', message: '', events: [preState] }],
    ...more,
  });
const preState = { state: 'Preparing', message: 'Running pre state', at: new Date(0) };
const failing = (code: string): TalosNode => fakeNode({ ...everyCall(() => Promise.reject(problem(code))) });
const everyCall = (call: () => Promise<never>): Partial<TalosNode> => ({
  version: call,
  machineStatus: call,
  hostname: call,
  machineConfig: call,
  list: call,
});

async function look(
  nodes: Readonly<Record<string, TalosNode>>,
  given: {
    readonly memory?: Partial<Memory>;
    readonly standing?: Standing;
    readonly secrets?: string;
    readonly fails?: string;
  } = {},
): Promise<World> {
  const store = new MemoryStore('secrets' in given ? given.secrets : 'secret');
  store.remembered = { ...(await store.memory(platform.name)), ...given.memory };
  const eyes: Eyes = {
    clock: { now: () => new Date(0) },
    reader: undefined,
    talos: { open: opens(nodes), probe: probes(given.standing ?? { kind: 'absent', because: 'nothing listens' }) },
    openKubernetes: () => {
      throw new Error('Nobody asks for Kubernetes here.');
    },
    store,
    wanted: {
      talosAccess: async () => ({ kind: 'mutual', ca: '', crt: '', key: '' }),
      kubernetes: () => Promise.reject(problem('endpoint-unknown', 'Nobody knows yet where it is.')),
      apiServers: () => [],
      config: async () => {
        if (given.fails !== undefined) throw problem(given.fails);
        return config;
      },
      artifacts: [],
      artifact: () => Promise.reject(new Error('not here')),
      network: { kind: 'none' },
      addressRule: () => ({ mac: '', network: undefined, not: [] }),
      fixedAddress: (machine) => platform.machines.find(({ name }) => name === machine)?.fixed.address,
      hostname: (machine) => machine,
    },
  };
  return observe(platform, eyes, AbortSignal.timeout(5000));
}

const rest = ['etcd none', 'nodes no cluster', 'network not-ours'];

test('machines that somebody made are where the file says', async () => {
  const world = await look({ '10.10.0.11': answering('prod-cp-0'), '10.10.0.21': answering('prod-general-0') });
  expect(outline(world)).toEqual(['prod-cp-0 running', 'prod-general-0 running', ...rest]);
  expect(world.provider).toBeUndefined();
});

test('one that we configured and that left the file is where it was, and not wanted', async () => {
  const world = await look(
    {
      '10.10.0.11': answering('prod-cp-0'),
      '10.10.0.21': answering('prod-general-0'),
      '10.10.0.29': answering('prod-general-9'),
    },
    { memory: { configured: { 'prod-general-9': { address: '10.10.0.29', role: 'worker' } } } },
  );
  expect(outline(world)[2]).toBe('prod-general-9 left running');
});

test('whoever does not know our authority is somebody else’s', async () => {
  const world = await look({ '10.10.0.11': failing('talos-other-cluster'), '10.10.0.21': answering('prod-general-0') });
  expect(outline(world)).toEqual(['prod-cp-0 foreign', 'prod-general-0 running', ...rest]);
});

test('one that still waits in maintenance mode is asked for its fingerprint', async () => {
  const maintenance = { kind: 'maintenance', version: 'v1.13.9', fingerprint: 'abc=' } as const;
  const world = await look(
    { '10.10.0.11': failing('talos-still-maintenance'), '10.10.0.21': answering('prod-general-0') },
    { standing: maintenance },
  );
  expect(world.machines[0]?.talos).toEqual({ kind: 'known', value: maintenance });
});

test('without secrets nothing can be ours', async () => {
  const world = await look({}, { secrets: undefined as never, standing: { kind: 'configured' } });
  expect(outline(world)).toEqual(['prod-cp-0 foreign', 'prod-general-0 foreign', ...rest]);
});

test('nobody concludes from silence that a cluster which was bootstrapped has no etcd', async () => {
  const nodes = { '10.10.0.11': failing('talos-unreachable'), '10.10.0.21': answering('prod-general-0') };
  expect(outline(await look(nodes))[2]).toBe('etcd none');
  const memory = { bootstrap: { machine: 'prod-cp-0', chosenAt: '2026-11-16T12:00:00Z' } };
  expect(outline(await look(nodes, { memory })).slice(2)).toEqual([
    'etcd ? prod-cp-0 may have it, and cannot be asked: talos-unreachable',
    'nodes ? Nobody knows yet where it is.',
    'network not-ours',
  ]);
});

test('a configuration that hangs on an address which nobody sees leaves it open what is other', async () => {
  const nodes = { '10.10.0.11': answering('prod-cp-0'), '10.10.0.21': answering('prod-general-0') };
  expect(outline(await look(nodes, { fails: 'endpoint-unknown' }))[0]).toBe('prod-cp-0 ? endpoint-unknown');
  await expect(look(nodes, { fails: 'patch-wrong' })).rejects.toThrow('patch-wrong');
});
