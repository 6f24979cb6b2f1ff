import { Problem, Problems } from '../model/problem.ts';
import { problemsJson, problemText } from './problems.ts';
import type { Terminal } from './terminal.ts';

/** Shows what ended a command: a problem with its remedy, or a bug with what to send. */
export function failure(error: unknown, argv: readonly string[], terminal: Terminal): number {
  const problems = error instanceof Problems ? error.problems : error instanceof Problem ? [error] : [];
  if (problems.length === 0) {
    terminal.err(
      `${terminal.paint(['bold', 'red'], 'This is a bug in ichor.')} Please report it with the lines below.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return 1;
  }
  if (wantsJson(argv)) terminal.out(`${JSON.stringify({ problems: problemsJson(problems) }, null, 2)}\n`);
  else
    for (const problem of problems)
      terminal.err(problemText(problem, error instanceof Problems ? error.texts : new Map(), terminal));
  return 1;
}

const wantsJson = (argv: readonly string[]): boolean =>
  argv.some(
    (word, index) =>
      word === '--output=json' ||
      word === '-ojson' ||
      (word === 'json' && ['--output', '-o'].includes(argv[index - 1] ?? '')),
  );
