import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aProgram } from '../a-program.ts';
import { folder } from '../folder.ts';
import { commandsOf } from '../../src/cli/completion-tree.ts';
import { bashScript } from '../../src/cli/views/completion-bash.ts';
import { fishScript } from '../../src/cli/views/completion-fish.ts';
import { zshScript } from '../../src/cli/views/completion-zsh.ts';

describe('bash completes', () => {
  /** What bash offers for a line that ends at the last word. */
  function offered(words: readonly string[], cwd: string): readonly string[] {
    const script = `${bashScript(commandsOf(aProgram()))}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_ichor; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['--norc', '-c', script], { cwd, encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '')
      .toSorted();
  }

  test.each<[line: readonly string[], offers: readonly string[]]>([
    [
      ['ichor', ''],
      ['apply', 'completion', 'talos', 'up'],
    ],
    [['ichor', 'ta'], ['talos']],
    [
      ['ichor', 'talos', ''],
      ['gen', 'reset'],
    ],
    [['ichor', '--no-color', 'talos', 'r'], ['reset']],
    [
      ['ichor', 'up', '--'],
      ['--file', '--from', '--help', '--output', '--set', '--var-file', '--yes'],
    ],
    [['ichor', 'apply', '--o'], ['--output']],
    [
      ['ichor', 'up', '--output', ''],
      ['json', 'text'],
    ],
    [['ichor', 'up', '--output', '=', 'j'], ['json']],
    [
      ['ichor', 'up', '--output', '='],
      ['json', 'text'],
    ],
    [['ichor', 'talos', 'reset', '--wipe-mode', 's'], ['system-disk']],
    [['ichor', 'completion', 'b'], ['bash']],
    [
      ['ichor', 'up', '-f', 'pl'],
      ['plain', 'platform.yaml'],
    ],
    [['ichor', 'up', '--from', 'pl'], ['plain']],
    [['ichor', 'up', '--set', ''], []],
    [['ichor', 'talos', 'gen', ''], []],
  ])('%j', (line, offers) => {
    const cwd = folder();
    writeFileSync(join(cwd, 'platform.yaml'), '');
    mkdirSync(join(cwd, 'plain'));
    expect(offered(line, cwd)).toEqual(offers);
  });
});

test('zsh understands what it is given', () => {
  const script = join(folder(), '_ichor');
  writeFileSync(script, zshScript(commandsOf(aProgram())));
  execFileSync('zsh', ['-f', '-n', script]);
  const loads = `autoload -Uz compinit && compinit -u -D && source ${script} && print -r -- $_comps[ichor]`;
  expect(execFileSync('zsh', ['-f', '-c', loads], { encoding: 'utf8' })).toBe('_ichor\n');
});

describe('fish completes', () => {
  test.each<[line: string, offers: readonly string[]]>([
    ['ichor talos ', ['gen', 'reset']],
    ['ichor apply --output ', ['json', 'text']],
    ['ichor completion ', ['bash', 'zsh']],
    ['ichor up --y', ['--yes']],
  ])('%s', (line, offers) => {
    const home = folder();
    const script = join(home, 'ichor.fish');
    writeFileSync(script, fishScript(commandsOf(aProgram())));
    const asked = `source ${script}; complete -C '${line}'`;
    const said = execFileSync('fish', ['--no-config', '-c', asked], {
      encoding: 'utf8',
      env: { ...process.env, HOME: home },
    });
    expect(
      said
        .split('\n')
        .map((each) => each.split('\t')[0] ?? '')
        .filter((each) => each !== '')
        .toSorted(),
    ).toEqual(offers);
  });
});
