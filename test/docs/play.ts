import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, normalize } from 'node:path';
import { root } from '../cli.ts';
import { fencesOf, isShown, stepsOf, type Fence } from './page.ts';

/** What playing a page came to. */
export type Played = {
  readonly ran: number;
  /** Commands that are marked no-run, as `line: command`. */
  readonly left: readonly string[];
  readonly wrong: readonly string[];
};

const shells = ['sh', 'bash', 'shell', 'console'];

/** Plays a page from top to bottom in a folder of its own, with the examples in it and ichor on the PATH. */
export function play(page: string): Played {
  const folder = mkdtempSync(join(tmpdir(), 'ichor-docs-'));
  try {
    cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin', 'ichor'), `#!/bin/sh\nexec "${process.execPath}" "${root}dist/ichor.js" "$@"\n`);
    chmodSync(join(folder, 'bin', 'ichor'), 0o755);
    return sum(fencesOf(page).map((fence) => playFence(fence, folder)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const nothing: Played = { ran: 0, left: [], wrong: [] };

const sum = (all: readonly Played[]): Played => ({
  ran: all.reduce((total, { ran }) => total + ran, 0),
  left: all.flatMap(({ left }) => left),
  wrong: all.flatMap(({ wrong }) => wrong),
});

function playFence(fence: Fence, folder: string): Played {
  const { language, markers, line, code } = fence;
  const isShell = shells.includes(language);
  const known = (marker: string): boolean =>
    isShell ? ['no-run', 'fails'].includes(marker) : /^file=[^\s]+$/.test(marker);
  const strange = markers.filter((marker) => !known(marker));
  if (strange.length > 0)
    return {
      ...nothing,
      wrong: strange.map((marker) => `${line}: "${marker}" is no marker of a ${language || 'plain'} fence.`),
    };
  if (!isShell)
    return { ...nothing, wrong: markers.flatMap((marker) => writeFile(fence, marker.slice('file='.length), folder)) };
  if (markers.includes('no-run'))
    return { ...nothing, left: commandsOf(fence).map((command) => `${line}: ${command}`) };
  const fails = markers.includes('fails');
  if (language !== 'console') {
    const { status, printed } = shell(code, folder);
    return { ...nothing, ran: 1, wrong: wrongStatus(line, code.trim(), status, printed, fails) };
  }
  return sum(
    stepsOf(fence).map(({ line: at, command, output }) => {
      const { status, printed } = shell(command, folder);
      const differs = output !== undefined && !isShown(printed, output);
      const wrong = [
        ...wrongStatus(at, command, status, printed, fails),
        ...(differs ? [`${at}: ${command}\nprints\n${printed.trimEnd()}\nand the page shows\n${output}`] : []),
      ];
      return { ...nothing, ran: 1, wrong };
    }),
  );
}

const commandsOf = (fence: Fence): readonly string[] =>
  fence.language === 'console'
    ? stepsOf(fence).map(({ command }) => command)
    : fence.code.split('\n').filter((command) => command.trim() !== '' && !command.trim().startsWith('#'));

function writeFile({ line, code }: Fence, name: string, folder: string): readonly string[] {
  const path = normalize(name);
  if (path.startsWith('..') || path.startsWith('/')) return [`${line}: ${name} is outside of the folder.`];
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), code);
  return [];
}

const wrongStatus = (
  line: number,
  command: string,
  status: number | null,
  printed: string,
  fails: boolean,
): readonly string[] =>
  (status === 0) === fails
    ? [`${line}: ${command}\nexits with ${status}${fails ? ', and is marked to fail' : ''}\n${printed.trimEnd()}`]
    : [];

/** As a reader types it, without a terminal, without a network, and with nothing of ours in the environment. */
function shell(script: string, cwd: string): { readonly status: number | null; readonly printed: string } {
  const nowhere = 'http://127.0.0.1:9';
  const { status, stdout } = spawnSync('sh', ['-eu', '-c', `exec 2>&1\n${script}`], {
    cwd,
    encoding: 'utf8',
    env: {
      PATH: `${join(cwd, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: cwd,
      http_proxy: nowhere,
      https_proxy: nowhere,
      npm_config_offline: 'true',
    },
    timeout: 60_000,
  });
  return { status, printed: stdout };
}
