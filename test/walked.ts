import { walk, type Walked, type WalkStop } from '../src/execute/walk.ts';
import type { Handlers, Tools } from '../src/execute/tools.ts';
import type { RunEvent } from '../src/model/event.ts';
import type { PlannedStep } from '../src/model/plan.ts';
import type { Step } from '../src/model/step.ts';
import type { JournalEntry } from '../src/state/store.ts';
import { seededEntropy } from './entropy.ts';
import { virtualTime } from './virtual-time.ts';

export type Time = ReturnType<typeof virtualTime>;

/** What a fake step does: takes its time, and ends as this says for each attempt. */
export type Deed = (attempt: number, time: Time, signal: AbortSignal, tell: (text: string) => void) => Promise<void>;

/** Everything that happened, in the order in which it did. */
export type Happened =
  | { readonly what: 'journal'; readonly entry: JournalEntry }
  | { readonly what: 'told'; readonly event: RunEvent }
  | { readonly what: 'begins' | 'ends'; readonly id: string; readonly atMs: number };

export type Played = {
  readonly happened: readonly Happened[];
  readonly walked: Walked;
  readonly ms: number;
};

const kindOf = {
  create: 'machine.create',
  reach: 'talos.reach',
  drain: 'node.drain',
  talos: 'talos.configure',
} as const;
export type FakeKind = keyof typeof kindOf;

/** A step of a plan. Handlers know only the step, so its name is its id. */
export function fakeStep(
  id: string,
  options: {
    readonly kind?: FakeKind;
    readonly after?: readonly string[];
    readonly ms?: number;
    readonly host?: string;
  } = {},
): PlannedStep {
  const kind = kindOf[options.kind ?? 'create'];
  return {
    id,
    layer: 'machines',
    machine: id,
    step: { kind, machine: id, ref: undefined, node: id, order: { host: options.host ?? 'pve1' } } as unknown as Step,
    after: options.after ?? [],
    because: `${id} is wanted`,
    disruption: 'none',
    expectedMs: options.ms ?? 1000,
  };
}

export const never: WalkStop = { gentle: new AbortController().signal, now: new AbortController().signal };

/** Walks a plan with fake handlers in a time of its own. */
export async function play(
  steps: readonly PlannedStep[],
  deeds: Readonly<Record<string, Deed>> = {},
  options: {
    readonly parallelism?: number;
    readonly stop?: (time: Time, happened: readonly Happened[]) => WalkStop;
    readonly seed?: number;
    readonly time?: Time;
    readonly journal?: (entry: JournalEntry) => Promise<void>;
  } = {},
): Promise<Played> {
  const time = options.time ?? virtualTime();
  const happened: Happened[] = [];
  const attempts = new Map<string, number>();
  const durations = new Map(steps.map(({ id, expectedMs }) => [id, expectedMs]));
  const handle = async (
    { machine: id }: { readonly machine: string },
    _: Tools,
    context: { readonly tell: (event: { readonly kind: 'says'; readonly text: string }) => void },
    signal: AbortSignal,
  ): Promise<void> => {
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    happened.push({ what: 'begins', id, atMs: time.passedMs() });
    try {
      await time.pause(durations.get(id) ?? 0, signal);
      await deeds[id]?.(attempt, time, signal, (text) => context.tell({ kind: 'says', text }));
    } finally {
      happened.push({ what: 'ends', id, atMs: time.passedMs() });
    }
  };
  const walking = walk(
    { steps },
    {
      handlers: new Proxy({}, { get: () => handle }) as Handlers,
      tools: { clock: time.clock, pause: time.pause, entropy: seededEntropy(options.seed ?? 1) } as unknown as Tools,
      journal: {
        write: async (entry) => {
          await options.journal?.(entry);
          happened.push({ what: 'journal', entry });
        },
      },
      parallelism: options.parallelism ?? 1000,
      atMostMs: 60_000,
      tell: (event) => happened.push({ what: 'told', event }),
    },
    options.stop?.(time, happened) ?? never,
  );
  const walked = await time.until(walking);
  return { happened, walked, ms: time.passedMs() };
}

/** Events as lines: `step-done a`. */
export const told = (happened: readonly Happened[]): readonly string[] =>
  happened.flatMap((each) => {
    if (each.what !== 'told') return [];
    const { event } = each;
    return 'step' in event ? `${event.kind} ${event.step}` : event.kind;
  });

/** The journal as lines: `intent a`. */
export const written = (happened: readonly Happened[]): readonly string[] =>
  happened.flatMap((each) =>
    each.what === 'journal' && 'step' in each.entry ? `${each.entry.kind} ${each.entry.step}` : [],
  );
