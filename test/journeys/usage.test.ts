import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ichor } from '../cli.ts';
import { folder, folderForAll } from '../folder.ts';

type Told = {
  readonly kind?: string;
  readonly problems: readonly { readonly code: string; readonly remedy: string }[];
};

describe('what was typed wrong', () => {
  test.each<[typed: string, said: string]>([
    ['pln', "error: unknown command 'pln'\n  Did you mean plan? See what there is:\n    ichor help\n"],
    ['plan --bogus', "error: unknown option '--bogus'\n  See what it takes:\n    ichor plan --help\n"],
    [
      'plan --targt x',
      "error: unknown option '--targt'\n  Did you mean --target? See what it takes:\n    ichor plan --help\n",
    ],
    [
      'apply --parallelism 0',
      "error: option '--parallelism <n>' argument '0' is invalid. Use a whole number, at least 1.\n  See what it takes:\n    ichor up --help\n",
    ],
    ['lab strat', "error: unknown command 'strat'\n  Did you mean start? See what there is:\n    ichor lab --help\n"],
    [
      'lab fault fill local',
      "error: required option '--free <size>' not specified\n  See what it takes:\n    ichor lab fault fill --help\n",
    ],
    ['plan --st=cluster.name=s3cret', "error: unknown option '--st=…'\n  See what it takes:\n    ichor plan --help\n"],
  ])('is said with where to look: ichor %s', (typed, said) => {
    expect(ichor(typed.split(' '))).toEqual({ status: 1, stdout: '', stderr: said });
  });

  test.each([
    ['plan --bogus -o json'],
    ['pln --output=json'],
    ['up --yes --timeout 5 -o json'],
    ['lab fault host pve1 -ojson'],
    ['lab status --name nobody -o json'],
    ['verify -f nobody.yaml -o json'],
  ])('is JSON for who wants that, and nothing else: ichor %s', (typed) => {
    const { status, stdout, stderr } = ichor(typed.split(' '), { cwd: folder() });
    expect([status, stderr]).toEqual([1, '']);
    expect((JSON.parse(stdout) as Told).problems).toHaveLength(1);
  });

  test('is a line for who wants lines, wherever that was said', () => {
    const { stdout, stderr } = ichor(['plan', '--bogus'], { env: { ICHOR_OUTPUT: 'jsonl' } });
    expect([stderr, stdout.trimEnd().split('\n')]).toEqual(['', [expect.stringMatching(/^\{"kind":"refused"/)]]);
  });

  test('does not hide help', () => {
    const help = ichor(['plan', '--help', '-o', 'json']);
    expect([help.status, help.stdout.split(' ', 1)]).toEqual([0, ['Usage:']]);
    const version = ichor(['--version']);
    expect([version.status, version.stderr]).toEqual([0, '']);
    const { status, stdout, stderr } = ichor(['lab']);
    expect([status, stdout, stderr.slice(0, 16)]).toEqual([1, '', 'Usage: ichor lab']);
  });
});

describe('ICHOR_OUTPUT', () => {
  const state = { XDG_STATE_HOME: folderForAll() };
  test.each(['history', 'unlock', 'lab status', 'lab stop --all'])('is heard by ichor %s', (typed) => {
    const cwd = folder();
    for (const [format, lines] of [
      ['json', 3],
      ['jsonl', 1],
    ] as const) {
      const { stdout } = ichor(typed.split(' '), { cwd, env: { ...state, ICHOR_OUTPUT: format } });
      expect(JSON.parse(stdout)).toBeTypeOf('object');
      expect(stdout.trimEnd().split('\n')).toHaveLength(lines);
    }
  });

  test('what JSON says to type is about the same platform', () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'two words.yaml'), 'kind: Nothing\n');
    const { stdout } = ichor(['history', 'nobody', '--workspace', 'blue', '-o', 'json'], { cwd });
    expect((JSON.parse(stdout) as Told).problems[0]?.remedy).toMatch(/ {4}ichor history --workspace blue$/);
  });
});
