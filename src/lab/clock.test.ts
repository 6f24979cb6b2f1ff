import { expect, test } from 'vitest';
import { virtualClock, wallClock } from './clock.ts';

test('a virtual clock wakes sleepers in order, and one that was woken may sleep again within the same move', async () => {
  const clock = virtualClock(new Date('2026-01-01T00:00:00Z'));
  const told: string[] = [];
  const walk = async (name: string, ms: number): Promise<void> => {
    for (let step = 1; step <= 3; step++) {
      await clock.sleep(ms);
      told.push(`${name}${step} at ${clock.now().toISOString().slice(17, 23)}`);
    }
  };
  void walk('a', 400);
  void walk('b', 1000);
  await clock.advance(2500);
  expect(told).toEqual(['a1 at 00.400', 'a2 at 00.800', 'b1 at 01.000', 'a3 at 01.200', 'b2 at 02.000']);
  expect(clock.now()).toEqual(new Date('2026-01-01T00:00:02.500Z'));
});

test('whoever gives up is woken by that', async () => {
  const clock = virtualClock();
  const given = new AbortController();
  const sleeping = clock.sleep(1000, given.signal);
  given.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
});

test('a fast clock passes a minute of the lab in a moment', async () => {
  const clock = wallClock(100_000);
  const before = clock.now().getTime();
  await clock.sleep(60_000);
  expect(clock.now().getTime() - before).toBeGreaterThanOrEqual(60_000);
});
