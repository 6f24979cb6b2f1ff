import type { RunEvent } from '../../model/event.ts';
import type { Plan } from '../../model/plan.ts';
import { elapsedMs, type RunState, type StepState } from '../../model/run-state.ts';
import type { Terminal } from '../terminal.ts';
import { about, lasting } from './duration.ts';
import { someOf } from './names.ts';
import { totalsOf } from './plan-totals.ts';
import { briefName, changesSomething, named, stepName, stopwatch } from './run-words.ts';

/** Somebody who waits is told that it still waits this often. */
const againMs = 30_000;

/** A run as lines that follow each other. What is told is followed in `state` before it comes here. */
export function runLines(
  { out }: Pick<Terminal, 'out'>,
  state: () => RunState,
): { readonly tell: (event: RunEvent) => void } {
  const waited = new Map<string, { readonly for: string; readonly atMs: number }>();
  const isNews = ({ step, for: gate, at }: Extract<RunEvent, { kind: 'step-waits' }>): boolean => {
    const last = waited.get(step);
    if (last?.for === gate && at.getTime() - last.atMs < againMs) return false;
    waited.set(step, { for: gate, atMs: at.getTime() });
    return true;
  };
  return {
    tell: (event) => {
      if (event.kind === 'step-waits' && !isNews(event)) return;
      const line = lineOf(event, state());
      if (line === undefined) return;
      const at = event.kind === 'began' ? event.run.began : event.at;
      out(`${stopwatch(at.getTime() - (state().began ?? at).getTime())}  ${line}\n`);
    },
  };
}

const word = (text: string): string => text.padEnd(7);

function lineOf(event: RunEvent, state: RunState): string | undefined {
  switch (event.kind) {
    case 'began':
      return `${word('began')} ${event.run.platform}, run ${event.run.id}`;
    case 'looking':
      return event.pass > 1 ? `${word('looks')} whether anything is left` : `${word('looks')} at what is there`;
    case 'planned': {
      return `${word('planned')} ${plannedWords(event.plan)}`;
    }
    case 'warned':
      return `${word('warns')} ${event.problem.message}`;
    case 'stopping':
      return `${word('stops')} ${stoppingWords(event.finishing, state)}`;
    case 'ended':
      return undefined;
    default:
      return stepLine(event, stepOf(event.step, state));
  }
}

/** Nothing to do is good news only where nothing is open. */
function plannedWords({ steps, asks, doubts }: Plan): string {
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`;
  if (steps.length > 0) return `${count}, at least ${about(totalsOf(steps).expectedMs)}`;
  if (asks.length > 0)
    return `no step: ${asks.length === 1 ? 'a question needs' : `${asks.length} questions need`} you`;
  if (doubts.length > 0)
    return `no step: ${doubts.length === 1 ? 'something' : `${doubts.length} things`} could not be seen`;
  return 'nothing to do';
}

function stepLine(event: Extract<RunEvent, { step: string }>, step: StepState): string | undefined {
  const name = stepName(step);
  switch (event.kind) {
    case 'step-began':
      return changesSomething(step) ? `${word('begins')} ${name}` : undefined;
    case 'step-waits':
      return `${word('waits')} ${changesSomething(step) ? `${name}: ` : ''}${waitWords(event, step)}`;
    case 'step-says':
      return `${word('says')} ${name}: ${event.text}`;
    case 'step-again':
      return `${word('again')} ${name}: ${event.problem.message} (in ${lasting(event.inMs)})`;
    case 'step-done':
      return `${word('done')} ${name} (${lasting(elapsedMs(step, event.at))})`;
    case 'step-failed':
      return `${word('failed')} ${name}: ${event.problem.message}`;
    case 'step-skipped':
      return undefined;
  }
}

/** `for prod-cp-0 to vote in etcd: it is learning (12 s)`; who has just begun to wait has not waited. */
function waitWords(event: Extract<RunEvent, { kind: 'step-waits' }>, step: StepState): string {
  const ms = event.at.getTime() - event.since.getTime();
  const machine = changesSomething(step) ? undefined : step.planned?.machine;
  return `${named(machine, `for ${event.for}: ${event.because}`)}${ms < 1000 ? '' : ` (${lasting(ms)})`}`;
}

/** What one must know comes first: the rest may have no room. */
export function stoppingWords(finishing: readonly string[], state: RunState, most = 4): string {
  const names = finishing.map((id) => briefName(stepOf(id, state)));
  return `at a safe point; once more stops at once.${names.length === 0 ? '' : ` Finishing ${someOf(names, most)}.`}`;
}

export const stepOf = (id: string, { passes }: RunState): StepState =>
  passes.findLast(({ steps }) => steps.has(id))?.steps.get(id) ?? {
    id,
    planned: undefined,
    phase: 'pending',
    attempts: 0,
    began: undefined,
    ended: undefined,
    waits: undefined,
    says: undefined,
    problem: undefined,
    again: undefined,
    because: undefined,
  };
