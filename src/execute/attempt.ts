import type { RunEvent } from '../model/event.ts';
import type { PlannedStep } from '../model/plan.ts';
import { Problem, Problems } from '../model/problem.ts';
import { onlyWaits, type Step } from '../model/step.ts';
import type { Journal } from '../state/store.ts';
import type { Handlers, StepContext, Tools } from './tools.ts';

export type AttemptTools = {
  readonly handlers: Handlers;
  readonly tools: Tools;
  readonly journal: Pick<Journal, 'write'>;
  /** The longest that one gate may be waited for. */
  readonly atMostMs: number;
  readonly tell: (event: RunEvent) => void;
};

/** How one attempt ended. */
export type Fate =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** It was told to stop, and nobody knows how far it came. */
  | { readonly kind: 'left' }
  /** A bug, or a journal that cannot be written: nothing more may be begun. */
  | { readonly kind: 'broken'; readonly error: unknown };

type Handle = (step: Step, tools: Tools, context: StepContext, signal: AbortSignal) => Promise<void>;

/** One attempt at one step. The intent is durable before anything is changed, and the end before anybody hears of it. */
export async function attempt(
  planned: PlannedStep,
  { number, since }: { readonly number: number; readonly since: Date },
  options: AttemptTools,
  signal: AbortSignal,
): Promise<Fate> {
  const { tools, journal, tell } = options;
  const { id, step, because } = planned;
  const changes = !onlyWaits(step);
  const now = (): Date => tools.clock.now();
  const write = async (entry: Parameters<Journal['write']>[0]): Promise<void> =>
    changes ? journal.write(entry) : undefined;
  try {
    await write({ at: now().toISOString(), kind: 'intent', step: id, attempt: number, because });
    if (signal.aborted) return { kind: 'left' };
    tell({ kind: 'step-began', at: now(), step: id, attempt: number });
    const fate = await handled(planned, options, signal);
    const at = now();
    if (fate.kind === 'done')
      await write({ at: at.toISOString(), kind: 'done', step: id, ms: at.getTime() - since.getTime() });
    if (fate.kind === 'failed') await write({ at: at.toISOString(), kind: 'failed', step: id, ...words(fate.problem) });
    if (fate.kind === 'broken')
      await write({ at: at.toISOString(), kind: 'failed', step: id, code: 'bug', message: 'A bug in ichor ended it.' });
    return fate;
  } catch (error) {
    return { kind: 'broken', error };
  }
}

async function handled(
  { id, step }: PlannedStep,
  { handlers, tools, atMostMs, tell }: AttemptTools,
  signal: AbortSignal,
): Promise<Fate> {
  const context: StepContext = {
    atMostMs,
    tell: (said) => {
      const at = tools.clock.now();
      if (said.kind === 'says') tell({ kind: 'step-says', at, step: id, text: said.text });
      else tell({ ...said, kind: 'step-waits', at, step: id });
    },
  };
  try {
    await (handlers[step.kind] as Handle)(step, tools, context, signal);
    return { kind: 'done' };
  } catch (error) {
    // Whatever a client makes of being interrupted says nothing about the step.
    if (signal.aborted) return { kind: 'left' };
    const problem = error instanceof Problems ? together(error.problems) : error;
    return problem instanceof Problem ? { kind: 'failed', problem } : { kind: 'broken', error };
  }
}

/** Several that ended one step; what helps least decides what happens next. */
function together(problems: readonly Problem[]): Problem | undefined {
  const worst = ['ask', 'wait', 'retry']
    .map((each) => problems.find(({ recovery }) => recovery === each))
    .find(Boolean);
  if (worst === undefined || problems.length === 1) return worst;
  return new Problem(worst.code, problems.map(({ message }) => message).join('\n'), {
    recovery: worst.recovery,
    remedy: worst.remedy,
    cause: new Problems(problems),
  });
}

const words = ({ code, message }: Problem): Pick<Problem, 'code' | 'message'> => ({ code, message });
