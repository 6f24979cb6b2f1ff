import fc from 'fast-check';
import { expect, test } from 'vitest';
import { virtualClock } from '../clock.ts';
import { fileLock } from './file-lock.ts';

const pause = 100;

function aLock() {
  const clock = virtualClock();
  const log: string[] = [];
  const lock = fileLock(clock, 'got timeout');
  const work = (name: string, ms: number) => async (): Promise<void> => {
    log.push(`${name} in`);
    await clock.sleep(ms);
    log.push(`${name} out`);
  };
  return { clock, log, lock, work };
}

test('one holds it, the next waits and says so, and who waits too long is refused', async () => {
  const { clock, log, lock, work } = aLock();
  const first = lock.take(1000, work('first', 5000));
  const second = lock.take(10_000, work('second', 0), { waits: () => log.push('waits'), got: () => log.push('got') });
  const third = lock.take(1000, work('third', 0)).catch((error: unknown) => log.push(String(error)));
  await clock.advance(10_000);
  await Promise.all([first, second, third]);
  expect(log).toEqual(['waits', 'first in', 'Refusal: got timeout', 'first out', 'got', 'second in', 'second out']);
  expect(lock.held).toBe(false);
});

test('several share it while nobody has it alone', async () => {
  const { clock, log, lock, work } = aLock();
  const all = [
    lock.share(9000, work('a', 1000)),
    lock.share(9000, work('b', 1000)),
    lock.take(9000, work('c', 1000)),
    lock.share(9000, work('d', 1000)),
  ];
  await clock.advance(10_000);
  await Promise.all(all);
  expect(log).toEqual(['a in', 'b in', 'a out', 'b out', 'c in', 'c out', 'd in', 'd out']);
});

test('a process that is killed lets go, and does nothing any more', async () => {
  const { clock, log, lock, work } = aLock();
  const death = new AbortController();
  let settled = false;
  void lock
    .take(
      1000,
      async () => {
        await clock.sleep(1000);
        await clock.sleep(1000);
      },
      { killed: death.signal },
    )
    .finally(() => {
      settled = true;
    });
  const next = lock.take(10_000, work('next', 0));
  await clock.advance(500);
  death.abort();
  await clock.advance(5000);
  await next;
  expect([log, settled]).toEqual([['next in', 'next out'], false]);
});

test('whoever is interrupted while it waits leaves the queue', async () => {
  const { clock, log, lock, work } = aLock();
  const term = new AbortController();
  const first = lock.take(0, work('first', 2000));
  const second = lock
    .take(9000, work('second', 0), { signal: term.signal })
    .catch((error: unknown) => log.push(String(error)));
  const third = lock.take(9000, work('third', 0));
  term.abort(new Error('interrupted'));
  await clock.advance(5000);
  await Promise.all([first, second, third]);
  expect(log).toEqual(['first in', 'Error: interrupted', 'first out', 'third in', 'third out']);
});

test('two operations never hold one lock, whoever comes when, waits and is killed', async () => {
  const comer = fc.record({
    after: fc.nat(10),
    shared: fc.boolean(),
    waits: fc.nat(10),
    works: fc.nat(5),
    killedAfter: fc.option(fc.nat(12), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(comer, { maxLength: 8 }), async (comers) => {
      const clock = virtualClock();
      const lock = fileLock(clock, 'got timeout');
      const inside = new Set<{ shared: boolean; dead: boolean }>();
      const alone = (): boolean => {
        const living = [...inside].filter(({ dead }) => !dead);
        return living.length < 2 || living.every(({ shared }) => shared);
      };
      let law = true;
      for (const { after, shared, waits, works, killedAfter } of comers) {
        const me = { shared, dead: false };
        const death = new AbortController();
        if (killedAfter !== undefined)
          void clock.sleep((after + killedAfter) * pause + 1).then(() => {
            me.dead = true;
            death.abort();
          });
        void clock.sleep(after * pause).then(() =>
          lock[shared ? 'share' : 'take'](
            waits * pause,
            async () => {
              inside.add(me);
              law &&= alone();
              await clock.sleep(works * pause);
              inside.delete(me);
            },
            { killed: death.signal },
          ).catch(() => undefined),
        );
      }
      await clock.advance(100 * pause);
      expect([law, lock.held]).toEqual([true, false]);
    }),
    { numRuns: 60 },
  );
});
