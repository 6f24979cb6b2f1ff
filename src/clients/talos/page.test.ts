import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deadlines } from './deadlines.ts';

const here = new URL('./', import.meta.url);
const page = readFileSync(new URL('../../../docs/talos-client.md', here), 'utf8');

test('the page tells every problem', () => {
  const codes = readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(new URL(name, here), 'utf8').matchAll(/'(talos-[a-z-]+)'/g)])
    .map(([, code = '']) => code);
  const told = [...page.matchAll(/^\| (`talos-.*?) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/talos-[a-z-]+/g) ?? [],
  );
  expect(told.toSorted()).toEqual([...new Set(codes)].toSorted());
});

test('the page tells every deadline', () => {
  const cells = [...page.matchAll(/^\| (.*?) \| .*?(?:\d+ (?:s|min)|none)/gm)].map(([, cell = '']) => cell);
  const told = cells.flatMap((cell) => cell.replaceAll(/ \(.*?\)/g, '').split(', '));
  expect(told.toSorted()).toEqual(
    Object.keys(deadlines)
      .map((verb) => verb.replaceAll('’', "'"))
      .toSorted(),
  );
});
