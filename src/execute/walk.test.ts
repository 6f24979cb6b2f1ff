import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fakeStep,
  play,
  told,
  written,
  type Deed,
  type FakeKind,
  type Happened,
  type Time,
} from '../../test/walked.ts';
import { virtualTime } from '../../test/virtual-time.ts';
import { sweep } from '../../test/sweep.ts';
import { criticalPathMs, type PlannedStep } from '../model/plan.ts';
import { Problem, Problems, type Recovery } from '../model/problem.ts';
import { onlyWaits } from '../model/step.ts';
import { limitsFor, systemsOf } from './limits.ts';

const problem = (recovery: Recovery): Problem =>
  new Problem(`test-${recovery}`, `It does not go (${recovery}).`, { recovery });
const failing =
  (recovery: Recovery, times = Infinity): Deed =>
  (attempt) =>
    attempt <= times ? Promise.reject(problem(recovery)) : Promise.resolve();

/** Stops some time after the walk began. */
const stopAt =
  (kind: 'gentle' | 'now', ms: number) =>
  (time: Time): { readonly gentle: AbortSignal; readonly now: AbortSignal } => {
    const gentle = new AbortController();
    const now = new AbortController();
    void time.pause(ms, new AbortController().signal).then(() => (kind === 'now' ? now : gentle).abort());
    return { gentle: gentle.signal, now: now.signal };
  };

test('a step is told of in the order in which it happens, and its intent is written before', async () => {
  const { happened } = await play([fakeStep('a'), fakeStep('b', { after: ['a'] })]);
  expect(
    happened.map((each) =>
      each.what === 'told' ? told([each])[0] : each.what === 'journal' ? written([each])[0] : `${each.what} ${each.id}`,
    ),
  ).toEqual([
    'intent a',
    'step-began a',
    'begins a',
    'ends a',
    'done a',
    'step-done a',
    'intent b',
    'step-began b',
    'begins b',
    'ends b',
    'done b',
    'step-done b',
  ]);
});

test('what only waits is not in the journal, and takes nobody’s place', async () => {
  const waits = ['w1', 'w2', 'w3'].map((id) => fakeStep(id, { kind: 'reach', ms: 5000 }));
  const { happened, ms } = await play([...waits, fakeStep('a', { ms: 5000 })], {}, { parallelism: 1 });
  expect(written(happened)).toEqual(['intent a', 'done a']);
  expect(ms).toBe(5000);
});

test('of what may begin, the longest way to the end comes first', async () => {
  const { happened } = await play(
    [fakeStep('short'), fakeStep('long'), fakeStep('end', { after: ['long'], ms: 9000 })],
    {},
    { parallelism: 1 },
  );
  expect(told(happened).filter((line) => line.startsWith('step-began'))).toEqual([
    'step-began long',
    'step-began end',
    'step-began short',
  ]);
});

test('a failure ends what stands on it, without a second error, and nothing else', async () => {
  const steps = [
    fakeStep('a'),
    fakeStep('a2', { after: ['a'] }),
    fakeStep('a3', { after: ['a2'] }),
    fakeStep('b', { ms: 3000 }),
    fakeStep('b2', { after: ['b'] }),
    fakeStep('both', { after: ['a2', 'b2'] }),
  ];
  const { happened, walked } = await play(steps, { a: failing('ask') });
  expect(walked).toMatchObject({ done: ['b', 'b2'], changed: 2, left: ['a2', 'a3', 'both'], stopped: false });
  expect(walked.failed).toEqual([{ step: 'a', problem: problem('ask'), ms: 1000 }]);
  expect(told(happened).filter((line) => /failed|skipped/.test(line))).toEqual([
    'step-failed a',
    'step-skipped a2',
    'step-skipped a3',
    'step-skipped both',
  ]);
});

test.each<[Recovery, number, string, number]>([
  ['retry', 1, 'done', 2],
  ['retry', 5, 'done', 6],
  ['retry', 6, 'failed', 6],
  ['wait', 1, 'failed', 1],
  ['ask', 1, 'failed', 1],
])('a step that says %s %i times is %s after %i attempts', async (recovery, times, end, attempts) => {
  const { happened, walked } = await play([fakeStep('a')], { a: failing(recovery, times) });
  expect(written(happened).filter((line) => line === 'intent a')).toHaveLength(attempts);
  expect(written(happened).at(-1)).toBe(`${end} a`);
  expect(walked.failed).toHaveLength(end === 'failed' ? 1 : 0);
  expect(told(happened).filter((line) => line === 'step-again a')).toHaveLength(attempts - 1);
});

test('of several problems that end a step, the one that helps least decides', async () => {
  const several: Deed = () => Promise.reject(new Problems([problem('retry'), problem('wait')]));
  const { walked } = await play([fakeStep('a')], { a: several });
  expect(walked.failed).toMatchObject([
    { problem: { code: 'test-wait', message: 'It does not go (retry).\nIt does not go (wait).', recovery: 'wait' } },
  ]);
});

test('a step that rests gives up its place', async () => {
  const { happened } = await play(
    [fakeStep('a', { ms: 100 }), fakeStep('b', { ms: 90 })],
    { a: failing('retry', 1) },
    { parallelism: 1 },
  );
  expect(told(happened).filter((line) => /began|again|done/.test(line))).toEqual([
    'step-began a',
    'step-again a',
    'step-began b',
    'step-done b',
    'step-began a',
    'step-done a',
  ]);
});

test('said gently, stop finishes what changes something, leaves what waits and begins nothing', async () => {
  const steps = [
    fakeStep('a', { ms: 3000 }),
    fakeStep('a2', { after: ['a'] }),
    fakeStep('w', { kind: 'reach', ms: 60_000 }),
    fakeStep('r', { ms: 500 }),
  ];
  const { happened, walked, ms } = await play(steps, { r: failing('retry') }, { stop: stopAt('gentle', 1000) });
  expect(walked).toEqual({ done: ['a'], changed: 1, failed: [], left: ['a2', 'w', 'r'], stopped: true });
  expect(ms).toBe(3000);
  const stopping = happened.flatMap((each) =>
    each.what === 'told' && each.event.kind === 'stopping' ? each.event.finishing : [],
  );
  expect(stopping).toEqual(['a']);
  expect(told(happened).slice(-4)).toEqual(['step-done a', 'step-skipped a2', 'step-skipped w', 'step-skipped r']);
});

test('said now, stop ends at once what listens', async () => {
  const { walked, ms, happened } = await play([fakeStep('a', { ms: 60_000 })], {}, { stop: stopAt('now', 1000) });
  expect(walked).toEqual({ done: [], changed: 0, failed: [], left: ['a'], stopped: true });
  expect(ms).toBe(1000);
  expect(written(happened)).toEqual(['intent a']);
});

test('said now, stop does not wait for what does not listen, and nothing is told afterwards', async () => {
  let speak = (): void => {};
  const deaf: Deed = (_, __, ___, tell) =>
    new Promise(() => {
      speak = () => tell('still here');
    });
  const { walked, ms, happened } = await play([fakeStep('a', { ms: 100 })], { a: deaf }, { stop: stopAt('now', 1000) });
  expect(walked.left).toEqual(['a']);
  expect(ms).toBe(3000);
  const before = happened.length;
  speak();
  expect(happened).toHaveLength(before);
});

test('who was told to stop before begins nothing', async () => {
  const gentle = AbortSignal.abort();
  const { walked, happened } = await play(
    [fakeStep('a')],
    {},
    { stop: () => ({ gentle, now: new AbortController().signal }) },
  );
  expect(walked).toMatchObject({ done: [], left: ['a'], stopped: true });
  expect(written(happened)).toEqual([]);
});

test('a bug is thrown when everything has settled, and nothing begins after it', async () => {
  const time = virtualTime();
  const ended: string[] = [];
  const steps = [
    fakeStep('bug', { ms: 100 }),
    fakeStep('b', { ms: 5000 }),
    fakeStep('b2', { after: ['b'] }),
    fakeStep('w', { kind: 'reach', ms: 90_000 }),
  ];
  const deeds: Readonly<Record<string, Deed>> = {
    bug: () => Promise.reject(new TypeError('x is not a function')),
    b: async () => void ended.push('b'),
    b2: async () => void ended.push('b2'),
  };
  await expect(play(steps, deeds, { time })).rejects.toThrow('x is not a function');
  expect(ended).toEqual(['b']);
  expect(time.passedMs()).toBe(5000);
});

test('without a journal nothing is done', async () => {
  const deeds: Readonly<Record<string, Deed>> = { a: () => Promise.reject(new Error('was run')) };
  const journal = (): Promise<void> => Promise.reject(new Problem('disk-full', 'No space is left.'));
  await expect(play([fakeStep('a')], deeds, { journal })).rejects.toThrow('No space is left.');
});

test('a plan out of order is a bug, found before anything is begun', async () => {
  await expect(async () => play([fakeStep('b', { after: ['a'] }), fakeStep('a')])).rejects.toThrow(
    '"b" is to come after "a", which is not before it.',
  );
});

type Fortune = 'fine' | 'flaky' | Recovery;
const deedOf: Readonly<Record<Fortune, Deed>> = {
  fine: () => Promise.resolve(),
  flaky: failing('retry', 2),
  retry: failing('retry'),
  wait: failing('wait'),
  ask: failing('ask'),
};

type Imagined = { readonly steps: readonly PlannedStep[]; readonly fortunes: Readonly<Record<string, Fortune>> };

const imagined = (fortunes: readonly Fortune[]): fc.Arbitrary<Imagined> =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom<FakeKind>('create', 'create', 'reach', 'drain', 'talos'),
        host: fc.constantFrom('pve1', 'pve2'),
        ms: fc.integer({ min: 0, max: 5000 }),
        parents: fc.array(fc.nat(), { maxLength: 3 }),
        fortune: fc.constantFrom(...fortunes),
      }),
      { minLength: 1, maxLength: 30 },
    )
    .map((drawn) => ({
      steps: drawn.map(({ parents, ...rest }, index) =>
        fakeStep(`s${index}`, {
          ...rest,
          after: index === 0 ? [] : [...new Set(parents.map((each) => `s${each % index}`))],
        }),
      ),
      fortunes: Object.fromEntries(drawn.map(({ fortune }, index) => [`s${index}`, fortune])),
    }));

const deedsOf = ({ fortunes }: Imagined): Readonly<Record<string, Deed>> =>
  Object.fromEntries(Object.entries(fortunes).map(([id, fortune]) => [id, deedOf[fortune]]));

const every: readonly Fortune[] = ['fine', 'fine', 'fine', 'flaky', 'retry', 'wait', 'ask'];

/** What holds of everything that happened, up to any moment: a kill is nothing but an end of this list. */
function mustBeSound(steps: readonly PlannedStep[], happened: readonly Happened[], parallelism: number): void {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const intended = new Set<string>();
  const running = new Set<string>();
  const done = new Set<string>();
  const used = new Map<string, number>();
  const limits = limitsFor(parallelism) as Readonly<Record<string, number>>;
  for (const each of happened) {
    if (each.what === 'journal' && each.entry.kind === 'intent') {
      expect(intended).not.toContain(each.entry.step);
      for (const parent of byId.get(each.entry.step)?.after ?? []) expect(done).toContain(parent);
      intended.add(each.entry.step);
    } else if (each.what === 'journal' && (each.entry.kind === 'done' || each.entry.kind === 'failed')) {
      expect(intended.delete(each.entry.step)).toBe(true);
      if (each.entry.kind === 'done') done.add(each.entry.step);
    } else if (each.what === 'begins' || each.what === 'ends') {
      const step = byId.get(each.id)!;
      const change = each.what === 'begins' ? 1 : -1;
      if (each.what === 'begins') running.add(each.id);
      else running.delete(each.id);
      if (onlyWaits(step.step)) {
        for (const parent of step.after) expect(done).toContain(parent);
        continue;
      }
      expect(intended).toContain(each.id);
      for (const system of ['total', ...systemsOf(step.step)]) {
        used.set(system, (used.get(system) ?? 0) + change);
        expect(used.get(system)).toBeLessThanOrEqual(limits[system.split(':')[0]!]!);
      }
    } else if (each.what === 'told' && each.event.kind === 'step-done') done.add(each.event.step);
  }
}

test('at every moment: parents first, intent before change, never beyond the limits', async () => {
  const runs = sweep('walks of imagined plans', 60, 2000);
  await fc.assert(
    fc.asyncProperty(imagined(every), fc.integer({ min: 1, max: 12 }), async (plan, parallelism) => {
      const { happened, walked } = await play(plan.steps, deedsOf(plan), { parallelism });
      mustBeSound(plan.steps, happened, parallelism);
      expect([...walked.done, ...walked.left, ...walked.failed.map(({ step }) => step)].toSorted()).toEqual(
        plan.steps.map(({ id }) => id).toSorted(),
      );
    }),
    runs,
  );
});

test('everything is done that stands on nothing that failed', async () => {
  await fc.assert(
    fc.asyncProperty(imagined(every), async (plan) => {
      const { walked } = await play(plan.steps, deedsOf(plan));
      const doomed = new Set<string>();
      for (const { id, after } of plan.steps)
        if (['retry', 'wait', 'ask'].includes(plan.fortunes[id] ?? '') || after.some((each) => doomed.has(each)))
          doomed.add(id);
      expect(walked.done.toSorted()).toEqual(
        plan.steps
          .map(({ id }) => id)
          .filter((id) => !doomed.has(id))
          .toSorted(),
      );
    }),
    sweep('failures in imagined plans', 60, 2000),
  );
});

test('where nothing limits, a walk takes as long as the longest way through the plan', async () => {
  const spread = imagined(['fine']).map(({ steps }) =>
    steps.map((step, index) => fakeStep(step.id, { after: step.after, ms: step.expectedMs, host: `pve${index}` })),
  );
  await fc.assert(
    fc.asyncProperty(spread, async (steps) => {
      expect((await play(steps)).ms).toBe(criticalPathMs(steps));
    }),
    sweep('makespans', 60, 2000),
  );
});

test('stopped gently at any moment, nothing is half done and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(imagined(['fine', 'flaky', 'wait']), fc.nat({ max: 20_000 }), async (plan, ms) => {
      const { happened, walked } = await play(plan.steps, deedsOf(plan), {
        stop: stopAt('gentle', ms),
        parallelism: 5,
      });
      mustBeSound(plan.steps, happened, 5);
      const open = new Set<string>();
      for (const line of written(happened)) {
        const [kind, id] = line.split(' ') as [string, string];
        if (kind === 'intent') open.add(id);
        else open.delete(id);
      }
      expect(open).toEqual(new Set());
      expect(walked.done.length + walked.left.length + walked.failed.length).toBe(plan.steps.length);
    }),
    sweep('gentle stops', 60, 2000),
  );
});

test('a bring-up of 100 machines on 20 hosts is not held up by the limits', async () => {
  const names = Array.from({ length: 103 }, (_, index) => index);
  const steps = [
    fakeStep('image', { host: 'pve0', ms: 9000 }),
    ...names.map((index) => fakeStep(`c${index}`, { after: ['image'], host: `pve${index % 20}`, ms: 4000 })),
    ...names.map((index) => fakeStep(`r${index}`, { kind: 'reach', after: [`c${index}`], ms: 20_000 })),
    ...names.map((index) => fakeStep(`t${index}`, { kind: 'talos', after: [`r${index}`], ms: 1000 })),
  ];
  expect((await play(steps)).ms).toBe(criticalPathMs(steps));
});
