import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aGate } from '../../../test/talos/told.ts';
import { virtualClock, type VirtualClock } from '../../lab/clock.ts';
import { WorkQueue, type QueueOptions, type Worked } from './queue.ts';

const done: Worked = { kind: 'done' };

function aQueue(options: QueueOptions = {}): { readonly queue: WorkQueue; readonly clock: VirtualClock } {
  const clock = virtualClock(new Date(0));
  const queue = new WorkQueue({ now: () => clock.now(), pause: (ms, signal) => clock.sleep(ms, signal), ...options });
  return { queue, clock };
}

/** Runs it, and what was worked on when. */
function running(
  queue: WorkQueue,
  clock: VirtualClock,
  workers: number,
  work: (key: string) => Promise<Worked> = () => Promise.resolve(done),
) {
  const ending = new AbortController();
  const log: string[] = [];
  const failed: string[] = [];
  const ended = queue.run(
    workers,
    (key) => {
      log.push(`${key} ${clock.now().getTime()}`);
      return work(key);
    },
    ending.signal,
    (key, error) => failed.push(`${key}: ${String(error)}`),
  );
  return { log, failed, ended, abort: () => ending.abort(new Error('enough')) };
}

describe('a work queue', () => {
  test('looks once at what was added twice, in the order in which it came', async () => {
    const { queue, clock } = aQueue();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect(queue.size).toBe(3);
    const { log, ended } = running(queue, clock, 1);
    queue.end();
    await ended;
    expect(log).toEqual(['a 0', 'b 0', 'c 0']);
  });

  test('looks again at what was added while it was worked on, never two at a time', async () => {
    const { queue, clock } = aQueue();
    const gate = aGate();
    let inside = 0;
    let most = 0;
    const { log, ended } = running(queue, clock, 4, async () => {
      most = Math.max(most, ++inside);
      await gate.opened;
      inside--;
      return done;
    });
    queue.add('a');
    await expect.poll(() => inside).toBe(1);
    queue.add('a');
    queue.add('a');
    gate.open();
    await expect.poll(() => log.length).toBe(2);
    queue.end();
    await ended;
    expect([most, log]).toEqual([1, ['a 0', 'a 0']]);
  });

  test('waits longer for what fails, and forgets that when it succeeds', async () => {
    const { queue, clock } = aQueue({ firstWaitMs: 100, longestWaitMs: 1000 });
    let failures = 6;
    const { log, failed, ended, abort } = running(queue, clock, 2, () => {
      if (failures-- > 0) throw new Error('no');
      return Promise.resolve(done);
    });
    queue.add('a');
    await clock.advance(10_000);
    expect(log).toEqual([0, 100, 300, 700, 1500, 2500, 3500].map((ms) => `a ${ms}`));
    expect([failed.length, failed[0], queue.failures('a')]).toEqual([6, 'a: Error: no', 0]);
    abort();
    await ended;
  });

  test('lets all keys together fail only so often', async () => {
    const { queue, clock } = aQueue({ firstWaitMs: 1, burst: 3, perSecond: 2 });
    let first = true;
    const { log, ended, abort } = running(queue, clock, 8, (key) => {
      if (first) throw new Error('no');
      return Promise.resolve({ kind: 'done', key } as Worked);
    });
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) queue.add(key);
    await clock.advance(0);
    first = false;
    log.length = 0;
    await clock.advance(5000);
    expect(log).toEqual(['a 1', 'b 1', 'c 1', 'd 500', 'e 1000', 'f 1500']);
    abort();
    await ended;
  });

  test('takes the earliest of several times, and now before all of them', async () => {
    const { queue, clock } = aQueue();
    const { log, ended, abort } = running(queue, clock, 1);
    queue.addAfter('a', 500);
    queue.addAfter('a', 200);
    queue.addAfter('a', 900);
    queue.addAfter('b', 300);
    queue.add('b');
    await clock.advance(2000);
    expect(log).toEqual(['b 0', 'a 200']);
    abort();
    await ended;
  });

  test('looks again when the worker wants it', async () => {
    const { queue, clock } = aQueue();
    const { log, ended, abort } = running(queue, clock, 1, () => Promise.resolve({ kind: 'again', afterMs: 1000 }));
    queue.add('a');
    await clock.advance(3500);
    expect(log).toEqual(['a 0', 'a 1000', 'a 2000', 'a 3000']);
    abort();
    await ended;
  });

  test('that is ended works on what is ready, and takes nothing more', async () => {
    const { queue, clock } = aQueue();
    for (const key of ['a', 'b', 'c']) queue.add(key);
    queue.addAfter('later', 10);
    const { log, ended } = running(queue, clock, 1);
    queue.end();
    queue.add('d');
    await ended;
    expect([log, queue.size]).toEqual([['a 0', 'b 0', 'c 0'], 0]);
  });

  test('that is aborted ends when what was begun has ended', async () => {
    const { queue, clock } = aQueue();
    const gate = aGate();
    let finished = 0;
    const { log, ended, abort } = running(queue, clock, 2, async () => {
      await gate.opened;
      finished++;
      return done;
    });
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
    await expect.poll(() => log.length).toBe(2);
    abort();
    gate.open();
    await ended;
    expect([finished, log.length]).toEqual([2, 2]);
  });

  test('works on every key after its last change, whatever happens meanwhile', async () => {
    const moves = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 0, max: 50 }),
        fc.constantFrom('add', 'after', 'fail'),
      ),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(moves, fc.integer({ min: 1, max: 3 }), async (past, workers) => {
        const { queue, clock } = aQueue({ firstWaitMs: 5, longestWaitMs: 40 });
        const changed = new Map<string, number>();
        const seen = new Map<string, number>();
        const inside = new Set<string>();
        const failing = new Set<string>();
        const { ended, abort } = running(queue, clock, workers, async (key) => {
          expect(inside.has(key)).toBe(false);
          inside.add(key);
          const version = changed.get(key) ?? 0;
          try {
            await clock.sleep(3);
            if (failing.delete(key)) throw new Error('no');
            seen.set(key, version);
            return done;
          } finally {
            inside.delete(key);
          }
        });
        for (const [which, ms, how] of past) {
          const key = `k${which}`;
          changed.set(key, (changed.get(key) ?? 0) + 1);
          if (how === 'fail') failing.add(key);
          if (how === 'after') queue.addAfter(key, ms);
          else queue.add(key);
          await clock.advance(ms % 7);
        }
        await clock.advance(60_000);
        expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(changed));
        expect(queue.size).toBe(0);
        abort();
        await ended;
      }),
      { numRuns: 40 },
    );
  });
});
