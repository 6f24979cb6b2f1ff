import { expect, test } from 'vitest';
// @ts-expect-error A script without types.
import { TerminalScreen } from '../tools/recording/screen.mjs';
// @ts-expect-error A script without types.
import { recordingSvg } from '../tools/recording/svg.mjs';

type Cell = { readonly character: string; readonly style: { readonly bold: boolean; readonly colour: string } };
type Screen = { write(text: string): void; seen(): readonly (readonly Cell[])[] };

const open = (columns: number, rows: number): Screen =>
  new (TerminalScreen as new (columns: number, rows: number) => Screen)(columns, rows);
const shown = (screen: Screen): readonly string[] =>
  screen.seen().map((row) => row.map(({ character }) => character).join(''));

test('a screen shows what a terminal would: lines, what is drawn over, and what scrolled away', () => {
  const screen = open(10, 3);
  screen.write('one\r\ntwo\r\nthree\r\n');
  expect(shown(screen)).toEqual(['two', 'three', '']);
  screen.write('\u001B[2Fnew\u001B[K\r\n\u001B[J');
  expect(shown(screen)).toEqual(['new', '', '']);
});

test('a sequence in two pieces, colours, and a line that is too long', () => {
  const screen = open(4, 2);
  screen.write('\u001B[1;3');
  screen.write('2mab\u001B[0mcdef');
  expect(shown(screen)).toEqual(['abcd', 'ef']);
  expect(screen.seen()[0]?.map(({ style }) => `${style.bold} ${style.colour}`)).toEqual([
    'true green',
    'true green',
    'false ',
    'false ',
  ]);
});

test('a picture holds each row once for as long as it stays, and the last frame stands where nothing plays', () => {
  const screen = open(12, 2);
  screen.write('stays\r\nfirst');
  const first = screen.seen();
  screen.write('\rthen <&>');
  const svg = (recordingSvg as (frames: unknown, options: unknown) => string)(
    [
      { at: 0, screen: first },
      { at: 2, screen: screen.seen() },
    ],
    { columns: 12, rows: 2, title: 'a & b', holdSeconds: 2 },
  );
  expect(svg.match(/>stays</g)).toHaveLength(1);
  expect(svg).toContain('then &lt;&amp;&gt;');
  expect(svg).toContain(
    '@keyframes p0{0%{visibility:visible}50%{visibility:hidden}}.p0{visibility:hidden;animation:p0 4s step-end infinite}',
  );
  expect(svg).toContain(
    '@keyframes p1{0%{visibility:hidden}50%{visibility:visible}}.p1{animation:p1 4s step-end infinite}',
  );
  expect(svg).toContain('<title>a &amp; b</title>');
});
