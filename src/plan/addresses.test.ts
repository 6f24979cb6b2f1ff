import { expect, test } from 'vitest';
import { settle } from '../../test/arbitrary/worlds.ts';
import { empty } from '../../test/imagined.ts';
import { builtFrom, planFor, platformWith } from '../../test/planned.ts';
import { idOf } from './graph.ts';

const range = '10.10.0.21-10.10.0.22';
const withPool = (pool: string, addresses = range) =>
  platformWith({
    pools: { [pool]: 2 },
    worker: { addresses },
    cluster: {
      controlPlane: { replicas: 1, addresses: '10.10.0.11-10.10.0.11' },
      network: { addresses: 'static', nodes: '10.10.0.0/24', gateway: '10.10.0.1' },
    },
  });

test('a pool with another name and the same addresses takes nobody down, and somebody is asked', () => {
  const built = builtFrom(withPool('general'));
  const { steps, asks } = planFor(withPool('apps'), built);
  expect(steps.map(({ id }) => id)).toEqual([]);
  expect(asks.map(({ code, message }) => [code, message])).toEqual([
    ['address-taken', 'p-apps-0 is not made: p-general-0 has its address, 10.10.0.21.'],
    ['address-taken', 'p-apps-1 is not made: p-general-1 has its address, 10.10.0.22.'],
  ]);
});

test('with addresses of its own it comes first, and the old one goes then', () => {
  const apps = withPool('apps', '10.10.0.31-10.10.0.32');
  const built = builtFrom(withPool('general'));
  expect(planFor(apps, built).asks).toEqual([]);
  const end = settle(apps, built);
  expect(Object.keys(end?.machines ?? {}).toSorted()).toEqual(['p-apps-0', 'p-apps-1', 'p-cp-0']);
});

test('whoever does nothing makes room for who is to have its address', () => {
  const built = builtFrom(withPool('general'));
  for (const name of ['p-general-0', 'p-general-1']) {
    built.machines[name]!.disk = 'empty';
    delete built.nodes![name];
  }
  const { steps, asks } = planFor(withPool('apps'), built);
  expect(asks).toEqual([]);
  const create = steps.find(({ id }) => id === idOf('machine.create', 'p-apps-0'));
  expect(create?.after).toContain(idOf('machine.delete', 'p-general-0'));
});

test('only an address that nobody knows is known afterwards', () => {
  const reveals = (platform: ReturnType<typeof platformWith>): readonly unknown[] =>
    planFor(platform, empty(platform)).steps.flatMap(({ step, reveals: what }) =>
      step.kind === 'talos.reach' ? [what] : [],
    );
  expect(reveals(withPool('general'))).toEqual([undefined, undefined, undefined]);
  expect(reveals(platformWith({ pools: { w: 1 } }))).toEqual(['the address of p-cp-0', 'the address of p-w-0']);
});
