import { Problem, Problems } from '../model/problem.ts';
import { problemText } from './problems.ts';
import { refusal, type RunFormat } from './run-options.ts';
import type { Terminal } from './terminal.ts';

/** Shows what ended a command: a problem with its remedy, or a bug with what to send. */
export function failure(error: unknown, format: RunFormat, terminal: Terminal): number {
  const problems = error instanceof Problems ? error.problems : error instanceof Problem ? [error] : [];
  if (problems.length === 0) {
    terminal.err(
      `${terminal.paint(['bold', 'red'], 'This is a bug in ichor.')} Please report it with the lines below.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    if (format !== 'text') terminal.out(refusal([bug], format, terminal));
    return 1;
  }
  if (format !== 'text') terminal.out(refusal(problems, format, terminal));
  else
    for (const problem of problems)
      terminal.err(problemText(problem, error instanceof Problems ? error.texts : new Map(), terminal));
  return 1;
}

const bug = new Problem('bug', 'This is a bug in ichor.', {
  remedy: 'Please report it with what stands in the errors.',
});

/** The format that somebody asked for, as far as one can tell before options are understood. */
export function formatIn(argv: readonly string[], { ICHOR_OUTPUT: variable = '' }: NodeJS.ProcessEnv): RunFormat {
  const said = argv.findLast((word, index) => /^(--output=|-o.)/.test(word) || isOption(argv[index - 1]));
  const format = said === undefined ? variable : said.replace(/^(--output=|-o)/, '');
  return format === 'json' || format === 'jsonl' ? format : 'text';
}

const isOption = (word: string | undefined): boolean => word === '--output' || word === '-o';
