import { expect, test } from 'vitest';
import { byGoKey } from './go-yaml-keys.ts';

test.each([
  [['_x', 'KEY', 'a', 'b']],
  [['', '1', '2', '10', 'a']],
  [['a', 'a1', 'a2', 'a10', 'ab']],
  [['a-b', 'aB', 'ab']],
  [['v1a', 'v1-a', 'v2']],
  [['x0', 'x00', 'x1', 'x01', 'x10', 'x100']],
])('%s is the order of keys', (keys) => {
  expect(keys.toReversed().toSorted(byGoKey)).toEqual(keys);
  expect(keys.toSorted(byGoKey)).toEqual(keys);
});
