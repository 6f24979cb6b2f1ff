import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toValue, type Tree } from '../tree.ts';
import { parseHcl } from './hcl.ts';

const parse = (content: string | Uint8Array) => parseHcl({ name: 'a.tfvars', content });
const values = (content: string): unknown => {
  const { tree } = parse(content);
  return tree && (JSON.parse(JSON.stringify(toValue(tree))) as unknown);
};
const complaints = (content: string | Uint8Array) =>
  parse(content).problems.map(({ at, code, message }) => `${at?.line}:${at?.column}+${at?.length} ${code}: ${message}`);

test('a file as people write it', () => {
  expect(
    values(`# The lab.
cluster_name = "lab" // its name
ha_enabled   = true
replicas     = 3
ratio        = -1.5e1
nothing      = null

proxmox = {
  endpoint     = "https://pve1.example.org:8006"
  "two words"  : "x",
  target_nodes = ["pve1", "pve2",] /* not
  pve3 */
  limits = { cpu = 4, 10 = "ten" }
}
motd = <<-EOT
    Hello,
      world $\${name}.

    EOT
raw = <<END
  as it is \\n
END
`),
  ).toEqual({
    cluster_name: 'lab',
    ha_enabled: true,
    replicas: 3,
    ratio: -15,
    nothing: null,
    proxmox: {
      endpoint: 'https://pve1.example.org:8006',
      'two words': 'x',
      target_nodes: ['pve1', 'pve2'],
      limits: { cpu: 4, '10': 'ten' },
    },
    motd: 'Hello,\n  world ${name}.\n\n',
    raw: '  as it is \\n\n',
  });
});

test.each<[string, string]>([
  ['"\\n\\r\\t\\"\\\\"', '\n\r\t"\\'],
  ['"\\u00e9\\U0001F600"', 'é😀'],
  ['"$${a} %%{b} $c 5%"', '${a} %{b} $c 5%'],
  ['"e\u0301"', 'é'],
])('%s is read', (written, expected) => {
  expect(values(`a = ${written}\n`)).toEqual({ a: expected });
});

test('keys and values know their place', () => {
  const { tree } = parse('a = 1\nproxmox = {\n  hosts = [\n    "pve1", "pve2"\n  ]\n}\n');
  const places: string[] = [];
  const visit = (node: Tree, name: string): void => {
    places.push(`${name} ${node.at.line}:${node.at.column}+${node.at.length}`);
    if (node.kind === 'list') node.items.forEach((item, index) => visit(item, `${name}[${index}]`));
    if (node.kind === 'map')
      for (const [key, { keyAt, value }] of node.entries) {
        places.push(`key ${key} ${keyAt.line}:${keyAt.column}+${keyAt.length}`);
        visit(value, key);
      }
  };
  if (tree) visit(tree, 'file');
  expect(places).toEqual([
    'file 1:1+5',
    'key a 1:1+1',
    'a 1:5+1',
    'key proxmox 2:1+7',
    'proxmox 2:11+1',
    'key hosts 3:3+5',
    'hosts 3:11+1',
    'hosts[0] 4:5+6',
    'hosts[1] 4:13+6',
  ]);
});

test.each<[string, string | Uint8Array, string]>([
  ['a block', 'a {\n}\n', '1:1+1 hcl: A block does not belong into a file of variables.'],
  ['a label', 'a "b" {\n}\n', '1:1+1 hcl: A block does not belong into a file of variables.'],
  ['no equals sign', 'ab\n', '1:1+2 hcl: Expected = after the name of a variable.'],
  ['a name in quotes', '"a" = 1\n', '1:1+1 hcl: The name of a variable is written without quotes.'],
  ['something else', 'a = 1\n= 2\n', '2:1+1 hcl: Expected the name of a variable.'],
  ['a variable twice', 'a = 1\n\na = 2\n', '3:1+1 duplicate-key: The variable "a" is already set on line 1.'],
  ['no value', 'a =\n', '1:4+1 hcl: Expected a value here.'],
  ['no value at the end', 'a = ', '1:5+1 hcl: Expected a value here.'],
  ['a strange character', 'a = @\n', '1:5+1 hcl: Expected a value here.'],
  ['single quotes', "a = 'b'\n", '1:5+1 hcl: Text stands in double quotes.'],
  ['curly quotes', 'a = “b”\n', '1:5+1 hcl: Text stands in double quotes.'],
  ['a comma between variables', 'a = 1,\n', '1:6+1 hcl: Variables are separated by line breaks, not by commas.'],
  ['two variables on a line', 'a = 1 b = 2\n', '1:7+1 hcl: Expected the end of the line after a value.'],
  ['text without an end', 'a = "b', '1:5+1 hcl: This text has no end.'],
  ['text over two lines', 'a = "b\nc"\n', '1:5+2 hcl: Text in quotes ends on the line where it begins.'],
  ['an unknown escape', 'a = "b\\d"\n', '1:7+2 hcl: This is not an escape sequence that HCL knows.'],
  ['too few digits', 'a = "\\u12"\n', '1:6+2 hcl: This is not an escape sequence that HCL knows.'],
  ['half a character', 'a = "\\ud83d"\n', '1:6+6 hcl: There is no character of this number.'],
  ['a number beyond Unicode', 'a = "\\U00110000"\n', '1:6+10 hcl: There is no character of this number.'],
  ['a template', 'a = "b-${c}"\n', '1:8+2 hcl-expression: A template (${…}) is not a plain value.'],
  ['a directive', 'a = "%{ if b }"\n', '1:6+2 hcl-expression: A template (%{…}) is not a plain value.'],
  [
    'a template in a heredoc',
    'a = <<E\nb\n  ${c}\nE\n',
    '3:3+2 hcl-expression: A template (${…}) is not a plain value.',
  ],
  [
    'a heredoc without an end',
    'a = <<EOT\nb\n',
    '1:5+5 hcl: This text has no end: EOT does not stand on a line of its own.',
  ],
  [
    'no line break after a heredoc',
    'a = <<E\nb\nE',
    '1:5+3 hcl: This text has no end: E does not stand on a line of its own.',
  ],
  ['a heredoc on one line', 'a = <<EOT b\n', '1:5+2 hcl: This is not the beginning of a text of several lines.'],
  ['a function', 'a = file("b")\n', '1:5+4 hcl-expression: This is a function, not a plain value.'],
  ['a reference', 'a = var.b\n', '1:5+3 hcl-expression: This is a reference, not a plain value.'],
  ['a sum', 'a = 1 + 2\n', '1:7+1 hcl-expression: An expression would have to be computed.'],
  ['a choice in a list', 'a = [true ? 1 : 2]\n', '1:11+1 hcl-expression: An expression would have to be computed.'],
  ['parentheses', 'a = (1)\n', '1:5+1 hcl-expression: An expression would have to be computed.'],
  ['a for in a list', 'a = [for b in c : b]\n', '1:6+3 hcl-expression: A for expression would have to be computed.'],
  [
    'a for in an object',
    'a = { for b in c : b => 1 }\n',
    '1:7+3 hcl-expression: A for expression would have to be computed.',
  ],
  ['a key in parentheses', 'a = { (b) = 1 }\n', '1:7+1 hcl-expression: This key would have to be computed.'],
  ['a fraction as a key', 'a = { 1.5 = 1 }\n', '1:7+3 hcl-expression: This number is no key.'],
  ['a key with a dot', 'a = { b.c = 1 }\n', '1:7+1 hcl: Expected = or : after a key.'],
  ['no key', 'a = { = 1 }\n', '1:7+1 hcl: Expected a key.'],
  ['a number with two points', 'a = 1.2.3\n', '1:5+5 hcl: This is not a number.'],
  ['a huge number', 'a = 1e999\n', '1:5+5 out-of-bounds: This number is too large.'],
  ['a list without an end', 'a = [\n  1,\n', '1:5+1 hcl: This list has no end.'],
  ['a list without commas', 'a = [1 2]\n', '1:8+1 hcl: Expected a comma, or the end of the list.'],
  ['an object without an end', 'a = {\n  b = 1\n', '1:5+1 hcl: This object has no end.'],
  [
    'an object without separators',
    'a = { b = 1 c = 2 }\n',
    '1:13+1 hcl: Expected a comma, a line break, or the end of the object.',
  ],
  ['a comment without an end', 'a = 1\n/* b\n', '2:1+2 hcl: This comment has no end.'],
  ['deep nesting', `a = ${'['.repeat(100)}`, '1:69+1 too-deep: The nesting is deeper than 64 levels.'],
  [
    'a byte that is not UTF-8',
    new Uint8Array([0x61, 0x3d, 0xff]),
    '1:3+1 not-text: A byte here is not part of any UTF-8 character.',
  ],
  ['too much text', 'a'.repeat(1024 * 1024 + 1), '1:1+1 too-large: The file is larger than 1 MiB.'],
])('%s is a problem with a place', (_, content, expected) => {
  expect(parse(content).tree).toBeUndefined();
  expect(complaints(content)).toEqual([expected]);
});

test('a key that is given twice counts as HCL counts it, with a warning', () => {
  const text = 'a = {\n  b = 1\n  b = 2\n}\n';
  expect([values(text), complaints(text)]).toEqual([
    { a: { b: 2 } },
    ['3:3+1 duplicate-key: The key "b" is already given on line 2: this one counts.'],
  ]);
});

test('every problem says what would be right', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab=[]{}",:.\n #/*<-E1$%\\'.split('')), maxLength: 30 }),
      (text) => {
        for (const { at, remedy } of parse(text).problems)
          expect([at?.file, remedy]).toEqual(['a.tfvars', expect.stringMatching(/\S/)]);
      },
    ),
    { numRuns: 2000 },
  );
});

test.each<[string, string]>([
  ['half a million opening brackets', `a = ${'['.repeat(500_000)}`],
  ['a quarter of a million comments', '/**/'.repeat(250_000)],
  ['a comment of a million characters', `a = 1 # ${'x'.repeat(1_000_000)}\n`],
  ['a heredoc of half a million lines', `a = <<-E\n${'x\n'.repeat(500_000)}E\n`],
  ['a heredoc of signs', `a = <<E\n${'$'.repeat(1_000_000)}\nE\n`],
  ['a hundred thousand variables', Array.from({ length: 100_000 }, (_, index) => `a${index}=1`).join('\n')],
])('%s neither crash nor hang it', (_, content) => {
  const started = performance.now();
  parse(content);
  expect(performance.now() - started).toBeLessThan(10_000);
});
