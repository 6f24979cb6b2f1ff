import { expect, test } from 'vitest';
import { seen, type Imagined } from '../../test/imagined.ts';
import { builtFrom, planFor, platformWith } from '../../test/planned.ts';
import type { World } from '../model/world.ts';
import { planPlatform } from './plan.ts';

const at = (addresses: Readonly<Record<string, string>>) =>
  platformWith({
    machines: {
      existing: {
        machines: Object.fromEntries(Object.entries(addresses).map(([name, address]) => [name, { address }])),
      },
    },
    pools: { w: 2 },
  });
const platform = at({ 'cp-0': '10.0.0.1', 'w-0': '10.0.0.2', 'w-1': '10.0.0.3' });

/** The same machines, each where the other one is said to be. */
function swapped(imagined: Imagined, one: string, other: string, changes: World['machines']): World {
  const world = seen(imagined, platform);
  const talos = new Map(world.machines.map((each) => [each.name, each.talos]));
  const from = (name: string): string => (name === one ? other : name === other ? one : name);
  const machines = world.machines.map((each) => ({ ...each, talos: talos.get(from(each.name)) ?? each.talos }));
  return { ...world, machines: machines.map((each) => changes.find(({ name }) => name === each.name) ?? each) };
}

test('addresses of two machines that were swapped in the file re-role nobody', () => {
  const [control, worker] = ['cp-0', 'w-0'].map(
    (name) => platform.machines.find((each) => each.name.endsWith(name))!.name,
  );
  const world = swapped(builtFrom(platform), control!, worker!, []);
  const { plan } = planPlatform(platform, world, { intent: 'converge' });
  expect(plan.steps).toEqual([]);
  expect(plan.asks.map(({ code, message }) => [code, message])).toEqual([
    [
      'machine-other',
      `At 10.0.0.1, where the file has ${control}, stands a machine that says it is ${worker}. Nothing is changed on it.`,
    ],
    [
      'machine-other',
      `At 10.0.0.2, where the file has ${worker}, stands a machine that says it is ${control}. Nothing is changed on it.`,
    ],
  ]);
});

test('a machine does not become one of another kind by a change of its configuration', () => {
  const built = builtFrom(platform);
  const worker = Object.values(built.machines).find(({ role }) => role === 'worker')!;
  worker.changes = [{ path: 'machine.type', before: 'controlplane', after: 'worker', reboot: true }];
  const { steps, asks } = planFor(platform, built);
  expect([steps, asks.map(({ code }) => code)]).toEqual([[], ['machine-other']]);
  expect(asks[0]?.message).toContain('stands a controlplane, and');
});
