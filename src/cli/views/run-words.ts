import type { StepState } from '../../model/run-state.ts';
import { stepWords } from './step-words.ts';

/** What a step does, without whom it is about. */
function doing({ id, planned }: Pick<StepState, 'id' | 'planned'>): string {
  if (planned === undefined) return id;
  const { mark, what, where } = stepWords(planned.step);
  if (mark === '>') return `wait until ${what}`;
  return where === undefined ? what : `${what}, ${where}`;
}

/** The same in a few words, for where there is little room. */
export function briefly({ id, planned }: Pick<StepState, 'id' | 'planned'>): string {
  if (planned === undefined) return id;
  const { mark, what } = stepWords(planned.step);
  return mark === '>' ? `wait until ${what}` : (what.split(':')[0] ?? what);
}

export function briefName(step: Pick<StepState, 'id' | 'planned'>): string {
  const machine = step.planned?.machine;
  return machine === undefined ? briefly(step) : `${machine} (${briefly(step)})`;
}

/** The same with the machine before it. */
export function stepName(step: Pick<StepState, 'id' | 'planned'>): string {
  const machine = step.planned?.machine;
  return machine === undefined ? doing(step) : `${machine}: ${doing(step)}`;
}

/** Whoever is named already is not named again. */
export const named = (machine: string | undefined, text: string): string =>
  machine === undefined || text.includes(machine) ? text : `${machine}: ${text}`;

export const changesSomething = ({ planned }: Pick<StepState, 'planned'>): boolean =>
  planned === undefined || stepWords(planned.step).mark !== '>';

/** `02:05`, or `1:02:05` for those who wait long. */
export function stopwatch(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (count: number): string => String(count).padStart(2, '0');
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds < 3600 ? rest : `${Math.floor(seconds / 3600)}:${rest}`;
}
