import { nearest } from '../model/nearest.ts';
import { Problem } from '../model/problem.ts';
import type { Platform } from '../spec/platform.ts';

/** The one platform that is meant. */
export function chosenPlatform(platforms: readonly Platform[], only: string | undefined): Platform {
  const found = only === undefined ? platforms : platforms.filter(({ name }) => name === only);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  const names = platforms.map(({ name }) => name).join(', ');
  if (platforms.length === 0)
    throw new Problem('no-platform', 'There is no platform in this file.', { remedy: 'Name a file with one.' });
  const near =
    only === undefined
      ? undefined
      : nearest(
          only,
          platforms.map(({ name }) => name),
        );
  throw new Problem(
    'unknown-name',
    only === undefined ? 'There are several platforms here.' : `There is no platform "${only}" here.`,
    { remedy: `${near === undefined ? '' : `Did you mean "${near}"? `}Choose one with --only: ${names}.` },
  );
}
