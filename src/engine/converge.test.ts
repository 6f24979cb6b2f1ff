import { expect, test } from 'vitest';
import { seededEntropy } from '../../test/entropy.ts';
import { MemoryStore } from '../../test/memory-store.ts';
import { virtualTime } from '../../test/virtual-time.ts';
import { fakeStep } from '../../test/walked.ts';
import type { Handlers } from '../execute/tools.ts';
import type { Outcome, RunEvent } from '../model/event.ts';
import type { Ask, Doubt, Plan, PlannedStep } from '../model/plan.ts';
import { Problem } from '../model/problem.ts';
import type { Proof } from '../model/proof.ts';
import type { World, WorldMember } from '../model/world.ts';
import type { Holder, PastRun } from '../state/store.ts';
import { previewWith, runWith } from './converge.ts';
import { historyOf } from './history.ts';
import type { PlatformMaterial } from './material.ts';
import type { EngineTools, Meant, RunRequest } from './run.ts';
import type { Stages } from './stages.ts';

/** A store that knows who holds it, and what was written in which run. */
class LockedStore extends MemoryStore {
  held: Holder | undefined;
  override lock = async (holder: Holder): Promise<AsyncDisposable> => {
    if (this.held !== undefined) throw new Problem('locked', `${this.held.who} is at work.`);
    this.asked.push('lock');
    this.held = holder;
    return {
      [Symbol.asyncDispose]: async () => {
        this.asked.push('release');
        this.held = undefined;
      },
    };
  };
  override holder = async () =>
    this.held === undefined ? undefined : ({ holder: this.held, alive: 'unknown' } as const);
}

type Told = {
  readonly steps: readonly PlannedStep[];
  readonly asks?: readonly Ask[];
  readonly doubts?: readonly Doubt[];
};

const planOf = ({ steps, asks = [], doubts = [] }: Told): Plan => ({
  platform: 'prod',
  intent: 'converge',
  made: '2026-11-17T12:00:00Z',
  steps,
  drift: [],
  asks,
  doubts,
  partial: doubts.length > 0,
});

type Deed = (signal: AbortSignal) => Promise<void>;

/** A world that has steps to do until they are done; `plans` may say otherwise for each look. */
function aPlatform(
  steps: readonly PlannedStep[],
  given: {
    readonly plan?: (open: readonly PlannedStep[]) => Told;
    readonly observe?: (look: number) => Promise<void>;
    readonly deeds?: Readonly<Record<string, Deed>>;
    readonly preflight?: readonly Problem[];
    readonly request?: Partial<RunRequest>;
    readonly store?: LockedStore;
    readonly voters?: readonly Pick<WorldMember, 'machine' | 'learner'>[];
    /** Where machines are that exist. */
    readonly address?: string;
  } = {},
) {
  const time = virtualTime();
  const store = given.store ?? new LockedStore();
  const events: RunEvent[] = [];
  const handled: string[] = [];
  const done = new Set<string>();
  let looks = 0;
  const handle = async ({ machine }: { readonly machine: string }, _: unknown, __: unknown, signal: AbortSignal) => {
    handled.push(machine);
    await time.pause(1000, signal);
    await given.deeds?.[machine]?.(signal);
    done.add(machine);
  };
  const stages: Stages = {
    material: () => ({ platform: 'prod' }) as PlatformMaterial,
    observe: async () => {
      await given.observe?.(++looks);
      return {
        platform: 'prod',
        machines: ['cp-0', 'cp-1'].map((name) => ({
          name,
          role: 'control-plane',
          wanted: true,
          address: given.address,
          talos: { kind: 'known', value: { kind: 'ours' } },
        })),
        memory: await store.memory('prod'),
        etcd: { kind: 'known', value: given.voters ?? [] },
      } as unknown as World;
    },
    plan: () => {
      const open = steps
        .filter(({ id }) => !done.has(id))
        .map((step) => ({ ...step, after: step.after.filter((id) => !done.has(id)) }));
      return { plan: planOf(given.plan?.(open) ?? { steps: open }), proof: { fits: true } as Proof };
    },
    preflight: async () => given.preflight ?? [],
    handlers: new Proxy({}, { get: () => handle }) as Handlers,
  };
  const tools = {
    clock: time.clock,
    pause: time.pause,
    entropy: seededEntropy(1),
    store,
    talos: {},
  } as unknown as EngineTools;
  const gentle = new AbortController();
  const now = new AbortController();
  const request: RunRequest = {
    intent: 'converge',
    parallelism: 10,
    atMostMs: 60_000,
    runner: { who: 'ada', host: 'desk', pid: 7, started: 's', command: 'ichor up' },
    confirm: () => Promise.resolve(true),
    tell: (event) => events.push(event),
    ...given.request,
  };
  const meant = { platform: { name: 'prod' } } as Meant;
  return {
    time,
    store,
    events,
    handled,
    done,
    gentle,
    now,
    preview: () => previewWith(stages)(meant, request, tools, now.signal),
    run: (): Promise<Outcome> =>
      time.until(runWith(stages)(meant, request, tools, { gentle: gentle.signal, now: now.signal })),
    story: () => events.map((event) => ('step' in event ? `${event.kind} ${event.step}` : event.kind)),
    journal: () => store.entries.map((entry) => ('step' in entry ? `${entry.kind} ${entry.step}` : entry.kind)),
  };
}

const two = [fakeStep('a'), fakeStep('b', { after: ['a'] })];

test('a run looks, plans, does and looks again until nothing is left', async () => {
  const platform = aPlatform(two);
  expect(await platform.run()).toEqual({ kind: 'converged', changed: 2 });
  expect(platform.story()).toEqual([
    'began',
    'looking',
    'planned',
    'step-began a',
    'step-done a',
    'step-began b',
    'step-done b',
    'looking',
    'planned',
    'ended',
  ]);
  expect(platform.journal()).toEqual(['began', 'planned', 'intent a', 'done a', 'intent b', 'done b', 'ended']);
  expect(platform.store.asked).toEqual(['lock', 'release']);
});

test('where nothing is to be done, nothing is locked and nothing is in the history', async () => {
  const platform = aPlatform([]);
  expect(await platform.run()).toEqual({ kind: 'converged', changed: 0 });
  expect(platform.store.asked).toEqual([]);
  expect(platform.journal()).toEqual([]);
});

const voters = [
  { machine: 'cp-1', learner: false },
  { machine: 'cp-0', learner: false },
  { machine: 'cp-2', learner: true },
];

test('who votes is remembered, and be there nothing else to do', async () => {
  const platform = aPlatform([], { voters });
  expect(await platform.run()).toEqual({ kind: 'converged', changed: 0 });
  expect(platform.store.asked).toEqual(['lock', 'remember', 'release']);
  expect(platform.store.remembered?.bootstrap).toMatchObject({ machine: 'cp-0', members: ['cp-0', 'cp-1'] });
  await platform.run();
  expect(platform.store.asked).toHaveLength(3);
});

test('machines that exist and are of this cluster are remembered, so that they can leave it one day', async () => {
  const platform = aPlatform([], { voters, address: '10.0.0.1' });
  await platform.run();
  const where = { address: '10.0.0.1', role: 'control-plane' };
  expect(platform.store.remembered?.configured).toEqual({ 'cp-0': where, 'cp-1': where });
  await platform.run();
  expect(platform.store.asked).toEqual(['lock', 'remember', 'release']);
});

test('a destroy ends what is remembered of a life before its first step', async () => {
  const store = new LockedStore();
  const life = { machine: 'cp-1', chosenAt: '2026-11-16T12:00:00Z' };
  store.remembered = {
    platform: 'prod',
    bootstrap: { ...life, members: ['cp-0'] },
    configured: {},
    guarded: undefined,
  };
  const seen: unknown[] = [];
  const deeds = { a: async () => void seen.push(store.remembered?.bootstrap) };
  await aPlatform(two, { store, deeds, voters, request: { intent: 'destroy' } }).run();
  expect(seen).toEqual([{ ...life, members: ['cp-0'], ending: true }]);
});

test('a destroy without a memory leaves one, so that nobody wonders about its remains', async () => {
  const platform = aPlatform(two, { request: { intent: 'destroy' } });
  await platform.run();
  expect(platform.store.remembered?.bootstrap).toMatchObject({ machine: 'cp-0', ending: true });
});

test('a preview writes nothing', async () => {
  const platform = aPlatform(two);
  expect((await platform.preview()).plan.steps).toEqual(two);
  expect(platform.store.asked).toEqual([]);
  expect(platform.handled).toEqual([]);
});

test('who does not agree has changed nothing', async () => {
  const platform = aPlatform(two, { request: { confirm: () => Promise.resolve(false) } });
  expect(await platform.run()).toEqual({ kind: 'stopped', changed: 0, left: ['a', 'b'] });
  expect(platform.store.asked).toEqual([]);
});

test('what stops it later ends a run before anything is asked or written', async () => {
  const problem = new Problem('no-permission', 'The token may not create VMs.');
  const confirm = (): never => {
    throw new Error('Asked.');
  };
  const platform = aPlatform(two, { preflight: [problem], request: { confirm } });
  expect(await platform.run()).toEqual({ kind: 'stuck', problems: [problem], changed: 0 });
  expect(platform.store.asked).toEqual([]);
  expect(platform.handled).toEqual([]);
});

test('a warning of the preflight is told, and ends nothing', async () => {
  const warning = new Problem('old-version', 'This is an old one.', { severity: 'warning' });
  const platform = aPlatform(two, { preflight: [warning] });
  expect(await platform.run()).toEqual({ kind: 'converged', changed: 2 });
  expect(platform.story()).toContain('warned');
});

const ask = (code: string): Ask => ({ code, message: 'What now?', remedy: 'Say it.' });

test('a question that concerns everything ends a run before it begins', async () => {
  const platform = aPlatform(two, { plan: (steps) => ({ steps, asks: [ask('does-not-fit')] }) });
  expect(await platform.run()).toMatchObject({ kind: 'stuck', problems: [{ code: 'does-not-fit' }], changed: 0 });
  expect(platform.store.asked).toEqual([]);
});

test('with a question about one thing, everything else is done first', async () => {
  const platform = aPlatform(two, { plan: (steps) => ({ steps, asks: [ask('shrinking-disk')] }) });
  expect(await platform.run()).toMatchObject({ kind: 'stuck', problems: [{ code: 'shrinking-disk' }], changed: 2 });
});

test('two runs at once: the second is told who is at work', async () => {
  const store = new LockedStore();
  store.held = { run: 'r0', command: 'ichor up', who: 'bob', host: 'desk', pid: 8, started: 's', since: 's' };
  const platform = aPlatform(two, { store });
  expect(await platform.run()).toMatchObject({ kind: 'stuck', problems: [{ message: 'bob is at work.' }] });
  expect(platform.handled).toEqual([]);
});

test('a lock that is taken away is noticed before the next pass', async () => {
  const store = new LockedStore();
  const steal = async (): Promise<void> => {
    store.held = { run: 'r2', command: 'ichor up', who: 'eve', host: 'lap', pid: 9, started: 's', since: 's' };
  };
  const platform = aPlatform(two, {
    store,
    deeds: { b: steal },
    plan: (open) => ({ steps: open.length > 0 ? open : [fakeStep('c')] }),
  });
  expect(await platform.run()).toMatchObject({
    kind: 'stuck',
    problems: [{ message: 'The lock in talos was taken away from this run, and eve on lap has it now.' }],
    changed: 2,
  });
  expect(platform.handled).toEqual(['a', 'b']);
});

test('a plan that lay too long is made again, and what has moved is said', async () => {
  let moved = false;
  const platform = aPlatform(two, {
    plan: (steps) => ({ steps: moved ? [...steps, fakeStep('c')] : steps }),
    request: {
      confirm: async () => {
        await platform.time.pause(60_000, new AbortController().signal);
        moved = true;
        return true;
      },
    },
  });
  expect(await platform.run()).toMatchObject({
    kind: 'stuck',
    problems: [{ code: 'plan-moved', message: 'The world has moved since this plan was shown:\n  c is new' }],
  });
  expect(platform.handled).toEqual([]);
  expect(platform.store.asked).toEqual(['lock', 'release']);
});

test('a saved plan that is still the plan is done', async () => {
  const saved = JSON.parse(JSON.stringify(planOf({ steps: two }))) as Plan;
  expect(await aPlatform(two, { request: { saved } }).run()).toEqual({ kind: 'converged', changed: 2 });
});

test('a saved plan is refused when the world has moved, and what differs is said', async () => {
  const platform = aPlatform([...two, fakeStep('c')], { request: { saved: planOf({ steps: two }) } });
  expect(await platform.run()).toMatchObject({
    kind: 'stuck',
    changed: 0,
    problems: [
      {
        code: 'plan-moved',
        message: 'The world is not what it was when this plan was saved:\n  c is new',
        remedy: expect.stringMatching(/\n {4}ichor plan --out plan\.json$/) as string,
      },
    ],
  });
  expect(platform.store.asked).toEqual([]);
});

test('after a saved plan only what it has is done; waiting is no change', async () => {
  const extra = [fakeStep('w', { kind: 'reach' }), fakeStep('c')];
  const later = (more: readonly PlannedStep[]) => (open: readonly PlannedStep[]) => ({
    steps: open.length > 0 ? open : more,
  });
  const waits = aPlatform(two, {
    request: { saved: planOf({ steps: two }) },
    plan: (open) => ({ steps: open.length > 0 ? open : waits.handled.includes('w') ? [] : extra.slice(0, 1) }),
  });
  expect(await waits.run()).toEqual({ kind: 'converged', changed: 2 });
  const changes = aPlatform(two, { request: { saved: planOf({ steps: two }) }, plan: later(extra) });
  expect(await changes.run()).toMatchObject({ kind: 'stuck', changed: 2, problems: [{ code: 'plan-moved' }] });
  expect(changes.handled).toEqual(['a', 'b']);
});

const waiting = (): Promise<void> =>
  Promise.reject(new Problem('not-yet', 'The host does not answer.', { recovery: 'wait' }));

test('what waits is looked at again in the next pass', async () => {
  let times = 0;
  const platform = aPlatform(two, { deeds: { a: () => (++times < 3 ? waiting() : Promise.resolve()) } });
  expect(await platform.run()).toEqual({ kind: 'converged', changed: 2 });
});

test('without progress it ends when the longest wait is over, and says what is awaited', async () => {
  const platform = aPlatform([...two, fakeStep('c')], { deeds: { a: waiting } });
  expect(await platform.run()).toMatchObject({
    kind: 'stuck',
    problems: [{ message: 'The host does not answer.' }],
    changed: 1,
  });
  expect(platform.time.passedMs()).toBeGreaterThanOrEqual(60_000);
  expect(platform.time.passedMs()).toBeLessThan(90_000);
});

test('a gate that was waited for as long as is allowed is not waited for again', async () => {
  const platform = aPlatform([fakeStep('w', { kind: 'reach' })], {
    deeds: {
      w: async (signal) => {
        await platform.time.pause(60_000, signal);
        throw new Problem('took-too-long', 'Waited 60 s for an address, in vain.', { recovery: 'wait' });
      },
    },
  });
  expect(await platform.run()).toMatchObject({ kind: 'stuck', problems: [{ code: 'took-too-long' }] });
  expect(platform.handled).toEqual(['w']);
});

test('what asks a person ends the run after everything else was done', async () => {
  const full = new Problem('storage-full', 'There is no room.');
  const platform = aPlatform([...two, fakeStep('c')], { deeds: { a: () => Promise.reject(full) } });
  expect(await platform.run()).toEqual({ kind: 'stuck', problems: [full], changed: 1 });
  expect(platform.handled.toSorted()).toEqual(['a', 'c']);
  expect(platform.journal().at(-1)).toBe('ended');
});

test('what is done again and again without being done is told as such', async () => {
  const platform = aPlatform([], { plan: () => ({ steps: [fakeStep('a')] }) });
  expect(await platform.run()).toMatchObject({
    kind: 'stuck',
    problems: [
      {
        code: 'not-settling',
        message: 'After 5 passes the same is still to be done, although it was done each time:\n  a',
      },
    ],
  });
});

test('what only waits for an answer of a person is not told as something that does not settle', async () => {
  const asks = [{ code: 'cluster-lost', message: 'There was a cluster.', remedy: 'ichor destroy' }];
  const waits = fakeStep('a', { kind: 'reach' });
  const platform = aPlatform([waits], { plan: () => ({ steps: [waits], asks }) });
  expect(await platform.run()).toEqual({ kind: 'stuck', changed: 0, problems: [expect.objectContaining(asks[0]!)] });
});

test('always something new ends too', async () => {
  let count = 0;
  const platform = aPlatform([], { plan: () => ({ steps: [fakeStep(`s${count++}`)] }) });
  expect(await platform.run()).toMatchObject({ kind: 'stuck', problems: [{ code: 'not-settling' }], changed: 50 });
});

test('what could not be seen is looked at again, and said when it stays so', async () => {
  const doubts = [{ about: 'pve2', because: 'it does not answer.' }];
  const blind = aPlatform([], { plan: () => ({ steps: [], doubts }) });
  expect(await blind.run()).toMatchObject({
    kind: 'stuck',
    problems: [{ code: 'not-seen', message: 'pve2 could not be seen: it does not answer.' }],
  });
  const asked = (target: string) => aPlatform([], { plan: () => ({ steps: [], doubts }), request: { target } }).run();
  expect(await asked('machines')).toEqual({ kind: 'converged', changed: 0 });
  expect(await asked('cp-0')).toMatchObject({ kind: 'stuck', problems: [{ code: 'not-seen' }] });
  let looks = 0;
  const clearing = aPlatform([], { plan: () => ({ steps: [], doubts: ++looks < 3 ? doubts : [] }) });
  expect(await clearing.run()).toEqual({ kind: 'converged', changed: 0 });
});

const wrongToken = new Problem('proxmox-login', 'The token is wrong.');
const hiccup = new Problem('proxmox-busy', 'It is busy.', { recovery: 'retry' });

test('a first look that a person must do something about ends the run at once', async () => {
  const platform = aPlatform(two, { observe: () => Promise.reject(wrongToken) });
  expect(await platform.run()).toEqual({ kind: 'stuck', problems: [wrongToken], changed: 0 });
  expect(platform.time.passedMs()).toBe(0);
});

test('a look that fails on the way is tried again', async () => {
  const platform = aPlatform(two, { observe: (look) => (look % 2 === 0 ? Promise.reject(hiccup) : Promise.resolve()) });
  expect(await platform.run()).toEqual({ kind: 'converged', changed: 2 });
  expect(platform.story()).toContain('warned');
});

test('stopped gently, a run finishes what it changes and says what is left', async () => {
  const platform = aPlatform([...two, fakeStep('w', { kind: 'reach' })], {
    deeds: { a: async () => platform.gentle.abort(), w: (signal) => platform.time.pause(60_000, signal) },
  });
  expect(await platform.run()).toEqual({ kind: 'stopped', changed: 1, left: ['b', 'w'] });
  expect(platform.journal()).toEqual(['began', 'planned', 'intent a', 'done a', 'ended']);
  expect(platform.store.asked).toEqual(['lock', 'release']);
});

test('stopped while it looks or rests, a run ends at once', async () => {
  const platform = aPlatform(two, { observe: async () => platform.gentle.abort() });
  expect(await platform.run()).toMatchObject({ kind: 'stopped', changed: 0 });
  const resting = aPlatform(two, {
    deeds: { a: waiting },
    request: {
      tell: (event) => {
        if (event.kind === 'step-failed') queueMicrotask(() => resting.gentle.abort());
      },
    },
  });
  expect(await resting.run()).toMatchObject({ kind: 'stopped', changed: 0, left: ['a', 'b'] });
});

test('stopped while a person thinks, a run ends without an answer', async () => {
  const platform = aPlatform(two, {
    request: {
      confirm: () => {
        platform.gentle.abort();
        return new Promise(() => {});
      },
    },
  });
  expect(await platform.run()).toEqual({ kind: 'stopped', changed: 0, left: ['a', 'b'] });
  expect(platform.store.asked).toEqual([]);
});

test('stopped now, a run leaves its journal as a crash would, but for the end', async () => {
  const platform = aPlatform(two, {
    deeds: {
      a: () => {
        platform.now.abort();
        return new Promise(() => {});
      },
    },
  });
  expect(await platform.run()).toEqual({ kind: 'stopped', changed: 0, left: ['a', 'b'] });
  expect(platform.journal()).toEqual(['began', 'planned', 'intent a', 'ended']);
  expect(platform.store.asked).toEqual(['lock', 'release']);
});

test('a bug is thrown, and the lock is released all the same', async () => {
  const platform = aPlatform(two, { deeds: { a: () => Promise.reject(new TypeError('x is not a function')) } });
  await expect(platform.run()).rejects.toThrow('x is not a function');
  expect(platform.store.asked).toEqual(['lock', 'release']);
});

test('the history tells what a run did', async () => {
  const platform = aPlatform(two);
  await platform.run();
  const past: PastRun = { id: 'r1', entries: platform.store.entries };
  expect(historyOf([past])).toMatchObject([
    { who: 'ada', command: 'ichor up', outcome: 'converged', changed: 2, passes: 1, intent: 'converge' },
  ]);
});

test('whoever is at work is named before anything that is half made is taken for a question', async () => {
  const store = new LockedStore();
  store.held = { run: 'r0', command: 'ichor up', who: 'bob', host: 'desk', pid: 8, started: 's', since: 's' };
  const asks = [{ code: 'foreign-talos', message: 'cp-0 is configured, and not by us.', remedy: 'talosctl reset' }];
  const platform = aPlatform(two, { store, plan: (steps) => ({ steps, asks }) });
  expect(await platform.run()).toMatchObject({ kind: 'stuck', problems: [{ message: 'bob is at work.' }] });
  expect(platform.story()).toEqual(['began', 'ended']);
});

test.each([
  ['cp-1', undefined],
  ['machines', true],
  [undefined, true],
])('a destroy of %s ends the life of the cluster: %s', async (target, ending) => {
  const request = { intent: 'destroy', ...(target === undefined ? {} : { target }) } as const;
  const platform = aPlatform(two, { voters, request });
  await platform.run();
  expect(platform.store.remembered?.bootstrap?.ending).toBe(ending);
});
