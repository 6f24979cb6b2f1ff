import { expect, test } from 'vitest';
import { formatGiB, formatMiB, parseBytes, parseGiB, parseMiB } from './size.ts';

test.each([
  ['16GiB', 16384],
  ['16Gi', 16384],
  ['1.5GiB', 1536],
  ['512MiB', 512],
  ['2TiB', 2097152],
  ['16 GiB', 16384],
  ['1024KiB', 1],
])('%s of memory is %i MiB', (text, expected) => {
  expect(parseMiB(text)).toBe(expected);
});

test.each(['16', '16GB', '16G', '-1GiB', '1.0000001GiB', '1e3GiB', 'GiB', '', '16gib', '99999999999999GiB'])(
  '%j is not a size',
  (text) => {
    expect(parseBytes(text)).toBeUndefined();
  },
);

test('a size that is not a whole number of the unit is refused, not rounded', () => {
  expect(parseGiB('1.5GiB')).toBeUndefined();
  expect(parseMiB('1KiB')).toBeUndefined();
});

test('sizes are written in the largest exact unit', () => {
  expect([0, 512, 8192, 1536, 2097152].map(formatMiB)).toEqual(['0MiB', '512MiB', '8GiB', '1536MiB', '2TiB']);
  expect([0, 40, 1024, 1500].map(formatGiB)).toEqual(['0GiB', '40GiB', '1TiB', '1500GiB']);
});
