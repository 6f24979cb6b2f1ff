import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Problem } from '../../model/problem.ts';

const run = promisify(execFile);

/**
 * Whether what is about to be built is what Git has: a platform that follows a repository must not run ahead of it. `own` are the
 * folders that ichor keeps here: no work of anybody, and full of secrets.
 */
export async function gitClean(
  folder: string,
  own: readonly string[],
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const git = (...words: readonly string[]): Promise<string | undefined> =>
    run('git', ['-C', folder, ...words], { signal }).then(
      ({ stdout }) => stdout,
      () => {
        signal.throwIfAborted();
        return undefined;
      },
    );
  if ((await git('rev-parse', '--is-inside-work-tree'))?.trim() !== 'true') return notTracked(folder, own);
  const changed = await git('status', '--porcelain', '--', '.', ...own.map(without));
  if (changed === undefined || changed.trim() === '') return undefined;
  return uncommitted(changed.trimEnd().split('\n'), own);
}

const without = (name: string): string => `:(exclude)${name}`;

/** Everything but secrets, whatever is ignored already. */
const addAll = (own: readonly string[]): string =>
  `git add -A -- . ${own.map((name) => `'${without(name)}'`).join(' ')}`;

const uncommitted = (lines: readonly string[], own: readonly string[]): Problem =>
  new Problem(
    'git-not-clean',
    `Git has not got everything that is here: ${lines
      .slice(0, 5)
      .map((line) => line.slice(3))
      .join(', ')}${lines.length > 5 ? `, and ${lines.length - 5} more` : ''}.`,
    {
      remedy: `The platform follows a repository (services.gitops), so commit first:\n    ${addAll(own)} && git commit`,
    },
  );

const notTracked = (folder: string, own: readonly string[]): Problem =>
  new Problem('git-not-there', `"${folder}" is in no Git repository, and the platform follows one (services.gitops).`, {
    severity: 'warning',
    remedy: `Keep the file of a platform in Git, so that everybody sees what it should be:\n    git init && ${addAll(own)}`,
  });
