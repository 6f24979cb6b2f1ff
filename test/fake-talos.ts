import type { OpenTalos, ProbeTalos, Resource, Standing, TalosNode } from '../src/clients/talos.ts';
import type { NamedNode } from '../src/engine/talos-nodes.ts';
import type { Patience } from '../src/engine/talos-wait.ts';

/** A node that can do what a test gives it, and notes what it was asked; anything else is the test’s mistake. */
export function fakeNode(can: Partial<TalosNode>, asked: string[] = []): TalosNode {
  const node = new Proxy(can as TalosNode, {
    get: (given, name, receiver) => {
      if (name === Symbol.asyncDispose) return () => Promise.resolve();
      const value: unknown = Reflect.get(given, name, receiver);
      if (typeof value !== 'function') throw new Error(`The fake node cannot do ${String(name)}.`);
      return (...args: unknown[]): unknown => {
        asked.push(String(name));
        return Reflect.apply(value, given, args);
      };
    },
  });
  return node;
}

export const namedNodes = (...names: readonly string[]): readonly NamedNode[] =>
  names.map((name) => ({ name, target: { host: name, access: { kind: 'maintenance' } } }));

/** Opens nodes by their host. */
export const opens =
  (nodes: Readonly<Record<string, TalosNode>>): OpenTalos =>
  ({ host }) => {
    const node = nodes[host];
    if (node === undefined) throw new Error(`There is no fake node ${host}.`);
    return node;
  };

/** Says one standing after the other; the last stays. */
export function probes(...standings: readonly Standing[]): ProbeTalos {
  let at = 0;
  return () => Promise.resolve(standings[Math.min(at++, standings.length - 1)]!);
}

/** Time that passes only where somebody waits. */
export function patience(atMostMs = 60_000): Patience {
  let now = Date.parse('2026-01-01T00:00:00Z');
  return {
    clock: { now: () => new Date(now) },
    pause: (ms) => {
      now += ms;
      return Promise.resolve();
    },
    everyMs: 1000,
    atMostMs,
  };
}

export const resource = (given: Partial<Resource>): Resource => ({
  namespace: 'runtime',
  type: 'MachineStatuses.runtime.talos.dev',
  id: 'machine',
  version: '1',
  phase: 'running',
  owner: 'runtime.MachineStatusController',
  created: new Date('2026-01-01T00:00:00Z'),
  updated: new Date('2026-01-01T00:00:00Z'),
  labels: {},
  annotations: {},
  finalizers: [],
  spec: {},
  yaml: '',
  proto: new Uint8Array(),
  ...given,
});

export const gathered = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** The given values, one call after the other; the last stays. An error is thrown. */
export function sequence<T>(...values: readonly (T | Error)[]): () => Promise<T> {
  let at = 0;
  return () => {
    const value = values[Math.min(at++, values.length - 1)]!;
    return value instanceof Error ? Promise.reject(value) : Promise.resolve(value);
  };
}
