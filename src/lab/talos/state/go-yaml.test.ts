import { expect, test } from 'vitest';
import { goYaml, type YamlValue } from './go-yaml.ts';

// Each as Go's library wrote it for the judge of the real tier.
test.each<[YamlValue, string]>([
  [{ a: '' }, 'a: ""\n'],
  [{ a: 'y', b: 'No', c: 'null', d: '1.0', e: '0x1f' }, 'a: "y"\nb: "No"\nc: "null"\nd: "1.0"\ne: "0x1f"\n'],
  [{ a: '00:11:22:33:44:55' }, 'a: "00:11:22:33:44:55"\n'],
  [{ a: '5a:37:76:80:c1:3a' }, 'a: 5a:37:76:80:c1:3a\n'],
  [{ a: "it's", b: '# c', c: 'a: b', d: '{x}', e: ' x' }, "a: it's\nb: '# c'\nc: 'a: b'\nd: '{x}'\ne: ' x'\n"],
  [{ a: 'tab\there', b: 'bell\u0007' }, 'a: "tab\\there"\nb: "bell\\a"\n'],
  [{ a: 'two\nlines' }, 'a: |-\n    two\n    lines\n'],
  [{ a: 'two\nlines\n' }, 'a: |\n    two\n    lines\n'],
  [{ a: ['x\ny'] }, 'a:\n    - |-\n      x\n      y\n'],
  [{ a: [{ b: 'x\ny', c: 1 }] }, 'a:\n    - b: |-\n        x\n        y\n      c: 1\n'],
  [{ a: [], b: {}, c: [[1, 2], []] }, 'a: []\nb: {}\nc:\n    - - 1\n      - 2\n    - []\n'],
  [{ a: { b: { c: true } }, d: undefined }, 'a:\n    b:\n        c: true\n'],
  [
    new Map<string, YamlValue>([
      ['.9', 1],
      ['10', 2],
    ]),
    '".9": 1\n"10": 2\n',
  ],
  ['text', 'text\n'],
  ['a: b\nc: d\n', '|\n    a: b\n    c: d\n'],
  [{}, '{}\n'],
  [[], '[]\n'],
])('%j', (value, text) => {
  expect(goYaml(value)).toBe(text);
});
