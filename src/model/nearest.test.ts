import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const keys = ['replicas', 'cpu', 'memory', 'disk', 'disks', 'labels', 'taints'];

test.each([
  ['replica', 'replicas'],
  ['lables', 'labels'],
  ['Memory', 'memory'],
  ['dsik', 'disk'],
  ['cpus', 'cpu'],
  ['wholly-different', undefined],
  ['', undefined],
  ['x'.repeat(100000), undefined],
])('%.20s: %s', (written, expected) => {
  expect(nearest(written, keys)).toBe(expected);
});
