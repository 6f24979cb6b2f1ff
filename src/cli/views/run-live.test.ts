import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { diceOf } from '../../../test/dice.ts';
import { bringUp } from '../../../test/plans.ts';
import { start, walkEvents } from '../../../test/run-events.ts';
import { FakeScreen } from '../../../test/screen.ts';
import type { RunEvent } from '../../model/event.ts';
import { Problem } from '../../model/problem.ts';
import { followRun } from '../../model/run-state.ts';
import { frame } from './run-frame.ts';
import { openView } from './run-view.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const timeOf = (event: RunEvent): Date => (event.kind === 'began' ? event.run.began : event.at);

async function live(columns: number, rows: number) {
  const screen = new FakeScreen(columns, rows);
  const reactions = new Set<() => void>();
  let now = start;
  const terminal = {
    out: (text: string) => screen.write(text),
    err: (text: string) => screen.write(text),
    paint: (_: unknown, text: string) => (text === '' ? '' : `\u001B[1m${text}\u001B[22m`),
    columns,
    interactive: true,
    screen: {
      size: () => ({ columns: screen.columns, rows: screen.rows }),
      onResize: (react: () => void) => {
        reactions.add(react);
        return { [Symbol.dispose]: () => void reactions.delete(react) };
      },
      mute: () => {
        screen.muted = true;
        return { [Symbol.dispose]: () => void (screen.muted = false) };
      },
    },
  };
  terminal.out('the plan\nends here\n');
  const view = await openView('text', terminal, { now: () => now });
  return {
    screen,
    view,
    reactions,
    tell: (event: RunEvent) => {
      now = timeOf(event);
      view.tell(event);
      vi.advanceTimersByTime(100);
    },
    resize: (width: number, height: number) => {
      screen.resize(width, height);
      for (const react of reactions) react();
    },
  };
}

const events = (seed: number, wishes: Partial<Parameters<typeof walkEvents>[2]> = {}): readonly RunEvent[] =>
  walkEvents(bringUp(3, 20), diceOf(seed), { failures: 2, again: 10, ...wishes });

test('nothing of it is left when it ends, and the cursor is back', async () => {
  const { screen, view, tell, reactions } = await live(80, 24);
  for (const event of events(1)) tell(event);
  expect(screen.cursorShown).toBe(false);
  view.end();
  view.end();
  expect(screen.text).toBe('the plan\nends here\n');
  expect([screen.cursorShown, screen.muted, reactions.size]).toEqual([true, false, 0]);
});

test('what stood there before stays while it is drawn', async () => {
  const { screen, tell } = await live(80, 24);
  for (const event of events(2)) {
    tell(event);
    expect(screen.text.startsWith('the plan\nends here\n')).toBe(true);
    expect(screen.text.match(/prod: /g)?.length ?? 0).toBeLessThanOrEqual(1);
  }
});

test('a terminal that changes its size shows one tree, and keeps what stood there', async () => {
  const { screen, view, tell, resize } = await live(100, 40);
  for (const [index, event] of events(3).entries()) {
    tell(event);
    if (index % 20 === 10) resize(50, 40);
    if (index % 20 === 19) resize(100, 40);
    expect(screen.text.match(/prod: /g)?.length ?? 0).toBeLessThanOrEqual(1);
  }
  view.end();
  expect(screen.text).toBe('the plan\nends here\n');
});

test('while somebody is asked, nothing is drawn', async () => {
  const { screen, view, tell } = await live(80, 24);
  tell({ kind: 'looking', at: start, pass: 1 });
  const seen = await view.aside(async () => {
    vi.advanceTimersByTime(5000);
    return Promise.resolve([screen.text, screen.cursorShown, screen.muted]);
  });
  expect(seen).toEqual(['the plan\nends here\n', true, false]);
  expect([screen.cursorShown, screen.muted]).toEqual([false, true]);
  view.end();
});

test('whoever is still being asked when it ends sees nothing drawn over what is said then', async () => {
  const { screen, view, tell } = await live(80, 24);
  tell({ kind: 'looking', at: start, pass: 1 });
  let answer = (): void => {};
  const asking = view.aside(() => new Promise<void>((resolve) => (answer = resolve)));
  view.end();
  answer();
  await asking;
  screen.write('Nothing was done.\n');
  vi.advanceTimersByTime(1000);
  view.end();
  expect([screen.text, screen.cursorShown, screen.muted]).toEqual([
    'the plan\nends here\nNothing was done.\n',
    true,
    false,
  ]);
});

test('a warning stands above the tree and stays there, once', async () => {
  const { screen, view, tell } = await live(80, 24);
  const problem = new Problem('late', 'It is late.', { severity: 'warning', remedy: 'Go to bed.' });
  for (const event of events(4).slice(0, 200)) tell(event);
  tell({ kind: 'warned', at: start, problem });
  tell({ kind: 'warned', at: start, problem });
  expect(screen.text.match(/prod: /g)).toHaveLength(1);
  await view.aside(async () => {
    tell({ kind: 'warned', at: start, problem: new Problem('later', 'It is later.', { severity: 'warning' }) });
  });
  view.end();
  expect(screen.text).toBe('the plan\nends here\nwarning: It is late.\n  Go to bed.\nwarning: It is later.\n');
});

test('a run that stops says first what once more would do, and not how long it would have taken', () => {
  const { tell, state } = followRun();
  for (const event of events(11, { stopAfter: 290 }).slice(0, 300)) tell(event);
  const lines = frame(state(), start, { columns: 60, rows: 24 }, (_, text) => text);
  expect(lines[0]).not.toContain('left');
  expect(lines.at(-1)).toMatch(/^Stopping at a safe point; once more stops at once\. Finish/);
});

test('nobody has waited for longer than it took', () => {
  const { tell, state } = followRun();
  const at = (ms: number): Date => new Date(start.getTime() + ms);
  tell({ kind: 'planned', at: start, pass: 1, plan: bringUp(1, 0) });
  tell({ kind: 'step-began', at: start, step: 'image.ensure', attempt: 1 });
  tell({ kind: 'step-waits', at: start, step: 'image.ensure', for: 'luck', because: 'there is none', since: start });
  const shown = (ms: number): string =>
    frame(state(), at(ms), { columns: 100, rows: 24 }, (_, text) => text).find((line) => line.includes('luck')) ?? '';
  expect(shown(400)).toMatch(/ · waits for luck: there is none +0\.4 s$/);
  expect(shown(1900)).toMatch(/ · waits 1 s for luck: there is none +1\.9 s$/);
  expect(shown(61_900)).toMatch(/ · waits 1 min 1 s for luck: there is none +1 min 2 s$/);
});

test('every moment of every run fits into every terminal', () => {
  fc.assert(
    fc.property(
      fc.record({ seed: fc.nat(), columns: fc.integer({ min: 10, max: 140 }), rows: fc.integer({ min: 3, max: 60 }) }),
      ({ seed, columns, rows }) => {
        const { tell, state } = followRun();
        for (const event of events(seed, { stopAfter: seed % 400 })) {
          tell(event);
          const lines = frame(state(), timeOf(event), { columns, rows }, (_, text) => text);
          expect(lines.length).toBeLessThanOrEqual(rows);
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
          for (const line of lines) expect(line).not.toContain('undefined');
        }
      },
    ),
    { numRuns: 15 },
  );
});

test.each([
  ['early', 120],
  ['late', 560],
  ['stopping', 300],
])('a frame reads as it should: %s', async (name, count) => {
  const { tell, state } = followRun();
  const told = events(11, {
    failures: name === 'late' ? 1 : 0,
    ...(name === 'stopping' ? { stopAfter: 290 } : {}),
  }).slice(0, count);
  for (const event of told) tell(event);
  const now = timeOf(told.at(-1) ?? { kind: 'looking', at: start, pass: 1 });
  const text = frame(state(), now, { columns: 100, rows: 24 }, (_, each) => each).join('\n');
  await expect(`${text}\n`).toMatchFileSnapshot(`../../../test/golden/run/frame-${name}.txt`);
});
