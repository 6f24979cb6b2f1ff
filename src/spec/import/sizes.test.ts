import { expect, test } from 'vitest';
import { Part } from './foreign.ts';
import { diskOf, memoryOf } from './sizes.ts';

const at = { file: 'a.tfvars', line: 1, column: 1, length: 1 };
const part = (value: string | number) => Part.whole({ kind: 'scalar', at, value });

test.each<[string | number, string | undefined]>([
  [8192, '8GiB'],
  [4000, '4000MiB'],
  [512, '512MiB'],
  [511, '511GiB'],
  [8, '8GiB'],
  [1.5, '1536MiB'],
  ['8192', '8GiB'],
  ['8GiB', '8GiB'],
  ['8Gi', '8Gi'],
  ['8G', '8GiB'],
  ['8192MB', '8GiB'],
  ['8 gb', '8GiB'],
  ['much', undefined],
  [0, undefined],
  [-1, undefined],
])('%j of memory is %s', (written, expected) => {
  expect(memoryOf(part(written))).toBe(expected);
});

test.each<[string | number, string | undefined]>([
  [40, '40GiB'],
  [2048, '2TiB'],
  ['40', '40GiB'],
  ['40G', '40GiB'],
  ['1T', '1TiB'],
  ['40GiB', '40GiB'],
  ['20480M', '20GiB'],
  ['500M', undefined],
  ['big', undefined],
])('%j of disk is %s', (written, expected) => {
  expect(diskOf(part(written))).toBe(expected);
});
