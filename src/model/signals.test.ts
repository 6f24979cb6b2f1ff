import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as soon, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { firstOf, shared, within } from './signals.ts';

setFlagsFromString('--expose_gc');
const tidyUp = runInNewContext('gc') as () => void;

async function tidiedUp(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await soon();
    tidyUp();
  }
}

const aborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve((signal.reason as Error).name), { once: true });
  });

test('a deadline comes, also after memory was tidied up and nobody but a listener has the signal', async () => {
  const caller = new AbortController();
  const waits = Array.from({ length: 50 }, () => aborted(within(100, firstOf(caller.signal))));
  await tidiedUp();
  expect(new Set(await Promise.all(waits))).toEqual(new Set(['TimeoutError']));
});

test('an end that nobody listened for is known later, although whoever brought it about is gone', async () => {
  const ended = ((): AbortSignal => {
    const caller = new AbortController();
    const own = firstOf(caller.signal);
    caller.abort(new Error('stop'));
    return own;
  })();
  await tidiedUp();
  expect([ended.aborted, ended.reason]).toEqual([true, new Error('stop')]);
});

test('the first to end gives the reason, also when it had ended before', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const both = firstOf(one.signal, other.signal);
  other.abort('other');
  one.abort('one');
  expect([both.aborted, both.reason]).toEqual([true, 'other']);
  expect(firstOf(new AbortController().signal, other.signal).reason).toBe('other');
});

test('after its scope it has let go', async () => {
  const caller = new AbortController();
  const late: AbortSignal[] = [];
  {
    using soonest = within(1, caller.signal);
    using own = firstOf(caller.signal);
    late.push(soonest, own);
  }
  await sleep(10);
  caller.abort();
  expect(late.map((signal) => signal.aborted)).toEqual([false, false]);
});

test('hundreds may listen to one signal', async () => {
  const warned: string[] = [];
  const hear = ({ name }: Error): void => void warned.push(name);
  process.on('warning', hear);
  const { signal } = new AbortController();
  for (let count = 0; count < 100; count++) {
    firstOf(signal);
    shared(signal).addEventListener('abort', () => count);
  }
  await soon();
  process.off('warning', hear);
  expect(warned).toEqual([]);
});
