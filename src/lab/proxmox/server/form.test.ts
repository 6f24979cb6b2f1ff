import { expect, test } from 'vitest';
import { parseForm } from './form.ts';
import { parseJson } from './json.ts';

test.each<[string, Record<string, unknown>]>([
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a=1;b=2', { a: '1', b: '2' }],
  ['a=1=2=3', { a: '1' }],
  ['a=', { a: '' }],
  ['a', { a: undefined }],
  ['a=x+y%2Bz', { a: 'x y+z' }],
  ['a=gr%C3%B6%C3%9Fer', { a: 'größer' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['&&a=1;;', { a: '1' }],
  ['', {}],
])('the form %j', (form, expected) => {
  expect(parseForm(form)).toEqual(expected);
});

test.each<[string, string]>([
  ['[1]', 'Not a HASH reference at'],
  ['"x"', 'Not a HASH reference at'],
  ['{oops', `'"' expected, at character offset 1 (before "oops") at`],
  ['{"a":1', 'malformed JSON string, neither tag, array, object, number, string or atom, at character offset 6'],
])('the body %j is no object', (text, message) => {
  expect(() => parseJson(text)).toThrow(message);
});
