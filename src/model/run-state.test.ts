import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diceOf } from '../../test/dice.ts';
import { bringUp, rollout } from '../../test/plans.ts';
import { start, walkEvents } from '../../test/run-events.ts';
import { allSteps, byLayer, countPhases, elapsedMs, followRun, leftMs, runMs, shownPass } from './run-state.ts';
import { criticalPathMs } from './plan.ts';

const anyRun = fc
  .record({
    seed: fc.nat(),
    failures: fc.constantFrom(0, 5, 50),
    again: fc.constantFrom(0, 20),
    stopAfter: fc.constantFrom(10, 60, 100_000),
    plan: fc.constantFrom(bringUp(3, 3), bringUp(1, 0), rollout()),
  })
  .map(({ seed, plan, ...wishes }) => ({ plan, events: walkEvents(plan, diceOf(seed), wishes) }));

test('every step is in exactly one phase, at every moment', () => {
  fc.assert(
    fc.property(anyRun, ({ plan, events }) => {
      const { tell, state } = followRun();
      for (const event of events) {
        tell(event);
        const pass = shownPass(state());
        if (pass === undefined) continue;
        const counts = Object.values(countPhases(pass.steps.values()));
        expect(counts.reduce((total, each) => total + each, 0)).toBe(plan.steps.length);
        expect([...byLayer(pass.steps.values()).values()].flat()).toHaveLength(plan.steps.length);
      }
    }),
    { numRuns: 30 },
  );
});

test('durations add up: steps lie within the run, and as long as they said', () => {
  fc.assert(
    fc.property(anyRun, ({ events }) => {
      const { tell, state } = followRun();
      for (const event of events) tell(event);
      const { ended, outcome } = state();
      const last = ended ?? start;
      const told = new Map(
        events.flatMap((event) => (event.kind === 'step-done' ? [[event.step, event.ms] as const] : [])),
      );
      for (const step of allSteps(state())) {
        expect(elapsedMs(step, last)).toBeLessThanOrEqual(runMs(state(), last));
        if (step.phase === 'done')
          expect(Math.abs(elapsedMs(step, last) - (told.get(step.id) ?? 0))).toBeLessThanOrEqual(900);
        expect(['done', 'failed', 'skipped']).toContain(step.phase);
      }
      expect(countPhases(allSteps(state())).done).toBe(outcome?.changed);
      expect(state().doing).toBe('ended');
    }),
    { numRuns: 30 },
  );
});

test('what is left is never more than the way that is left, from the whole way to nothing', () => {
  const plan = bringUp(3, 3);
  const { tell, state } = followRun();
  const done = new Set<string>();
  let left = criticalPathMs(plan.steps);
  for (const event of walkEvents(plan, diceOf(7), { failures: 0, again: 0 })) {
    tell(event);
    const pass = shownPass(state());
    if (pass === undefined || event.kind === 'began') continue;
    if (event.kind === 'step-done') done.add(event.step);
    left = leftMs(pass, event.at);
    const way = criticalPathMs(plan.steps.map((step) => (done.has(step.id) ? { ...step, expectedMs: 0 } : step)));
    expect(left).toBeLessThanOrEqual(way);
    if (done.size === 0) expect(left).toBeGreaterThan(way / 2);
  }
  expect(left).toBe(0);
});

test('where everything takes a twentieth of what was expected, so does what is left', () => {
  const plan = bringUp(3, 3);
  const { tell, state } = followRun();
  tell({ kind: 'planned', at: start, pass: 1, plan });
  let at = start;
  for (const { id, expectedMs } of plan.steps.slice(0, 20)) {
    tell({ kind: 'step-began', at, step: id, attempt: 1 });
    at = new Date(at.getTime() + expectedMs / 20);
    tell({ kind: 'step-done', at, step: id, ms: expectedMs / 20 });
  }
  const pass = shownPass(state())!;
  const expected = criticalPathMs(
    plan.steps.map((step, index) => ({ ...step, expectedMs: index < 20 ? 0 : step.expectedMs })),
  );
  expect(leftMs(pass, at)).toBeGreaterThanOrEqual(expected / 20);
  expect(leftMs(pass, at)).toBeLessThan(expected / 10);
});

test('events about steps that nobody planned are shown too', () => {
  const { tell, state } = followRun();
  tell({ kind: 'step-began', at: start, step: 'something.else', attempt: 1 });
  expect(allSteps(state()).map(({ id, phase }) => `${id} ${phase}`)).toEqual(['something.else running']);
});
