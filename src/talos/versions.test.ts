import { describe, expect, test } from 'vitest';
import { talosReleases } from '../model/talos-releases.ts';
import { parseVersion } from '../model/version.ts';
import { accepts, upgradePath, whyNotUnderstood } from './versions.ts';

/** "v1.9.0 => v1.10.9 staged legacy" for each hop. */
const outline = (from: string, to: string, available?: readonly string[]): readonly string[] =>
  upgradePath(from, to, available).map((hop) => `${hop.from} => ${hop.to}${hop.staged ? ' staged' : ''} ${hop.way}`);

describe('the way', () => {
  test.each<[from: string, to: string, hops: readonly string[]]>([
    ['v1.13.9', 'v1.13.9', []],
    ['v1.13.2', 'v1.13.9', ['v1.13.2 => v1.13.9 lifecycle']],
    ['v1.13.9', 'v1.14.0', ['v1.13.9 => v1.14.0 lifecycle']],
    ['v1.12.4', 'v1.13.9', ['v1.12.4 => v1.12.11 legacy', 'v1.12.11 => v1.13.9 legacy']],
    ['v1.9.2', 'v1.9.6', ['v1.9.2 => v1.9.6 staged legacy']],
    [
      'v1.9.0',
      'v1.14.1',
      [
        'v1.9.0 => v1.10.9 staged legacy',
        'v1.10.9 => v1.11.6 legacy',
        'v1.11.6 => v1.12.11 legacy',
        'v1.12.11 => v1.13.9 legacy',
        'v1.13.9 => v1.14.1 lifecycle',
      ],
    ],
    ['1.10.2', '1.11.0', ['v1.10.2 => v1.10.9 legacy', 'v1.10.9 => v1.11.0 legacy']],
    ['v1.14.0-rc.1', 'v1.14.0', ['v1.14.0-rc.1 => v1.14.0 lifecycle']],
    ['v1.8.3', 'v1.9.0', ['v1.8.3 => v1.9.0 legacy']],
    ['v1.13.9', 'v1.12.4', ['v1.13.9 => v1.12.4 lifecycle']],
    ['v1.13.9', 'v1.13.2', ['v1.13.9 => v1.13.2 lifecycle']],
  ])('from %s to %s', (from, to, hops) => {
    expect(outline(from, to)).toEqual(hops);
  });

  test('takes the newest patches that a factory has, and no release candidates', () => {
    expect(
      outline('v1.9.1', 'v1.11.6', ['v1.9.6', 'v1.9.10', 'v1.10.0', 'v1.10.12', 'v1.10.13-beta.0', 'junk']),
    ).toEqual(['v1.9.1 => v1.9.10 staged legacy', 'v1.9.10 => v1.10.12 legacy', 'v1.10.12 => v1.11.6 legacy']);
  });

  test.each([
    [
      'v1.13.9',
      'v1.10.9',
      'Talos v1.10.9 cannot be installed over v1.13.9.',
      'It goes over v1.8.0 and later, below v1.12.0.',
    ],
    [
      'v1.7.0',
      'v1.9.0',
      'Talos v1.9.0 cannot be installed over v1.7.0.',
      'It goes over v1.8.0 and later, below v1.11.0.',
    ],
    ['v1.13.9', 'v1.15.0', 'Talos v1.15.0 cannot be installed over v1.14.0.', 'ichor knows Talos 1.9 to 1.14.'],
    ['latest', 'v1.13.9', '"latest" is not a version of Talos.', 'Write it as v1.13.9.'],
  ])('from %s to %s there is none', (from, to, message, remedy) => {
    expect(() => upgradePath(from, to)).toThrow(expect.objectContaining({ message, remedy }));
  });
});

test('each minor takes the two before it, itself and the next', () => {
  const versions = Object.values(talosReleases).flatMap(({ patch }) => parseVersion(patch) ?? []);
  const table = versions.map((installer) =>
    versions.map((running) => (accepts(installer, running) ? 'x' : '.')).join(''),
  );
  // Down: the installer's minor, from 1.9. Across: the running one's.
  expect(table).toEqual(['xx....', 'xxx...', 'xxxx..', '.xxxx.', '..xxxx', '...xxx']);
});

test.each([
  ['v1.11.6', 'v1.13.9', 'v1.34.1', 'an older Talos does not know all that a newer one is configured with'],
  ['v1.13.9', 'v1.14.0', 'v1.35.2', 'an older Talos does not know all that a newer one is configured with'],
  ['v1.12.11', 'v1.13.9', 'v1.36.3', 'it refuses Kubernetes v1.36.3'],
  ['v1.12.11', 'v1.13.9', 'v1.35.2', undefined],
  ['v1.14.0', 'v1.13.9', 'v1.35.2', undefined],
  ['v1.13.0', 'v1.13.9', 'v1.35.2', undefined],
])('a machine that waits with %s, and a file with %s and Kubernetes %s: %s', (running, wanted, kubernetes, because) => {
  expect(whyNotUnderstood(running, wanted, kubernetes)).toBe(because);
});
