import { expect, test } from 'vitest';
import { parsePath, valuesAt } from './json-path.ts';

const object = {
  metadata: { annotations: { 'x.io/y': 'a' } },
  spec: {
    ports: [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
    ],
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  },
};

test.each([
  ['.spec.ports[1].name', ['b']],
  ['.spec.ports[*].port', [1, 2]],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type=='Gone')].status", []],
  [".metadata.annotations['x.io/y']", ['a']],
  ['.metadata.annotations.x\\.io/y', ['a']],
  ['.spec.missing.name', []],
])('%s', (path, expected) => {
  expect(valuesAt(parsePath(path) ?? [], object)).toEqual(expected);
});

test('what is no path', () => {
  expect([parsePath('spec.x'), parsePath('.spec['), parsePath('.spec..x')]).toEqual([undefined, undefined, undefined]);
});
