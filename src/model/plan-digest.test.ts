import { expect, test } from 'vitest';
import { beyond, planDifferences, planDigest } from './plan-digest.ts';
import type { Plan, PlannedStep } from './plan.ts';

const start = (name: string, host = 'pve1', after: readonly string[] = []): PlannedStep => ({
  id: `machine.start ${name}`,
  layer: 'machines',
  machine: name,
  step: {
    kind: 'machine.start',
    machine: name,
    ref: { mark: { platform: 'prod', name, uuid: 'u' }, id: '401', host },
  },
  after,
  because: 'it is off',
  disruption: 'none',
  expectedMs: 1000,
});

const plan = (steps: readonly PlannedStep[], rest: Partial<Plan> = {}): Plan => ({
  platform: 'prod',
  intent: 'converge',
  made: '2026-11-17T12:00:00Z',
  steps,
  drift: [],
  asks: [],
  doubts: [],
  partial: false,
  ...rest,
});

const cp0 = start('cp-0');
const cp1 = start('cp-1');
const two = plan([cp0, cp1]);

test('a plan that was saved and read again is the same plan', () => {
  const reach: PlannedStep = { ...cp0, id: 'r', step: { kind: 'talos.reach', machine: 'cp-0', ref: undefined } };
  const made = plan([reach]);
  const read = JSON.parse(JSON.stringify(made)) as Plan;
  expect(planDigest(read)).toBe(planDigest(made));
  expect(planDifferences(read, made)).toEqual([]);
});

test('reasons, times and the moment do not count', () => {
  const later = plan([{ ...cp0, because: 'somebody stopped it', expectedMs: 1 }, cp1], { made: 'later' });
  expect(planDigest(later)).toBe(planDigest(two));
  expect(planDifferences(two, later)).toEqual([]);
});

test.each<[string, Plan, readonly string[]]>([
  ['a step less', plan([cp0]), ['machine.start cp-1 is no longer to be done']],
  ['a step more', plan([cp0, cp1, start('cp-2')]), ['machine.start cp-2 is new']],
  [
    'another host',
    plan([cp0, start('cp-1', 'pve2')]),
    ['machine.start cp-1 is other than it was: ref.host pve1 -> pve2'],
  ],
  [
    'another parent',
    plan([cp0, start('cp-1', 'pve1', [cp0.id])]),
    ['machine.start cp-1 comes after other steps than it did'],
  ],
  ['another order', plan([cp1, cp0]), ['the same steps are to be done in another order']],
  ['another platform', plan([cp0, cp1], { platform: 'test' }), ['it is about prod, not about test']],
  ['another intent', plan([cp0, cp1], { intent: 'destroy' }), ['it is to converge, not to destroy']],
])('%s is said', (_, now, differences) => {
  expect(planDifferences(two, now)).toEqual(differences);
  expect(planDigest(now)).not.toBe(planDigest(two));
});

test('what is left of a plan is within it; another place, another number, another file is not', () => {
  const files = (...paths: readonly string[]): PlannedStep => ({
    ...cp0,
    id: 'artifacts.write',
    step: { kind: 'artifacts.write', files: paths },
  });
  const sized = (host: string, cpu: number): PlannedStep => ({
    ...cp0,
    id: 'machine.create cp-0',
    step: {
      kind: 'machine.create',
      machine: 'cp-0',
      order: { host, shape: { cpu } },
    } as unknown as PlannedStep['step'],
  });
  const saved = plan([cp0, files('a', 'b'), sized('pve1', 4)]);
  expect(beyond(saved, plan([start('cp-0', 'pve2'), files('b'), sized('pve1', 4)]))).toEqual([]);
  expect(beyond(saved, plan([cp1, files('a', 'c'), sized('pve2', 4)]))).toEqual([
    'machine.start cp-1 is not in the saved plan',
    'artifacts.write is other than in the saved plan: files c is new',
    'machine.create cp-0 is other than in the saved plan: order.host pve1 -> pve2',
  ]);
});
