import type { Outcome, RunEvent } from '../../model/event.ts';
import type { Problem } from '../../model/problem.ts';
import { planJson } from './plan-json.ts';

/** One event as one object; names and meanings stay. */
export function eventJson(event: RunEvent): Record<string, unknown> {
  switch (event.kind) {
    case 'began': {
      const { began, ...run } = event.run;
      return { kind: event.kind, at: began.toISOString(), ...run };
    }
    case 'planned':
      return { ...stamped(event), pass: event.pass, plan: planJson(event.plan) };
    case 'looking':
      return { ...stamped(event), pass: event.pass };
    case 'step-began':
      return { ...stamped(event), step: event.step, attempt: event.attempt };
    case 'step-waits':
      return {
        ...stamped(event),
        step: event.step,
        for: event.for,
        because: event.because,
        since: event.since.toISOString(),
      };
    case 'step-says':
      return { ...stamped(event), step: event.step, text: event.text };
    case 'step-again':
      return { ...stamped(event), step: event.step, problem: problemJson(event.problem), inMs: event.inMs };
    case 'step-done':
      return { ...stamped(event), step: event.step, ms: event.ms };
    case 'step-failed':
      return { ...stamped(event), step: event.step, problem: problemJson(event.problem) };
    case 'step-skipped':
      return { ...stamped(event), step: event.step, because: event.because };
    case 'warned':
      return { ...stamped(event), problem: problemJson(event.problem) };
    case 'stopping':
      return { ...stamped(event), finishing: event.finishing };
    case 'ended':
      return { ...stamped(event), outcome: outcomeJson(event.outcome) };
  }
}

const stamped = ({ kind, at }: { readonly kind: string; readonly at: Date }) => ({ kind, at: at.toISOString() });

export const problemJson = ({ code, message, recovery, remedy }: Problem): Record<string, unknown> => ({
  code,
  message,
  recovery,
  remedy,
});

export const outcomeJson = (outcome: Outcome): Record<string, unknown> =>
  outcome.kind === 'stuck' ? { ...outcome, problems: outcome.problems.map(problemJson) } : { ...outcome };
