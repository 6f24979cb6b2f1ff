import { expect, test } from 'vitest';
import { createFaults } from './faults.ts';
import { seededRandom } from './random.ts';

const request = (call: string): { readonly method: string; readonly path: string } => {
  const [method = '', path = ''] = call.split(' ');
  return { method, path };
};

test('a fault strikes what it is meant for, as often as it was told', () => {
  const faults = createFaults(seededRandom(1));
  faults.add({ kind: 'refuse', match: 'POST /nodes/*/qemu', times: 2, status: 500 });
  const struck = [
    'GET /nodes/a/qemu',
    'POST /nodes/a/qemu',
    'POST /nodes/a/qemu/100/status/start',
    'POST /nodes/b/qemu',
    'POST /nodes/c/qemu',
  ].map((call) => faults.during(request(call), () => faults.take('refuse')?.status));
  expect(struck).toEqual([undefined, 500, undefined, 500, undefined]);
});

test('a share of requests is struck, the same ones for the same seed', () => {
  const strikes = (seed: number): readonly number[] => {
    const faults = createFaults(seededRandom(seed));
    faults.add({ kind: 'lose-answer', share: 0.25 });
    return Array.from({ length: 1000 }, (_, index) => index).filter(
      () => faults.during(request('GET /version'), () => faults.take('lose-answer')) !== undefined,
    );
  };
  const [one, again, other] = [strikes(7), strikes(7), strikes(8)];
  expect(one).toEqual(again);
  expect(one).not.toEqual(other);
  expect(Math.abs(one.length - 250)).toBeLessThan(50);
});

test('it is there for whatever the request brings about, once', async () => {
  const faults = createFaults(seededRandom(1));
  faults.add({ kind: 'fail-task', reason: 'no' });
  const taken = await faults.during(request('POST /x'), async () => {
    await Promise.resolve();
    return [faults.take('kill-task'), faults.take('fail-task')?.reason, faults.take('fail-task')];
  });
  expect([taken, faults.take('fail-task')]).toEqual([[undefined, 'no', undefined], undefined]);
});

test('what is healed is over', () => {
  const faults = createFaults(seededRandom(1));
  faults.add({ kind: 'delay', delayMs: 5 });
  faults.clear();
  expect(faults.during(request('GET /version'), () => faults.take('delay'))).toBeUndefined();
});
