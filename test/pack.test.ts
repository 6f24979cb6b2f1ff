import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './cli.ts';

let folder: string;
let archive: string;
let files: readonly string[];

/** npm as somebody has it who never used it before, without a network. */
function npm(program: 'npm' | 'npx', args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      npm_config_cache: join(folder, 'cache'),
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    },
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} exits with ${status}:\n${stderr}`);
  return stdout;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ichor-pack-'));
  // `make test` has built it; prepack would do it again.
  const packed = npm('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root);
  const [{ filename, files: listed }] = JSON.parse(packed) as [
    { filename: string; files: readonly { path: string }[] },
  ];
  archive = join(folder, filename);
  files = listed.map(({ path }) => path);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package holds the program, its licences and how to begin, and nothing else', () => {
  expect(files.filter((file) => !file.startsWith('dist/chunks/')).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'dist/THIRD-PARTY.txt',
    'dist/ichor.js',
    'package.json',
  ]);
  expect(files.filter((file) => file.startsWith('dist/chunks/') && !file.endsWith('.js'))).toEqual([]);
});

test('it is installed in an empty folder without a network, and runs there', () => {
  const home = join(folder, 'home');
  mkdirSync(home);
  // Without it npm looks for one in the folders above.
  writeFileSync(join(home, 'package.json'), '{}');
  npm('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', archive], home);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(npm('npx', ['--no-install', 'ichor', '--version'], home)).toBe(`${version}\n`);
  expect(npm('npx', ['--no-install', 'ichor', 'validate', '-f', join(root, 'examples', 'ha.yaml')], home)).toMatch(
    /^valid: platform prod/,
  );
}, 60_000);
