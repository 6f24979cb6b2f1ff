import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folder } from '../../../test/folder.ts';
import { gitClean } from './clean.ts';

const signal = AbortSignal.timeout(60_000);
const own = ['.ichor', 'talos', 'talos-test'];
const git = (place: string, ...words: readonly string[]): void =>
  void execFileSync('git', ['-C', place, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words]);

describe('what Git has', () => {
  test('is said to be behind when something is not committed, and ichor’s own files do not count', async () => {
    const place = folder();
    expect(await gitClean(place, own, signal)).toMatchObject({ code: 'git-not-there', severity: 'warning' });
    git(place, 'init', '-q');
    writeFileSync(join(place, 'platform.yaml'), 'a');
    expect(await gitClean(place, own, signal)).toMatchObject({
      code: 'git-not-clean',
      message: 'Git has not got everything that is here: platform.yaml.',
    });
    git(place, 'add', '-A');
    git(place, 'commit', '-qm', 'a');
    for (const name of own) {
      mkdirSync(join(place, name), { recursive: true });
      writeFileSync(join(place, name, 'x'), 'x');
    }
    expect(await gitClean(place, own, signal)).toBeUndefined();
  });

  test('is brought up to date by the remedy, without anything that is secret', async () => {
    const place = folder();
    for (const name of ['talos', 'talos-patches', '.ichor']) {
      mkdirSync(join(place, name));
      writeFileSync(join(place, name, 'x'), 'x');
    }
    for (const code of ['git-not-there', 'git-not-clean']) {
      const problem = await gitClean(place, own, signal);
      expect(problem).toMatchObject({ code });
      const line = problem?.remedy.split('\n').at(-1)?.replace('git commit', 'true') ?? '';
      execFileSync('sh', ['-ec', line], { cwd: place, stdio: 'pipe' });
      expect(execFileSync('git', ['-C', place, 'diff', '--cached', '--name-only'], { encoding: 'utf8' })).toBe(
        'talos-patches/x\n',
      );
    }
  });
});
