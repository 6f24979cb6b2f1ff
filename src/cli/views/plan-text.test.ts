import { expect, test } from 'vitest';
import { aPlan, aProof, bringUp, names, previewOf, rollout, tearDown } from '../../../test/plans.ts';
import type { Terminal } from '../terminal.ts';
import { previewJson } from './plan-json.ts';
import { planText } from './plan-text.ts';
import { stepWords } from './step-words.ts';

const page = (columns: number): Terminal => ({
  out: () => {},
  err: () => {},
  paint: (_, text) => text,
  columns,
  interactive: false,
});

const golden = (name: string): string => `../../../test/golden/plan/${name}`;

const plans = {
  'bring-up': bringUp(3, 3),
  'bring-up-hundred': bringUp(3, 100),
  rollout: rollout(),
  destroy: tearDown(names(3, 3), 'delete'),
  'destroy-everything': tearDown(names(1, 2), 'wipe', true),
  nothing: aPlan([]),
  'nothing-but-questions': { ...rollout(), steps: [] },
};

test.each(Object.entries(plans))('%s reads as it should', async (name, plan) => {
  await expect(planText(previewOf(plan), page(100))).toMatchFileSnapshot(golden(`${name}.txt`));
});

test('a narrow terminal gets narrow lines', async () => {
  const text = planText(previewOf(plans.rollout), page(60));
  await expect(text).toMatchFileSnapshot(golden('rollout-narrow.txt'));
  const words = text.split('\n').filter((line) => !/^ +(ichor|qm) /.test(line));
  expect(Math.max(...words.map((line) => line.length))).toBeLessThanOrEqual(60);
});

test('what does not fit is said with what is missing', () => {
  const text = planText(previewOf(plans['bring-up'], aProof(false)), page(100));
  expect(text).toContain('Does not fit: 6 machines on 3 hosts; 12GiB memory missing on pve2.');
});

test('hundreds of machines that are treated alike take the room of one', () => {
  const few = planText(previewOf(bringUp(3, 9)), page(100)).split('\n').length;
  const many = planText(previewOf(bringUp(3, 500)), page(100)).split('\n').length;
  expect(many).toBe(few);
});

test('programs get the same plan, as JSON that stays', async () => {
  const text = `${JSON.stringify(previewJson(previewOf(plans.rollout)), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(golden('rollout.json'));
});

test('a machine is emptied once, however many steps that takes, and restarts as often as it does', () => {
  const steps = rollout().steps.slice(0, 3);
  const told = (disruption: 'drain' | 'restart'): string =>
    planText(previewOf(aPlan(steps.map((step) => ({ ...step, machine: 'prod-cp-0', disruption })))), page(100));
  expect(told('drain')).toContain('Disturbs: 1 drain.');
  expect(told('restart')).toContain('Disturbs: 3 restarts.');
});

test('another image of the same version is told as one', () => {
  const image = 'factory.talos.dev/nocloud-installer/abc:v1.13.9';
  const step = { kind: 'talos.upgrade', machine: 'm', ref: undefined, from: 'v1.13.9', to: 'v1.13.9', image } as const;
  expect(stepWords(step).what).toBe(`Talos v1.13.9 with other extensions or kernel arguments: ${image}`);
  expect(stepWords({ ...step, from: 'v1.13.8' }).what).toBe('Talos v1.13.8 → v1.13.9');
});
