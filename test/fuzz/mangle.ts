import type { Random } from './random.ts';

type Mangle = (random: Random, text: string) => string;

const strangeValues = [
  '',
  'null',
  '~',
  'true',
  'no',
  '0',
  '-1',
  '1e999',
  '.inf',
  '-.INF',
  '.nan',
  '0x7fffffffffffffff',
  '99999999999999999999999999',
  '1.5',
  '1.30',
  '0o17',
  '{}',
  '[]',
  '[[]]',
  '{ a: { b: [c] } }',
  '{ __proto__: { polluted: true } }',
  '{ constructor: 1 }',
  '{ s3cr3t }',
  '"\\u0000"',
  '"\\ud800"',
  '"unclosed',
  "'unclosed",
  '[unclosed',
  '{unclosed',
  ']',
  '}',
  '|',
  '>-\n  text',
  '!!str 5',
  '!!binary aGVsbG8=',
  '!!set { a, b }',
  '!custom x',
  '&a *a',
  '*nobody',
  '&anchor value',
  '<<: x',
  '? a',
  '- - - a',
  '@at',
  '`tick`',
  '%percent',
  '2001-12-14t21:59:43.10-05:00',
  '10.10.0.0/24',
  '10.10.0.1/24',
  '::/0',
  'fe80::1%eth0',
  '999.999.999.999/99',
  '16GiB',
  '16',
  '1PiB',
  '999999999999PiB',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'https://user:password@example.org',
  'https://[::1',
  'x'.repeat(300),
  'ключ',
  '🔑',
  '\u200b',
  '\u2028',
  '\t',
  'a: b: c',
  'a #b',
  '{index}',
  '{platform}',
  '{number:9}-{pool}',
];

const strangeKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  '<<',
  '"quoted key"',
  "''",
  '?',
  'a.b',
  'a[0]',
  'ключ',
  '1',
  'null',
  'true',
  'replica',
  'tokn',
  'Spec',
  'x'.repeat(2000),
];

const strangeCharacters = Array.from('{}[],:#&*!|>\'"%@`-? \t\n\r\0\u0085\u2028\ufeff\ufffeé漢🔑');

const lines = (text: string): string[] => text.split('\n');

const keyed = /^(\s*(?:- )?)([\w."'/@-]+):( ?)(.*)$/;

function changeLine(random: Random, text: string, change: (line: string) => string): string {
  const all = lines(text);
  const at = random.int(all.length);
  all[at] = change(all[at] ?? '');
  return all.join('\n');
}

const tokenAt = (random: Random, line: string): RegExpMatchArray | undefined => {
  const tokens = [...line.matchAll(/[^\s{}[\],:]+/g)];
  return tokens.length === 0 ? undefined : random.pick(tokens);
};

const replaceToken = (random: Random, line: string, replacement: string): string => {
  const token = tokenAt(random, line);
  return token === undefined
    ? line
    : line.slice(0, token.index) + replacement + line.slice((token.index ?? 0) + token[0].length);
};

/** What fingers, editors, merges and generators do to a file. */
export const mangles: Readonly<Record<string, Mangle>> = {
  'a line is deleted': (random, text) => {
    const all = lines(text);
    all.splice(random.int(all.length), 1);
    return all.join('\n');
  },
  'a block of lines is deleted': (random, text) => {
    const all = lines(text);
    all.splice(random.int(all.length), 1 + random.int(10));
    return all.join('\n');
  },
  'a line is there twice': (random, text) => changeLine(random, text, (line) => `${line}\n${line}`),
  'two lines are swapped': (random, text) => {
    const all = lines(text);
    const [one, other] = [random.int(all.length), random.int(all.length)];
    [all[one], all[other]] = [all[other] ?? '', all[one] ?? ''];
    return all.join('\n');
  },
  'a line is indented differently': (random, text) =>
    changeLine(random, text, (line) =>
      random.once(2) ? ' '.repeat(1 + random.int(6)) + line : line.slice(1 + random.int(3)),
    ),
  'a token is replaced': (random, text) =>
    changeLine(random, text, (line) => replaceToken(random, line, random.pick(strangeValues))),
  'a value is replaced': (random, text) =>
    changeLine(random, text, (line) =>
      line.replace(keyed, (_, indent: string, key: string) => `${indent}${key}: ${random.pick(strangeValues)}`),
    ),
  'a key is replaced': (random, text) =>
    changeLine(random, text, (line) =>
      line.replace(
        keyed,
        (_, indent: string, __: string, gap: string, value: string) =>
          `${indent}${random.pick(strangeKeys)}:${gap}${value}`,
      ),
    ),
  'a key is misspelt': (random, text) =>
    changeLine(random, text, (line) => {
      const token = tokenAt(random, line)?.[0] ?? '';
      const at = random.int(token.length);
      const letters = [token.slice(0, at) + token.slice(at + 1), `${token}s`, token.toUpperCase(), `x${token}`];
      return line.replace(token, () => random.pick(letters));
    }),
  'a number has another value': (random, text) =>
    changeLine(random, text, (line) =>
      line.replace(/\d+/, () => random.pick(['0', '1', '2', '7', '99', '5000', '4294967296', '-3', '1e400', '00012'])),
    ),
  'a character is gone': (random, text) => {
    const at = random.int(text.length);
    return text.slice(0, at) + text.slice(at + 1);
  },
  'a character is another': (random, text) => {
    const at = random.int(text.length);
    const character = random.pick(strangeCharacters);
    return text.slice(0, at) + character + text.slice(at + 1);
  },
  'the end is missing': (random, text) => text.slice(0, random.int(text.length)),
  'the beginning is missing': (random, text) => text.slice(random.int(text.length)),
  'lines end as on Windows': (_, text) => text.replaceAll('\n', '\r\n'),
  'lines end as on an old Mac': (_, text) => text.replaceAll('\n', '\r'),
  'it begins with a byte order mark': (_, text) => `\ufeff${text}`,
  'it is indented with tabs': (_, text) => text.replaceAll(/^( {2})+/gm, (indent) => '\t'.repeat(indent.length / 2)),
  'the document is there twice': (_, text) => `${text}\n---\n${text}`,
  'a merge went wrong': (random, text) =>
    changeLine(random, text, (line) => `<<<<<<< HEAD\n${line}\n=======\n${line}x\n>>>>>>> theirs`),
  'templates were not filled in': (random, text) =>
    changeLine(random, text, (line) =>
      replaceToken(random, line, random.pick(['{{ value }}', '${VALUE}', '$(VALUE)', '<value>'])),
    ),
  'everything has moved': (random, text) =>
    lines(text)
      .map((line) => ' '.repeat(random.int(3)) + line)
      .join('\n'),
  'a piece is somewhere else': (random, text) => {
    const from = random.int(text.length);
    const piece = text.slice(from, from + random.int(200));
    const to = random.int(text.length);
    return text.slice(0, to) + piece + text.slice(to);
  },
};
