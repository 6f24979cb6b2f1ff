import type { JournalEntry, PastRun } from '../state/store.ts';

/** What became of the steps of one kind: `machine.create`. */
type StepTally = {
  readonly kind: string;
  readonly done: number;
  readonly failed: number;
  /** Begun, and nobody wrote down how it ended. */
  readonly open: number;
};

/** A run, as somebody reads it later. */
export type HistoryRow = {
  readonly id: string;
  readonly intent: 'converge' | 'destroy' | undefined;
  readonly who: string | undefined;
  readonly host: string | undefined;
  readonly command: string | undefined;
  /** ISO 8601. */
  readonly began: string | undefined;
  /** Until it ended, or until the last that was heard of it. */
  readonly ms: number;
  /** `unfinished`: it was cut off, or it is still running. */
  readonly outcome: 'converged' | 'stuck' | 'stopped' | 'unfinished';
  /** Steps that changed something and were done. */
  readonly changed: number;
  readonly passes: number;
  /** In the order in which kinds were first begun. */
  readonly steps: readonly StepTally[];
  /** Codes and messages of what failed and was not done later. */
  readonly failures: readonly { readonly step: string; readonly code: string; readonly message: string }[];
};

/** Runs as rows, in the order in which they come. */
export const historyOf = (runs: readonly PastRun[]): readonly HistoryRow[] => runs.map(rowOf);

function rowOf({ id, entries }: PastRun): HistoryRow {
  const began = entries.find((entry) => entry.kind === 'began');
  const ended = entries.findLast((entry) => entry.kind === 'ended');
  const fates = fatesOf(entries);
  const first = entries[0]?.at;
  const last = entries.at(-1)?.at;
  return {
    id,
    intent: began?.run.intent,
    who: began?.run.who,
    host: began?.run.host,
    command: began?.run.command,
    began: first,
    ms: first === undefined || last === undefined ? 0 : Math.max(0, Date.parse(last) - Date.parse(first)),
    outcome: ended?.outcome ?? 'unfinished',
    changed: ended?.changed ?? [...fates.values()].reduce((sum, { done }) => sum + done, 0),
    passes: entries.filter(({ kind }) => kind === 'planned').length,
    steps: tallies(fates),
    failures: [...fates].flatMap(([step, { last: fate }]) =>
      fate?.kind === 'failed' ? [{ step, code: fate.code, message: fate.message }] : [],
    ),
  };
}

type StepEntry = Extract<JournalEntry, { readonly kind: 'intent' | 'done' | 'failed' }>;
type Fate = { readonly done: number; readonly last: StepEntry | undefined };

function fatesOf(entries: readonly JournalEntry[]): ReadonlyMap<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const entry of entries) {
    if (entry.kind !== 'intent' && entry.kind !== 'done' && entry.kind !== 'failed') continue;
    const done = (fates.get(entry.step)?.done ?? 0) + (entry.kind === 'done' ? 1 : 0);
    fates.set(entry.step, { done, last: entry });
  }
  return fates;
}

function tallies(fates: ReadonlyMap<string, Fate>): readonly StepTally[] {
  const found = new Map<string, StepTally>();
  for (const [step, { done, last }] of fates) {
    const kind = step.split(' ', 1)[0] ?? step;
    const before = found.get(kind) ?? { kind, done: 0, failed: 0, open: 0 };
    found.set(kind, {
      kind,
      done: before.done + done,
      failed: before.failed + (last?.kind === 'failed' ? 1 : 0),
      open: before.open + (last?.kind === 'intent' ? 1 : 0),
    });
  }
  return [...found.values()];
}
