import type { Outcome, RunEvent } from '../src/model/event.ts';
import type { Plan } from '../src/model/plan.ts';
import { Problem } from '../src/model/problem.ts';
import { pick, type Dice } from './dice.ts';

export const start = new Date('2026-03-01T12:00:00.000Z');

export const runFacts = (plan: Pick<Plan, 'platform' | 'intent'>) =>
  ({
    id: '20260301T120000Z-a1b2c3',
    platform: plan.platform,
    intent: plan.intent,
    who: 'anna',
    host: 'desk',
    pid: 4711,
    began: start,
  }) as const;

export type Wishes = {
  /** Of a hundred ends of a step, how many are failures, and how many are tried again. */
  readonly failures: number;
  readonly again: number;
  /** Somebody says stop after this many events. */
  readonly stopAfter?: number;
};

/** What a walk over a plan could tell: steps begin when their parents are done, several at a time, and end in any order. */
export function walkEvents(
  plan: Plan,
  dice: Dice,
  { failures, again, stopAfter = Infinity }: Wishes,
): readonly RunEvent[] {
  let ms = 0;
  const at = (): Date => new Date(start.getTime() + (ms += dice(900) + 1));
  const events: RunEvent[] = [
    { kind: 'began', run: runFacts(plan) },
    { kind: 'looking', at: at(), pass: 1 },
    { kind: 'planned', at: at(), pass: 1, plan },
  ];
  const done = new Set<string>();
  const over = new Set<string>();
  const running = new Map<string, { readonly since: number; attempt: number }>();
  const problems: Problem[] = [];
  let stopping = false;
  const skip = (): void => {
    for (const { id, after } of plan.steps)
      if (!over.has(id) && !running.has(id) && (stopping || after.some((each) => over.has(each) && !done.has(each)))) {
        over.add(id);
        events.push({
          kind: 'step-skipped',
          at: at(),
          step: id,
          because: stopping ? 'somebody said stop' : 'what it needs failed',
        });
      }
  };
  for (;;) {
    if (!stopping && events.length > stopAfter) {
      stopping = true;
      events.push({ kind: 'stopping', at: at(), finishing: [...running.keys()] });
    }
    skip();
    const ready = plan.steps.filter(
      ({ id, after }) => !over.has(id) && !running.has(id) && after.every((each) => done.has(each)),
    );
    const next = pick(dice, ['begin', 'tell', 'end'] as const);
    if (ready.length > 0 && (next === 'begin' || running.size === 0)) {
      const { id } = pick(dice, ready);
      running.set(id, { since: ms, attempt: 1 });
      events.push({ kind: 'step-began', at: at(), step: id, attempt: 1 });
      continue;
    }
    if (running.size === 0) break;
    const [step, facts] = pick(dice, [...running]);
    if (next !== 'end') {
      const when = at();
      events.push(
        dice(2) === 0
          ? { kind: 'step-says', at: when, step, text: 'half of it is there' }
          : {
              kind: 'step-waits',
              at: when,
              step,
              for: 'an address',
              because: 'the guest agent does not answer',
              since: new Date(start.getTime() + facts.since),
            },
      );
      continue;
    }
    const luck = dice(100);
    if (luck < again && facts.attempt < 3) {
      facts.attempt++;
      const problem = new Problem('busy', 'The host is busy.', { recovery: 'retry' });
      events.push(
        { kind: 'step-again', at: at(), step, problem, inMs: 500 },
        { kind: 'step-began', at: at(), step, attempt: facts.attempt },
      );
    } else if (luck < again + failures) {
      const problem = new Problem('full', `Storage ${dice(3)} is full.`, { remedy: 'Free some space:\n    df -h' });
      problems.push(problem);
      running.delete(step);
      over.add(step);
      events.push({ kind: 'step-failed', at: at(), step, problem });
    } else {
      running.delete(step);
      over.add(step).valueOf();
      done.add(step);
      const when = at();
      events.push({ kind: 'step-done', at: when, step, ms: when.getTime() - start.getTime() - facts.since });
    }
  }
  const left = plan.steps.flatMap(({ id }) => (done.has(id) ? [] : [id]));
  const outcome: Outcome =
    problems.length > 0
      ? { kind: 'stuck', problems, changed: done.size }
      : stopping
        ? { kind: 'stopped', changed: done.size, left }
        : { kind: 'converged', changed: done.size };
  events.push(
    { kind: 'looking', at: at(), pass: 2 },
    { kind: 'planned', at: at(), pass: 2, plan: { ...plan, steps: [] } },
  );
  return [...events, { kind: 'ended', at: at(), outcome }];
}
