import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { parseHcl } from '../../src/spec/import/hcl.ts';
import { toValue } from '../../src/spec/tree.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';

let judge: string;
beforeAll(async () => {
  judge = await peerProgram('hcl');
}, buildTimeoutMs);

type Verdict = { readonly variables: unknown } | 'refused';

function hashicorp(text: string): Verdict {
  const { stdout, status, stderr } = spawnSync(judge, { input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The judge failed on ${JSON.stringify(text)}: ${stderr}`);
  const answer = JSON.parse(stdout) as { variables?: unknown };
  return 'variables' in answer ? { variables: withoutMinusZero(answer.variables) } : 'refused';
}

function ours(text: string): Verdict {
  const { tree } = parseHcl({ name: 'a.tfvars', content: text });
  return tree ? { variables: JSON.parse(JSON.stringify(toValue(tree))) as unknown } : 'refused';
}

const withoutMinusZero = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Why we refuse what Terraform would accept: it has to be computed, or is beyond what a person writes. */
const onPurpose = ['hcl-expression', 'too-deep', 'not-text', 'out-of-bounds', 'too-large'];

test.each<[string, string]>([
  ['nothing at all', ''],
  ['only comments', '# one\n// two\n/* three\n   lines */\n'],
  ['scalars', 'a = "text"\nb = 3\nc = -1.5\nd = 2e3\ne = true\nf = false\ng = null\n'],
  ['no line break at the end', 'a = 1'],
  ['a comment at the end', 'a = 1 # no line break'],
  ['Windows line breaks', 'a = 1\r\nb = [\r\n  2,\r\n]\r\n# c\r\nc = <<EOT\r\n  x\r\n  EOT\r\n'],
  ['a byte order mark', '\ufeffa = 1\n'],
  ['escapes', 'a = "\\n\\r\\t\\"\\\\\\u00e9\\U0001F600"\n'],
  ['signs that open nothing', 'a = "$ % $$ %% $x %x 100% $"\n'],
  ['templates that are escaped', 'a = "$${x} %%{if} $$${y} %%%{z}"\n'],
  ['decomposed characters', 'a = "e\u0301"\nb = { "e\u0301" = 1, e\u0301x = 2 }\n'],
  ['a heredoc', 'a = <<EOT\n one\n\n  two $${x} $ \\n\nEOT\nb = 1\n'],
  ['a flush heredoc', 'a = <<-EOT\n    one\n      two\n\n    three\n  EOT\n'],
  ['a flush heredoc with tabs', 'a = <<-EOT\n\t\tone\n\t  two\n \n\t\tthree\n\tEOT\n'],
  ['an empty heredoc', 'a = <<EOT\nEOT\n'],
  ['heredocs in a list', 'a = [<<EOT\none\nEOT\n, <<-B\n  two\n  B\n]\n'],
  ['a heredoc in an object', 'a = {\n  b = <<EOT\none\nEOT\n  c = 2\n}\n'],
  ['a sign at the end of a line', 'a = <<EOT\ncost $\nrate %\nEOT\n'],
  ['nested lists', 'a = [[], [1, [2,],], ]\n'],
  ['objects on one line', 'a = { b = 1, c: 2, "d e" = 3, 4 = 5, f-g = { }, }\n'],
  ['objects over lines', 'a = {\n  b = 1\n\n  c = 2, # with a comma\n  d = 3 // and\n}\n'],
  ['keywords as keys', 'a = { true = 1, null = 2, b = 3, for = 4 }\n'],
  ['a key twice', 'a = { b = 1, b = 2 }\n'],
  ['names with dashes and letters of the world', 'a-b_c = 1\n_d = 2\näöü = 3\n'],
  ['comments everywhere', 'a /* 1 */ = /* 2 */ [ # 3\n  1, // 4\n  /* 5 */ 2\n] # 6\n'],
  ['a comment of several lines inside an object', 'a = { b = 1 /* \n */ , c = 2 }\n'],
  ['long numbers', 'a = 12345678901234567890\nb = 0.1\nc = 007\nd = 1.e2\ne = 1E-3\n'],
])('%s: the same values', (_, text) => {
  expect(ours(text)).not.toBe('refused');
  expect(ours(text)).toEqual(hashicorp(text));
});

test.each<[string, string]>([
  ['a block', 'a {\n  b = 1\n}\n'],
  ['a block with a label', 'a "b" {}\n'],
  ['a name in quotes', '"a" = 1\n'],
  ['a name twice', 'a = 1\na = 2\n'],
  ['a value on the next line', 'a =\n1\n'],
  ['no value', 'a =\n'],
  ['no equals sign', 'a\n'],
  ['two on a line', 'a = 1 b = 2\n'],
  ['a comma after a variable', 'a = 1,\n'],
  ['a semicolon', 'a = 1; b = 2\n'],
  ['single quotes', "a = 'b'\n"],
  ['curly quotes', 'a = “b”\n'],
  ['text without an end', 'a = "b\n'],
  ['text over two lines', 'a = "b\nc"\n'],
  ['an unknown escape', 'a = "\\d"\n'],
  ['too few hex digits', 'a = "\\u12"\n'],
  ['half a surrogate pair', 'a = "\\ud800"\n'],
  ['a character beyond Unicode', 'a = "\\U00110000"\n'],
  ['a list without an end', 'a = [1, 2\n'],
  ['a list without commas', 'a = [1 2]\n'],
  ['a list of commas', 'a = [,]\n'],
  ['an object without an end', 'a = { b = 1\n'],
  ['an object without separators', 'a = { b = 1 c = 2 }\n'],
  ['an object of commas', 'a = { , }\n'],
  ['a line break, then a comma', 'a = { b = 1\n, c = 2 }\n'],
  ['a key with a dot', 'a = { b.c = 1 }\n'],
  ['a key alone', 'a = { b }\n'],
  ['a key called for at the front', 'a = { for = 1 }\n'],
  ['a heredoc that ends the file', 'a = <<EOT\nx\nEOT'],
  ['a heredoc with a space behind its marker', 'a = <<EOT \nx\nEOT\n'],
  ['a comment without an end', 'a = 1 /* b\n'],
  ['a number with two points', 'a = 1.2.3\n'],
  ['a number that ends in a point', 'a = 1.\n'],
  ['a reference', 'a = var.b\n'],
  ['a word', 'a = yes\n'],
  ['a function', 'a = file("b")\n'],
  ['a template with a reference', 'a = "${b}"\n'],
])('%s: refused by both', (_, text) => {
  expect([ours(text), hashicorp(text)]).toEqual(['refused', 'refused']);
});

test.each<[string, string]>([
  ['a sum', 'a = 1 + 2\n'],
  ['parentheses', 'a = (1)\n'],
  ['not', 'a = !true\n'],
  ['a choice', 'a = true ? 1 : 2\n'],
  ['a double minus', 'a = --1\n'],
  ['an index', 'a = [1][0]\n'],
  ['a for expression', 'a = [for b in [1] : b]\n'],
  ['a template of literals', 'a = "${1}"\n'],
  ['a template in a heredoc', 'a = <<EOT\n%{ if true }x%{ endif }\nEOT\n'],
  ['a computed key', 'a = { ("b") = 1 }\n'],
  ['a sum as a key', 'a = { 1 + 1 = 1 }\n'],
  ['a fraction as a key', 'a = { 1.5 = 1 }\n'],
  ['a number beyond what a double holds', 'a = 1e400\n'],
  ['a control character', 'a = "\u0007"\n'],
  ['very deep nesting', `a = ${'['.repeat(80)}${']'.repeat(80)}\n`],
])('%s: refused by us on purpose', (_, text) => {
  const { problems } = parseHcl({ name: 'a.tfvars', content: text });
  expect(hashicorp(text)).not.toBe('refused');
  expect(problems.map(({ code }) => code)).toEqual([expect.toSatisfy((code: string) => onPurpose.includes(code))]);
});

const blank = fc.constantFrom('', ' ', '\t', '  ', ' /* c */ ');
const lineEnd = fc.constantFrom('\n', ' # c\n', ' // c\n', '\r\n', '\n\n  ');
const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abz09_-.:/ @!'.split('')) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('\\n', '\\t', '\\"', '\\\\', '\\u00e9', '\\U0001F600', '$', '%', '$${', '%%{'),
  },
  { weight: 1, arbitrary: fc.constantFrom('é', '\u0301', '日', '😀', '#', '//', '{', '}', "'") },
);
const quoted = fc
  .array(character, { maxLength: 12 })
  .map((parts) => `"${parts.join('').replace(/([$%])(?=\{)/g, '$1$1')}"`);
const heredoc = fc
  .record({
    flush: fc.constantFrom('', '-'),
    marker: fc.constantFrom('EOT', 'END_1', 'a-b'),
    lines: fc.array(fc.stringMatching(/^[ \t]{0,4}[a-z0-9 .:#"\\$%]{0,12}$/), { maxLength: 6 }),
    indent: fc.constantFrom('', '  ', '\t'),
  })
  .map(
    ({ flush, marker, lines, indent }) =>
      `<<${flush}${marker}\n${lines.map((line) => `${line}\n`).join('')}${indent}${marker}\n`,
  );
const plain = fc.oneof(
  quoted,
  fc.integer().map(String),
  fc.stringMatching(/^-?[0-9]{1,18}(\.[0-9]{1,6})?([eE][+-]?[0-9]{1,2})?$/),
  fc.constantFrom('true', 'false', 'null'),
);
const name = fc.stringMatching(/^[a-z_][a-z0-9_-]{0,8}$/).filter((word) => word !== 'for');

const { value } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 4, depthSize: 'small' }, plain, tie('list'), tie('object')),
  list: fc
    .tuple(
      fc.array(fc.tuple(fc.oneof(tie('value'), heredoc), blank), { maxLength: 4 }),
      fc.constantFrom('', ',', ' ,\n'),
      lineEnd,
    )
    .map(
      ([items, last, end]) =>
        `[${end}${items.map(([item, space]) => item + space).join(`,${end}`)}${items.length > 0 ? last : ''}]`,
    ),
  object: fc
    .tuple(
      fc.array(fc.tuple(fc.oneof(name, quoted), fc.constantFrom(' = ', '=', ': '), tie('value')), { maxLength: 4 }),
      fc.oneof(lineEnd, fc.constant(', ')),
    )
    .map(([entries, separator]) => `{ ${entries.map((entry) => entry.join('')).join(separator)} }`),
}));
const file = fc
  .uniqueArray(
    fc.tuple(
      name,
      blank,
      fc.oneof(
        value,
        heredoc.map((text) => text.slice(0, -1)),
      ),
      lineEnd,
    ),
    { selector: ([word]) => word, maxLength: 6 },
  )
  .map((variables) =>
    variables
      .map(([word, space, written, end]) => `${word}${space}=${space}${written}${written.includes('<<') ? '\n' : end}`)
      .join(''),
  );

test('files that people could write give the same values', () => {
  fc.assert(
    fc.property(file, (text) => {
      const verdict = ours(text);
      expect(verdict).not.toBe('refused');
      expect(verdict).toEqual(hashicorp(text));
    }),
    { numRuns: 500 },
  );
});

test('whatever is written, we never read what HCL refuses, and refuse only for a reason', () => {
  const scrap = fc.constantFrom(
    'a',
    'b',
    'for',
    'true',
    'null',
    '1',
    '1.5',
    '-',
    '=',
    ':',
    ',',
    '[',
    ']',
    '{',
    '}',
    '"',
    '"x"',
    '$',
    '${',
    '$$',
    '%{',
    '\\n',
    '\\',
    '<<E\n',
    '<<-E\n',
    'E\n',
    '\n',
    '\r\n',
    ' ',
    '#',
    '//',
    '/*',
    '*/',
    '.',
    '(',
    ')',
    '+',
    '?',
    '!',
    "'",
    ';',
    'é',
  );
  fc.assert(
    fc.property(
      fc.array(scrap, { maxLength: 14 }).map((scraps) => `a = ${scraps.join('')}`),
      (text) => {
        const verdict = ours(text);
        const real = hashicorp(text);
        const codes = parseHcl({ name: 'a.tfvars', content: text }).problems.map(({ code }) => code);
        if (verdict === 'refused' && real !== 'refused') expect(onPurpose).toContain(codes.at(-1));
        else expect(verdict).toEqual(real);
      },
    ),
    { numRuns: 1500 },
  );
});
