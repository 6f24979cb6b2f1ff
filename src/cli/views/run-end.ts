import type { Outcome } from '../../model/event.ts';
import type { Problem } from '../../model/problem.ts';
import { allSteps, countPhases, runMs, type RunState, type StepState } from '../../model/run-state.ts';
import { problemText } from '../problems.ts';
import type { Terminal } from '../terminal.ts';
import { quoted } from '../command-line.ts';
import { lasting } from './duration.ts';
import { someOf } from './names.ts';
import { emptyText, isOpen } from './plan-text.ts';
import { stepOf } from './run-lines.ts';
import { briefName, changesSomething } from './run-words.ts';
import { wrap } from './wrap.ts';

export type Ending = {
  readonly state: RunState;
  readonly outcome: Outcome;
  readonly platform: string;
  readonly intent: 'converge' | 'destroy';
  /** The layer or machine that was asked for; undefined: all of it. */
  readonly target?: string | undefined;
  readonly now: Date;
  /** What to type to go on. */
  readonly goOn: string;
  /** The folder of the files for people, as they would type it. */
  readonly files: string;
};

/** How a run ended: what is done, what failed and why, what is left, and how to go on. */
export function endText(ending: Ending, terminal: Terminal): string {
  switch (ending.outcome.kind) {
    case 'converged':
      return converged(ending, ending.outcome.changed, terminal);
    case 'stuck':
      return stuck(ending, ending.outcome.problems, terminal);
    case 'stopped':
      return stopped(ending, ending.outcome, terminal);
  }
}

function converged(ending: Ending, changed: number, terminal: Terminal): string {
  const { state, platform, intent, target, now } = ending;
  const { paint } = terminal;
  const { done } = countPhases(allSteps(state));
  const plan = state.passes.at(-1)?.plan;
  const open = plan === undefined ? undefined : emptyText(plan, terminal);
  if (changed + done === 0) return open ?? `${paint('green', `Nothing to do: ${platform}.`)}\n`;
  const more = plan !== undefined && target === undefined && isOpen(plan) ? `\n${open}` : '';
  const what = fateOf({ platform, intent, target }, more !== '');
  const sum = `${paint(['bold', 'green'], 'Done')}: ${what}. ${steps(done)} in ${lasting(runMs(state, now))}.\n`;
  return `${sum}${wayIn(ending)}${more}`;
}

/** Whoever has just got a kubeconfig wants to use it. */
function wayIn({ state, files }: Ending): string {
  const isNew = allSteps(state).some(
    ({ phase, planned }) =>
      phase === 'done' && planned?.step.kind === 'artifacts.write' && planned.step.files.includes('kubeconfig'),
  );
  return isNew ? `Use it with:\n    kubectl --kubeconfig ${quoted(`${files}/kubeconfig`)} get nodes\n` : '';
}

function fateOf({ platform, intent, target }: Pick<Ending, 'platform' | 'intent' | 'target'>, open: boolean): string {
  if (target !== undefined)
    return `what --target ${target} asks for; the rest of ${platform} was not asked for, and may be other than the file says`;
  return `${intent === 'destroy' ? `${platform} is gone` : `${platform} is as the file says`}${open ? ', but for what is open' : ''}`;
}

function stuck({ state, now, goOn }: Ending, problems: readonly Problem[], terminal: Terminal): string {
  const all = allSteps(state);
  const failed = all.filter(({ phase }) => phase === 'failed');
  const { done, skipped, pending } = countPhases(all);
  const told = distinct([...problems, ...failed.flatMap(({ problem }) => problem ?? [])]);
  const counted = [
    `${steps(done)} done`,
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
    ...(skipped + pending === 0 ? [] : [`${skipped + pending} not begun`]),
  ];
  const sum = touched(state)
    ? `${terminal.paint(['bold', 'red'], 'Failed')} after ${lasting(runMs(state, now))}: ${counted.join(', ')}. What is done stays done.`
    : 'Nothing was changed.';
  const next = told.some(({ code }) => mistyped.has(code)) ? '' : `When it is put right, go on with:\n    ${goOn}\n`;
  return [
    ...told.map((problem) => problemText(problem, new Map(), terminal) + about(problem, failed, terminal)),
    `${sum}\n${next}`,
  ].join('\n');
}

/** What was typed is itself what is wrong: the same once more would end the same way, and the remedy says what to type. */
const mistyped: ReadonlySet<string> = new Set(['unknown-target', 'other-platform']);

/** Whether anything that changes something was begun. */
const touched = (state: RunState): boolean =>
  allSteps(state).some((step) => step.began !== undefined && changesSomething(step));

/** Each problem once, however many steps met it. */
const distinct = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map((problem) => [sameness(problem), problem])).values(),
];

const sameness = ({ code, message }: Problem): string => `${code}\n${message}`;

function about(problem: Problem, failed: readonly StepState[], { paint }: Terminal): string {
  const names = failed
    .filter((step) => step.problem !== undefined && sameness(step.problem) === sameness(problem))
    .map(briefName);
  return names.length === 0 ? '' : `  ${paint('dim', `met by ${someOf(names, 4)}`)}\n`;
}

function stopped(
  { state, platform, now, goOn }: Ending,
  { changed, left }: Extract<Outcome, { kind: 'stopped' }>,
  { paint, columns }: Terminal,
): string {
  const { done } = countPhases(allSteps(state));
  if (changed === 0 && !touched(state)) return `Nothing was done: ${platform} is as it was.\n`;
  const names = left.map((id) => briefName(stepOf(id, state)));
  return [
    `${paint(['bold', 'yellow'], 'Stopped')} after ${lasting(runMs(state, now))}: ${steps(done)} done, ${left.length} left.`,
    ...(names.length === 0 ? [] : wrap(`Left: ${someOf(names, 5)}.`, columns)),
    'Go on with:',
    `    ${goOn}`,
    '',
  ].join('\n');
}

const steps = (count: number): string => `${count} step${count === 1 ? '' : 's'}`;
