import { expect, test } from 'vitest';
import { toValue } from './tree.ts';
import { parseYaml } from './yaml.ts';

const parse = (content: string | Uint8Array) => parseYaml({ name: 'a.yaml', content });
const values = (content: string) =>
  parse(content).documents.map((tree) => JSON.parse(JSON.stringify(toValue(tree))) as unknown);
test('several documents, comments and empty documents', () => {
  expect(values('# only a comment\n---\na: 1\n---\n# nothing\n---\nb: [1, two, true, null]\n')).toEqual([
    { a: 1 },
    { b: [1, 'two', true, null] },
  ]);
});

test('anchors, aliases and merge keys', () => {
  expect(
    values(
      'base: &base { cpu: 4, memory: 8GiB }\none: *base\ntwo: { <<: *base, cpu: 8 }\nthree: { <<: [{ x: 1 }, *base] }\n',
    ),
  ).toEqual([
    {
      base: { cpu: 4, memory: '8GiB' },
      one: { cpu: 4, memory: '8GiB' },
      two: { cpu: 8, memory: '8GiB' },
      three: { x: 1, cpu: 4, memory: '8GiB' },
    },
  ]);
});

test('what an alias brings is at the place where it was written', () => {
  const [tree] = parse('one: &a\n  cpu: 4\ntwo: *a\n').documents;
  const two = tree?.kind === 'map' ? tree.entries.get('two')?.value : undefined;
  expect(two?.kind === 'map' ? two.entries.get('cpu')?.keyAt : undefined).toEqual({
    file: 'a.yaml',
    line: 2,
    column: 3,
    length: 3,
  });
});

test('values and keys know their place, in flow and block style', () => {
  const [tree] = parse('spec:\n  list:\n    - { name: x, "quoted key": "y z" }\n').documents;
  const spec = tree?.kind === 'map' ? tree.entries.get('spec')?.value : undefined;
  const list = spec?.kind === 'map' ? spec.entries.get('list')?.value : undefined;
  const item = list?.kind === 'list' ? list.items[0] : undefined;
  const entry = item?.kind === 'map' ? item.entries.get('quoted key') : undefined;
  expect([entry?.keyAt, entry?.value.at]).toEqual([
    { file: 'a.yaml', line: 3, column: 18, length: 12 },
    { file: 'a.yaml', line: 3, column: 32, length: 5 },
  ]);
});

const said = (content: string | Uint8Array) =>
  parse(content).problems.map(
    ({ at, code, message, remedy }) => `${at?.line}:${at?.column} ${code}: ${message} | ${remedy}`,
  );

const inQuotes = 'Put the whole text in quotes.';
const lineUp = 'Begin all keys of one mapping, and all items of one list, in the same column.';
const noColon = 'Check for a missing colon, and the indentation of the next line.';
const secondKey = 'Check the indentation of the next line; text with ": " in it goes in quotes.';
const tag = 'A value that begins with ! has a tag, and ichor knows no such tag.';
const noTag = 'Leave the tag out; text that begins with ! goes in quotes.';
const anchor = 'Put the anchor (&name) before the value it stands for; text that begins with * goes in quotes.';

/** What a stranger reads about each way to break YAML. */
test.each<[string, string | Uint8Array, string[]]>([
  [
    'a duplicate key',
    'a: 1\nb: 2\na: 3\n',
    ['3:1 duplicate-key: The key "a" is already given on line 1. | Keep one of the two.'],
  ],
  ['an unclosed bracket', 'a: [1, 2\nb: 1\nc: 2\n', ['1:4 yaml: This [ is never closed. | Add the ].']],
  ['a bracket closed by a brace', 'a: [1, 2}\nb: 1\n', ['1:4 yaml: This [ is never closed. | Add the ].']],
  ['an unclosed brace in a bracket', 'a: [1, { b: 2\n', ['1:8 yaml: This { is never closed. | Add the }.']],
  ['an unclosed double quote', 'a: "x\nb: 1\n', ['1:4 yaml: This " is never closed. | Add the ".']],
  ['a quote closed by an escape', 'a: "x\\"\nb: 1\n', ['1:4 yaml: This " is never closed. | Add the ".']],
  ['an unclosed single quote', "a: 'x\nb: 'y'\n", ["1:4 yaml: This ' is never closed. | Add the '."]],
  ['a single quote that is doubled', "a: 'x''\n", ["1:4 yaml: This ' is never closed. | Add the '."]],
  [
    'a bracket too many',
    'a: 1\n]\n',
    ['2:1 yaml: This closes something that was never opened. | Remove it, or add the one that opens.'],
  ],
  ['a comma too many', 'a: [1,, 2]\n', ['1:7 yaml: There is a comma too many. | Remove it.']],
  [
    'a comma too few',
    'a: ["1" "2"]\n',
    ['1:9 yaml: Two values stand here without a comma between them. | Add the comma.'],
  ],
  [
    'a tab as indentation',
    'a:\n\tb: 1\n',
    ['2:1 yaml: A tab stands where only spaces can indent. | Indent with spaces.'],
  ],
  [
    'a key that is not in line',
    'a:\n  b: 1\n c: 2\n',
    [`3:1 yaml: The indentation does not fit the lines above. | ${lineUp}`],
  ],
  [
    'an item that is not in line',
    'a:\n   - b\n  - c\n',
    [`3:1 yaml: The indentation does not fit the lines above. | ${lineUp}`],
  ],
  ['a key below a list', '- a\nb: c\n', [`2:1 yaml: This does not belong to what stands above. | ${lineUp}`]],
  [
    'an item below a key',
    'a: 1\n- b\n',
    ['2:1 yaml: An item of a list stands where a key is expected. | Indent it below its key.'],
  ],
  [
    'a line without a colon',
    'a: 1\nb\n',
    ['2:1 yaml: This line has no colon: "key: value" is expected. | Add the colon and a value.'],
  ],
  ['a key without a colon', 'spec\n  machines: 1\n', [`1:1 yaml: A key goes over more than one line. | ${noColon}`]],
  ['a value with a colon in it', 'a: b: c\n', [`1:4 yaml: Another key begins inside this value. | ${secondKey}`]],
  ['a key below a value', 'a: 1\n  b: 2\n', [`1:4 yaml: Another key begins inside this value. | ${secondKey}`]],
  [
    'a list on the line of its key',
    'a: - b\n',
    ['1:4 yaml: A list cannot begin on the line of its key. | Begin the list on the next line.'],
  ],
  ['text behind a quote', 'a: "x" y\n', [`1:8 yaml: More follows after the value has ended. | ${inQuotes}`]],
  [
    'text behind |',
    'a: |x\n  y\n',
    ['1:5 yaml: Text cannot begin on the line of | or >. | Begin the text on the next line.'],
  ],
  [
    'a comment without a space',
    'a: [1]#x\n',
    ['1:7 yaml: A comment begins with a space and #. | Put a space before #, or the text in quotes.'],
  ],
  [
    'lines in braces',
    'a: { b:\n  - c }\n',
    [
      '2:3 yaml: Inside { } and [ ] values are separated by commas, not by lines. | Write { a: 1, b: 2 }, or one key per line without the braces.',
    ],
  ],
  [
    'text that begins with @',
    'a: @x\n',
    [`1:4 yaml: Text cannot begin with this character unless it is in quotes. | ${inQuotes}`],
  ],
  [
    'an escape that is none',
    'a: "\\q"\n',
    [
      '1:5 yaml: In double quotes a backslash begins an escape, and there is none like this. | Write two backslashes, or use single quotes.',
    ],
  ],
  [
    'a directive that is none',
    '%a\n---\nb: 1\n',
    [
      '1:1 yaml: A line that begins with % is a directive, and YAML knows no such directive. | Remove the line; text that begins with % goes in quotes.',
    ],
  ],
  ['a tag of somebody else', 'a: !thing 1\n', [`1:4 yaml: ${tag} | ${noTag}`]],
  ['two anchors', 'a: &b &c 1\n', ['1:7 yaml: A value can have one anchor (&name) only. | Keep one of the two.']],
  [
    'an anchor on an alias',
    'a: &b 1\nc: &d *b\n',
    ['2:7 yaml: An alias (*name) cannot have an anchor or a tag too. | Leave the anchor or the tag out.'],
  ],
  [
    'an alias without a name',
    'a: * b\n',
    ['1:4 yaml: The name behind & or * is missing, or ends in a colon. | Text that begins with & or * goes in quotes.'],
  ],
  [
    'an unknown anchor',
    'a: *nobody\n',
    [`1:4 unknown-anchor: There is no anchor of this name before the alias. | ${anchor}`],
  ],
  [
    'an anchor inside itself',
    'a: &a [*a]\n',
    [`1:8 unknown-anchor: There is no anchor of this name before the alias. | ${anchor}`],
  ],
  ['a mapping as a key', '? { a: 1 }\n: 2\n', ['1:3 complex-key: A key must be plain text. | Write the key as text.']],
  [
    'a key of more than 1024 characters',
    `${'k'.repeat(1025)}: 1\n`,
    ['1:1 yaml: This key is longer than 1024 characters. | Check for a missing quote or line break in front of it.'],
  ],
  [
    'a merge of text',
    'a: { <<: text }\n',
    ['1:6 merge-key: A merge key (<<) takes a mapping or a list of mappings. | Point it at an anchor of a mapping.'],
  ],
  [
    'a key that no object can have',
    'a: { __proto__: 1 }\n',
    ['1:6 wrong-name: "__proto__" cannot be a key. | Use another name.'],
  ],
  [
    'deep nesting',
    `a: ${'['.repeat(100)}${']'.repeat(100)}\n`,
    ['1:68 too-deep: The nesting is deeper than 64 levels. | Flatten it.'],
  ],
  [
    'a byte that is not UTF-8',
    new Uint8Array([0x61, 0x3a, 0x20, 0xff, 0x0a]),
    ['1:4 not-text: A byte here is not part of any UTF-8 character. | Give a YAML or JSON file in UTF-8.'],
  ],
  [
    'UTF-16',
    new Uint8Array([0xff, 0xfe, 0x61, 0x00]),
    ['1:1 not-text: This file is in UTF-16. | Save it as UTF-8. (PowerShell: … | Out-File -Encoding utf8)'],
  ],
  [
    'a NUL',
    'a: 1\nb: \u0000\n',
    [
      '2:4 not-text: There is a control character here (U+0000). | Remove it; in double quotes it can be written as an escape.',
    ],
  ],
  [
    'too much text',
    'a'.repeat(1024 * 1024 + 1),
    ['1:1 too-large: The file is larger than 1 MiB. | Split it into several files and give each of them.'],
  ],
  [
    'too many values',
    '- a\n'.repeat(100_000),
    [
      '1:1 too-many-values: There is more in this file than ichor reads. | Split it into several files and give each with -f.',
    ],
  ],
  [
    'several slips, one per line',
    'a: @x\nb: `y`\nc: %z\n',
    [1, 2, 3].map(
      (line) => `${line}:4 yaml: Text cannot begin with this character unless it is in quotes. | ${inQuotes}`,
    ),
  ],
])('%s is a problem with a place and a remedy', (_, content, expected) => {
  expect(said(content)).toEqual(expected);
});

test.each<[string, string, unknown]>([
  ['JSON indented with tabs', '{\n\t"a": [\n\t\t1\n\t]\n}\n', { a: [1] }],
  ['a bracket closed in the column of its key', 'a:\n  b: [\n    1,\n  ]\n', { a: { b: [1] } }],
  ['Windows line ends and a byte order mark', '\ufeffa: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
  ['quotes in quotes', `a: 'it''s'\nb: "\\""\nc: ''\n`, { a: "it's", b: '"', c: '' }],
  ['a flow mapping without spaces', '{"a":1}', { a: 1 }],
  ['keys as they were written', '010: a\n1.30: b\n.nan: c\n', { '010': 'a', '1.30': 'b', '.nan': 'c' }],
])('%s is right', (_, content, expected) => {
  expect(said(content)).toEqual([]);
  expect(values(content)).toEqual([expected]);
});

test('a broken document does not take its neighbours with it', () => {
  expect(values('a: 1\n---\nb: [\n---\nc: 1\n')).toEqual([{ a: 1 }, { c: 1 }]);
});

test('a bomb of aliases is refused in no time', () => {
  const levels = Array.from(
    { length: 30 },
    (_, level) =>
      `l${level}: &l${level} [${
        level === 0
          ? 'x'
          : Array(10)
              .fill(`*l${level - 1}`)
              .join(', ')
      }]`,
  );
  const started = performance.now();
  expect(said(levels.join('\n'))).toEqual([
    '6:9 too-many-values: The aliases of this file stand for more than 200000 values. | Use fewer aliases of aliases.',
  ]);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test.each<[string, string]>([
  ['100,000 opening brackets', '['.repeat(100_000)],
  ['100,000 opening braces', '{a: '.repeat(100_000)],
  ['100,000 nested lists', '- '.repeat(100_000)],
  ['half a million quotes', '"'.repeat(500_000)],
  ['100,000 keys', Array.from({ length: 100_000 }, (_, index) => `a${index}:`).join('\n')],
  ['a very long line', `a: ${'x'.repeat(1_000_000)}`],
  ['a quarter of a million colons', ': '.repeat(250_000)],
  ['deep indentation', Array.from({ length: 1500 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')],
])('%s neither crash nor hang it', (_, content) => {
  const started = performance.now();
  parse(content);
  expect(performance.now() - started).toBeLessThan(10_000);
});
