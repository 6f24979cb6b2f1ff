import { expect, test } from 'vitest';
import { Problem } from '../model/problem.ts';
import { problemText } from './problems.ts';
import type { Terminal } from './terminal.ts';

const on = (columns: number, interactive: boolean): Terminal => ({
  out: () => {},
  err: () => {},
  paint: (_, text) => `\u001B[1m${text}\u001B[22m`,
  columns,
  interactive,
});

const problem = new Problem(
  'deaf',
  'No endpoint could be asked:\n    pve1 did not answer, and neither did anybody else.\nThat was all.',
  {
    remedy:
      'Look whether the host is up and its API answers:\n    ssh root@pve2 systemctl status pveproxy pvedaemon pvestatd',
  },
);
// oxlint-disable-next-line no-control-regex -- colours are made of control characters
const plain = (text: string): string => text.replaceAll(/\u001B\[\d+m/g, '');

test('on a terminal words are kept whole, and what is to be typed stays on one line', () => {
  expect(plain(problemText(problem, new Map(), on(40, true)))).toBe(`error: No endpoint could be asked:
    pve1 did not answer, and neither did anybody else.
That was all.
  Look whether the host is up and its
  API answers:
    ssh root@pve2 systemctl status pveproxy pvedaemon pvestatd
`);
  const long = new Problem('long', 'The quick brown fox jumps over the lazy dog.');
  expect(plain(problemText(long, new Map(), on(30, true)))).toBe(`error: The quick brown fox
jumps over the lazy dog.
`);
});

test('elsewhere a sentence is a line, for whoever searches in it', () => {
  expect(plain(problemText(problem, new Map(), on(40, false)))).toContain(
    '  Look whether the host is up and its API answers:\n    ssh root@pve2',
  );
});
