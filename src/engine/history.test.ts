import { expect, test } from 'vitest';
import type { JournalEntry } from '../state/store.ts';
import { historyOf } from './history.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 17, 12, 0, second)).toISOString();

const began: JournalEntry = {
  at: at(0),
  kind: 'began',
  run: {
    id: 'r1',
    platform: 'prod',
    intent: 'converge',
    who: 'ada',
    host: 'desk',
    pid: 7,
    command: 'ichor up',
  },
};
const intent = (second: number, step: string, attempt = 1): JournalEntry => ({
  at: at(second),
  kind: 'intent',
  step,
  attempt,
  because: 'it is not there',
});
const done = (second: number, step: string): JournalEntry => ({ at: at(second), kind: 'done', step, ms: 1000 });

test('a run says who, what, how long and how it ended', () => {
  const entries: readonly JournalEntry[] = [
    began,
    { at: at(1), kind: 'planned', pass: 1, steps: 3, digest: 'd' },
    intent(1, 'machine.create a'),
    intent(1, 'machine.create b'),
    done(3, 'machine.create a'),
    { at: at(4), kind: 'failed', step: 'machine.create b', code: 'storage-full', message: 'No room.' },
    { at: at(5), kind: 'ended', outcome: 'stuck', changed: 1 },
  ];
  expect(historyOf([{ id: 'r1', entries }])).toEqual([
    {
      id: 'r1',
      intent: 'converge',
      who: 'ada',
      host: 'desk',
      command: 'ichor up',
      began: at(0),
      ms: 5000,
      outcome: 'stuck',
      changed: 1,
      passes: 1,
      steps: [{ kind: 'machine.create', done: 1, failed: 1, open: 0 }],
      failures: [{ step: 'machine.create b', code: 'storage-full', message: 'No room.' }],
    },
  ]);
});

test('a run that was cut off has what was open then', () => {
  const [row] = historyOf([
    {
      id: 'r1',
      entries: [began, intent(1, 'machine.create a'), done(2, 'machine.create a'), intent(3, 'machine.start a')],
    },
  ]);
  expect(row).toMatchObject({
    outcome: 'unfinished',
    changed: 1,
    ms: 3000,
    steps: [
      { kind: 'machine.create', done: 1, failed: 0, open: 0 },
      { kind: 'machine.start', done: 0, failed: 0, open: 1 },
    ],
  });
});

test('what failed and was done later is no failure any more', () => {
  const failed: JournalEntry = { at: at(2), kind: 'failed', step: 'node.drain a', code: 'busy', message: 'Not yet.' };
  const [row] = historyOf([
    {
      id: 'r1',
      entries: [began, intent(1, 'node.drain a'), failed, intent(3, 'node.drain a'), done(4, 'node.drain a')],
    },
  ]);
  expect(row?.failures).toEqual([]);
  expect(row?.steps).toEqual([{ kind: 'node.drain', done: 1, failed: 0, open: 0 }]);
});

test('a journal of which nothing could be read is a row all the same', () => {
  expect(historyOf([{ id: 'r1', entries: [] }])).toMatchObject([{ id: 'r1', outcome: 'unfinished', ms: 0 }]);
});
