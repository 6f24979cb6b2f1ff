import { expect, test } from 'vitest';
import { compareVersions, formatVersion, parseVersion } from './version.ts';

test('versions are ordered by their numbers, and what comes before a release is older than it', () => {
  const ordered = [
    'v1.9.0',
    'v1.9.10',
    'v1.10.0-alpha.2',
    'v1.10.0-beta.0',
    'v1.10.0-rc.2',
    'v1.10.0-rc.10',
    'v1.10.0',
    'v2.0.0',
  ];
  const shuffled = ordered.toReversed().flatMap((text) => parseVersion(text) ?? []);
  expect(shuffled.toSorted(compareVersions).map(formatVersion)).toEqual(ordered);
});
