import { expect, test } from 'vitest';
import { virtualClock } from '../../clock.ts';
import { createDaemon } from './daemon.ts';

/** When each of so many calls was over, in seconds; all come at once and take three. */
async function endings(count: number, then: readonly number[] = []): Promise<readonly number[]> {
  const start = new Date('2026-11-17T00:00:00Z');
  const clock = virtualClock(start);
  const daemon = createDaemon();
  const ended: number[] = [];
  const call = (seconds: number): Promise<void> =>
    daemon.run(async () => {
      await clock.sleep(seconds * 1000);
      ended.push((clock.now().getTime() - start.getTime()) / 1000);
    });
  const all = [...Array.from({ length: count }, () => call(3)), ...then.map((seconds) => call(seconds))];
  await clock.advance(60_000);
  await Promise.all(all);
  return ended;
}

test('three calls run side by side', async () => {
  expect(await endings(3)).toEqual([3, 3, 3]);
});

test('whoever waits is served by the first process that is free, one after the other', async () => {
  expect(await endings(6, [0])).toEqual([3, 3, 3, 6, 9, 12, 12]);
});

test('a call that fails leaves its place', async () => {
  const daemon = createDaemon();
  const failing = (): Promise<never> => daemon.run(() => Promise.reject(new Error('no')));
  await Promise.allSettled([failing(), failing(), failing(), failing()]);
  expect(await daemon.run(() => Promise.resolve('yes'))).toBe('yes');
});
