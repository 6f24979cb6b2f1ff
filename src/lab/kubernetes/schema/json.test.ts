import { expect, test } from 'vitest';
import { parseJson } from './json.ts';

test('a key that stands twice is told, and the last one counts', () => {
  expect(parseJson('{"metadata":{"name":"a","name":"b"},"list":[{"x":1,"x":2}]}')).toEqual({
    value: { metadata: { name: 'b' }, list: [{ x: 2 }] },
    duplicates: ['metadata.name', 'list[0].x'],
  });
});

test.each([
  ['x{', "invalid character 'x' looking for beginning of value"],
  ['{"a":}', "invalid character '}' looking for beginning of value"],
  ['', 'unexpected end of JSON input'],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['[1 2]', "invalid character '2' after array element"],
  ['{} x', "invalid character 'x' after top-level value"],
  ['trux', "invalid character 'x' in literal true (expecting 'e')"],
  ['"\\x"', "invalid character 'x' in string escape code"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
])('%j is refused', (text, because) => {
  expect(() => parseJson(text)).toThrow(because);
});

test('what JSON.parse reads is read alike', () => {
  const text = '{"a":[1,-2.5e3,true,null,"\\u00e9\\n\\"/"],"b":{"c":{}}, "d" : [ ] }';
  expect(parseJson(text)).toEqual({ value: JSON.parse(text) as unknown, duplicates: [] });
});
