import { Problem } from '../model/problem.ts';
import { agreed, type RunFormat } from './run-options.ts';
import type { Terminal } from './terminal.ts';

type Wish = { readonly yes: boolean; readonly output: RunFormat };

/** What is to be answered, for those who cannot be asked. */
type Question = {
  /** What they should know before they say yes; empty: they were told. */
  readonly about?: string;
  /** What to do first, with what to type for it. */
  readonly first: string;
  readonly command: string;
};

/** Somebody must be there to answer, or have said yes beforehand; known before anything is begun. */
export function mustBeAnswerable(wish: Wish, terminal: Terminal, { about = '', first, command }: Question): void {
  if (agreed(wish) || (terminal.ask !== undefined && wish.output === 'text')) return;
  const why =
    wish.output === 'text' ? 'There is no terminal to ask on' : `With --output ${wish.output} nothing is asked`;
  throw new Problem('not-confirmed', `${about}${why}, and nobody has said yes.`, {
    remedy: `${first}\n    ${command} --yes`,
  });
}

/** For what has a plan. */
export const afterPlan = (plan: string): string => `Look at the plan first, then say that you mean it:\n    ${plan}`;

/** `y` and `yes` are a yes; everything else, and silence, is not. */
export async function saysYes(question: string, wish: Wish, terminal: Terminal, signal: AbortSignal): Promise<boolean> {
  if (agreed(wish)) return true;
  const answer = await terminal.ask?.(`${terminal.paint('bold', question)} [yes/no] `, signal);
  return /^\s*y(es)?\s*$/i.test(answer ?? '');
}

/** What can never be taken back asks for the name. */
export async function typesName(
  question: string,
  name: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await terminal.ask?.(`${terminal.paint(['bold', 'red'], question)} Type its name (${name}): `, signal);
  return answer?.trim() === name;
}
