import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diceOf } from '../../../test/dice.ts';
import { bringUp, rollout } from '../../../test/plans.ts';
import { start, walkEvents } from '../../../test/run-events.ts';
import type { RunEvent } from '../../model/event.ts';
import { followRun } from '../../model/run-state.ts';
import { lasting } from './duration.ts';
import { foldNames } from './names.ts';
import { runLines } from './run-lines.ts';

function linesOf(events: readonly RunEvent[]): string {
  let text = '';
  const { tell: follow, state } = followRun();
  const { tell } = runLines({ out: (line) => void (text += line) }, state);
  for (const event of events) {
    follow(event);
    tell(event);
  }
  return text;
}

test('a run as lines reads as it should', async () => {
  const events = walkEvents(rollout(), diceOf(21), { failures: 6, again: 15 });
  await expect(linesOf(events)).toMatchFileSnapshot('../../../test/golden/run/lines.txt');
});

test('whatever a walk tells becomes whole lines that begin with the time', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(200), (seed, stopAfter) => {
      const text = linesOf(walkEvents(bringUp(1, 2), diceOf(seed), { failures: 10, again: 10, stopAfter }));
      for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^\d\d:\d\d {2}[a-z]+ +\S/);
      expect(text).not.toContain('undefined');
    }),
    { numRuns: 50 },
  );
});

test('who waits long for the same gate says so now and then', () => {
  const waits = (seconds: number, gate = 'an address'): RunEvent => ({
    kind: 'step-waits',
    at: new Date(start.getTime() + seconds * 1000),
    step: 'x',
    for: gate,
    because: 'nobody answers',
    since: start,
  });
  const text = linesOf([
    { kind: 'looking', at: start, pass: 1 },
    ...[0, 10, 29, 30, 45, 61].map((seconds) => waits(seconds)),
    waits(62, 'Talos'),
  ]);
  expect(text.split('\n').slice(1, -1)).toEqual([
    '00:00  waits   x: for an address: nobody answers',
    '00:30  waits   x: for an address: nobody answers (30 s)',
    '01:01  waits   x: for an address: nobody answers (1 min 1 s)',
    '01:02  waits   x: for Talos: nobody answers (1 min 2 s)',
  ]);
});

test.each([
  [0, '0.0 s'],
  [420, '0.4 s'],
  [9949, '9.9 s'],
  [9950, '10 s'],
  [59_499, '59 s'],
  [59_500, '1 min'],
  [112_000, '1 min 52 s'],
  [3_599_600, '1 h'],
  [7_500_000, '2 h 5 min'],
])('%d ms lasts %s', (ms, words) => {
  expect(lasting(ms)).toBe(words);
});

test('names that follow each other are a range', () => {
  const many = Array.from({ length: 100 }, (_, index) => `general-${index}`);
  expect(foldNames(many)).toBe('general-0 … general-99 (100)');
  expect(foldNames(['a-0', 'a-1', 'b', 'c-4', 'c-5', 'c-6', 'c-7', 'c-9'])).toBe('a-0, a-1, b, c-4 … c-7 (4), c-9');
  expect(foldNames(['q', 'w', 'e', 'r', 't', 'z'])).toBe('q, w, e, r and others (6 in all)');
});
