import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeStep } from '../../test/walked.ts';
import type { Plan } from '../model/plan.ts';
import { Problem } from '../model/problem.ts';
import { Patience, type Verdict } from './patience.ts';

const problem = new Problem('busy', 'Not yet.', { recovery: 'wait' });
const plan: Plan = {
  platform: 'prod',
  intent: 'converge',
  made: '2026-11-17T12:00:00Z',
  steps: [fakeStep('a')],
  drift: [],
  asks: [],
  doubts: [{ about: 'a', because: 'silence' }],
  partial: true,
};

const ways: Readonly<Record<string, (patience: Patience) => Verdict>> = {
  'nothing comes of it': (patience) => patience.afterWalk(plan, { done: [], failed: [{ step: 'a', problem, ms: 0 }] }),
  'doubts stay': (patience) => patience.afterDoubts(plan),
  'nothing is seen': (patience) => patience.afterBlindness([problem], false),
};

test.each(Object.entries(ways))('where %s, rests end when the time is over and not later', (_, judge) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 0, max: 5000 }), (seconds, passMs) => {
      let now = 0;
      const patience = new Patience({ now: () => new Date(now) }, seconds * 1000);
      for (;;) {
        now += passMs;
        const verdict = judge(patience);
        if (verdict.kind === 'stuck') break;
        expect(verdict.inMs).toBeGreaterThan(0);
        now += verdict.inMs;
      }
      expect(now).toBeLessThanOrEqual(seconds * 1000 + 2 * passMs);
    }),
  );
});
