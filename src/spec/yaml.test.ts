import { expect, test } from 'vitest';
import { toValue } from './tree.ts';
import { parseYaml } from './yaml.ts';

const parse = (content: string | Uint8Array) => parseYaml({ name: 'a.yaml', content });
const values = (content: string) =>
  parse(content).documents.map((tree) => JSON.parse(JSON.stringify(toValue(tree))) as unknown);
const complaints = (content: string | Uint8Array) =>
  parse(content).problems.map(({ at, code, message }) => `${at?.line}:${at?.column} ${code}: ${message}`);

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

test.each<[string, string | Uint8Array, string[]]>([
  ['a duplicate key', 'a: 1\nb: 2\na: 3\n', ['3:1 duplicate-key: The key "a" is already given on line 1.']],
  [
    'an unclosed bracket',
    'a: [1, 2\n',
    ['2:1 yaml: Flow sequence in block collection must be sufficiently indented and end with a ].'],
  ],
  ['a tab as indentation', 'a:\n\tb: 1\n', ['2:1 yaml: Tabs are not allowed as indentation.']],
  ['an unknown anchor', 'a: *nobody\n', ['1:4 unknown-anchor: There is no anchor &nobody before this alias.']],
  ['an anchor inside itself', 'a: &a [*a]\n', ['1:8 unknown-anchor: There is no anchor &a before this alias.']],
  ['a mapping as a key', '? { a: 1 }\n: 2\n', ['1:3 complex-key: A key must be plain text.']],
  ['a merge of text', 'a: { <<: text }\n', ['1:6 merge-key: A merge key (<<) takes a mapping or a list of mappings.']],
  ['a tag of somebody else', 'a: !thing 1\n', ['1:4 yaml: Unresolved tag: !thing.']],
  [
    'deep nesting',
    `a: ${'['.repeat(100)}${']'.repeat(100)}\n`,
    ['1:68 too-deep: The nesting is deeper than 64 levels.'],
  ],
  [
    'a byte that is not UTF-8',
    new Uint8Array([0x61, 0x3a, 0x20, 0xff, 0x0a]),
    ['1:4 not-text: This is not text: a byte here is not part of any UTF-8 character that YAML allows.'],
  ],
  [
    'a NUL',
    'a: 1\nb: \u0000\n',
    ['2:4 not-text: This is not text: a byte here is not part of any UTF-8 character that YAML allows.'],
  ],
  ['too much text', 'a'.repeat(1024 * 1024 + 1), ['1:1 too-large: The file is larger than 1 MiB.']],
])('%s is a problem with a place', (_, content, expected) => {
  expect(complaints(content)).toEqual(expected);
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
  expect(complaints(levels.join('\n'))).toEqual([
    '6:9 too-many-values: The aliases of this file stand for more than 200000 values.',
  ]);
  expect(performance.now() - started).toBeLessThan(1000);
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
