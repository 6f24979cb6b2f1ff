import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decidedBy, laidOver, same, valuesOf, type Values } from './values.ts';

const values: fc.Arbitrary<Values> = fc.letrec<{ values: Values; value: unknown }>((tie) => ({
  values: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 3 }),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.integer(),
    fc.constant(null),
    fc.array(fc.integer(), { maxLength: 2 }),
    tie('values'),
  ),
})).values;

test('mappings are merged, everything else is replaced', () => {
  expect(laidOver({ a: { b: 1, c: [1, 2] }, d: { e: 1 } }, { a: { c: [3] }, d: null })).toEqual({
    a: { b: 1, c: [3] },
    d: null,
  });
});

test('what is laid over wins, laying it over again changes nothing, and nothing over nothing is nothing', () => {
  fc.assert(
    fc.property(values, values, (under, over) => {
      const once = laidOver(under, over);
      expect(laidOver(once, over)).toEqual(once);
      expect(laidOver(under, {})).toEqual(under);
      expect(laidOver({}, over)).toEqual(over);
    }),
  );
});

test('a key that objects inherit is a key like any other', () => {
  const over = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}') as Values;
  expect(JSON.stringify(laidOver({ a: 1 }, over))).toBe('{"a":1,"__proto__":{"polluted":true},"constructor":1}');
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('the order of keys says nothing, everything else does', () => {
  fc.assert(
    fc.property(values, values, (one, other) => {
      const turned = Object.fromEntries(Object.entries(one).toReversed());
      expect(same(one, turned)).toBe(true);
      expect(same(one, other)).toBe(same(other, one));
    }),
  );
});

test('a scalar of the file in the place of a mapping of ours decides all of it', () => {
  const decisions = [
    { path: ['hubble', 'enabled'], value: true, because: 'ours' },
    { path: ['hubble', 'relay', 'enabled'], value: false, because: 'ours' },
  ];
  expect(valuesOf(decisions)).toEqual({ hubble: { enabled: true, relay: { enabled: false } } });
  expect(decidedBy(decisions, { hubble: null, 'a.b': 1 }, 'values')).toEqual([
    { path: 'a\\.b', value: 1, by: 'file', because: 'values' },
    { path: 'hubble', value: null, by: 'file', because: 'values' },
  ]);
});
