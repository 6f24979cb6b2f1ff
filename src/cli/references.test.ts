import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../../test/folder.ts';
import type { Problems } from '../model/problem.ts';
import { fetchReferences } from './references.ts';

test('texts come from the environment and from files, without the last line break', async () => {
  const file = join(folder(), 'token');
  writeFileSync(file, 'two lines\nof text\n');
  process.env['ICHOR_TEST_SECRET'] = 'hidden';
  try {
    const fetched = await fetchReferences([
      { key: 'env:ICHOR_TEST_SECRET', path: 'cluster.a', reference: { env: 'ICHOR_TEST_SECRET' } },
      { key: 'file:x', path: 'cluster.b', reference: { file, env: undefined } },
    ]);
    expect(fetched).toEqual(
      new Map([
        ['env:ICHOR_TEST_SECRET', 'hidden'],
        ['file:x', 'two lines\nof text'],
      ]),
    );
  } finally {
    delete process.env['ICHOR_TEST_SECRET'];
  }
});

test('everything that cannot be had is said at once, with its place in the file', async () => {
  const failed = await fetchReferences([
    { key: '1', path: 'cluster.a', reference: { env: 'ICHOR_TEST_UNSET' } },
    { key: '2', path: 'cluster.b', reference: { file: 'no/such/file' } },
    { key: '3', path: 'cluster.c', reference: { age: 'secret.age' } },
    { key: '4', path: 'cluster.d', reference: { vault: 'a#b' } },
    { key: '5', path: 'cluster.e', reference: { file: '/' } },
  ]).then(
    () => undefined,
    (error: unknown) => error as Problems,
  );
  expect(failed?.problems.map(({ code, path, message, remedy }) => [code, path, message, remedy])).toEqual([
    [
      'secret-missing',
      'cluster.a',
      'The environment variable ICHOR_TEST_UNSET is not set.',
      'Set it before you run ichor, without writing it into your shell’s history:\n    read -rs ICHOR_TEST_UNSET && export ICHOR_TEST_UNSET',
    ],
    [
      'secret-missing',
      'cluster.b',
      '"no/such/file" does not exist.',
      'Put it there, or name another file; paths are taken from the folder that ichor runs in.',
    ],
    [
      'secret-missing',
      'cluster.c',
      'ichor does not fetch secrets from age yet.',
      'Use { env: NAME } or { file: PATH } for it.',
    ],
    [
      'secret-missing',
      'cluster.d',
      'ichor does not fetch secrets from vault yet.',
      'Use { env: NAME } or { file: PATH } for it.',
    ],
    ['secret-missing', 'cluster.e', '"/" cannot be read (EISDIR).', 'Check its owner and mode:\n    ls -l /'],
  ]);
});
