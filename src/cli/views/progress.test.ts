import { expect, test } from 'vitest';
import type { Terminal } from '../terminal.ts';
import { progress } from './progress.ts';

const heard = (isTerminal: boolean, quiet = false) => {
  const said: string[] = [];
  const terminal: Terminal = {
    out: (text) => void said.push(`out ${text}`),
    err: (text) => void said.push(text),
    ...(isTerminal ? { passing: (text: string) => void said.push(`passing ${text}`) } : {}),
    paint: (_, text) => text,
    columns: 30,
    interactive: isTerminal,
  };
  return { said, shown: progress(terminal, quiet) };
};

test('elsewhere than on a terminal a line is said when it changes, and now and then', () => {
  const { said, shown } = heard(false);
  for (const ms of [0, 1000, 29_000, 30_000, 31_000]) shown.waiting('waiting for etcd', ms);
  shown.waiting('waiting for kubelet', 0);
  shown.line('done');
  shown.end();
  expect(said).toEqual([
    'waiting for etcd (0 s)\n',
    'waiting for etcd (30 s)\n',
    'waiting for kubelet (0 s)\n',
    'done\n',
  ]);
});

test('on a terminal one line is written over, and never wraps', () => {
  const { said, shown } = heard(true);
  shown.waiting('waiting for something with a long name', 0);
  shown.waiting('etcd', 1000);
  shown.line('done');
  shown.end();
  expect(said).toEqual(['passing waiting for something with a ', 'passing etcd (1 s)', 'done\n', 'passing ']);
});

test('programs hear nothing of it', () => {
  const { said, shown } = heard(true, true);
  shown.waiting('etcd', 0);
  shown.line('done');
  shown.end();
  expect(said).toEqual([]);
});
