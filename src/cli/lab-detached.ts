import { spawn } from 'node:child_process';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem, Problems } from '../model/problem.ts';
import { alreadyRuns, findLab, folderOf, labFiles, makeFolder, removeLab } from './lab-folder.ts';
import type { StartOptions } from './lab-start.ts';
import type { Started } from './views/lab-started.ts';

const childMark = 'ICHOR_LAB_CHILD';

/** What the process in the background says to the one that started it, once. */
type Word = { readonly started: Started } | { readonly problem: Pick<Problem, 'code' | 'message' | 'remedy' | 'at'> };

export const isDetachedChild = (): boolean => process.env[childMark] === '1' && process.send !== undefined;

export function tellParent(word: Word): void {
  // Nobody else reads what it says: its output goes to the log, and the token must not.
  process.send?.(word, () => process.disconnect());
}

/** Starts the same command in the background, and waits until it answers or gives up. */
export async function startDetached(options: StartOptions): Promise<Started> {
  const running = await findLab(options.name);
  if (running !== undefined) throw alreadyRuns(running);
  const dir = folderOf(options.name, options.dir);
  await makeFolder(dir);
  const log = await open(join(dir, labFiles.log), 'w+', 0o600);
  try {
    const child = spawn(process.execPath, [process.argv[1] ?? '', ...argumentsOf(options)], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
      env: { ...process.env, [childMark]: '1' },
    });
    const word = await new Promise<Word | undefined>((resolve, reject) => {
      child.once('message', (message) => resolve(message as Word));
      child.once('exit', () => resolve(undefined));
      child.once('error', reject);
    });
    if (word !== undefined && 'started' in word) {
      child.unref();
      return word.started;
    }
    // Whoever has the name by now keeps his files.
    if ((await findLab(options.name)) === undefined) await removeLab({ name: options.name, dir });
    if (word === undefined) throw await died(log);
    const { code, message, remedy, at } = word.problem;
    throw new Problem(code, message, { remedy, ...(at === undefined ? {} : { at }) });
  } finally {
    await log.close();
  }
}

function argumentsOf(options: StartOptions): readonly string[] {
  const given = (flag: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [flag, value];
  return [
    'lab',
    'start',
    ...given('--name', options.name),
    ...given('--hosts', String(options.hosts)),
    ...given('--speed', String(options.speed)),
    ...given('--latency', `${options.latency}ms`),
    ...given('--pve', options.pve),
    ...given('--cni', options.cni),
    ...given('--network', options.network),
    ...given('--dir', options.dir),
    ...given('--reservations', options.reservations),
    ...given('--guests', options.guests),
    ...(options.mapped ? ['--mapped'] : []),
    ...(options.cluster ? ['--cluster'] : []),
  ];
}

/** The log is read through what is still open: its file may be gone. */
async function died(log: FileHandle): Promise<Problem> {
  const { size } = await log.stat();
  const { buffer } = await log.read(Buffer.alloc(size), 0, size, 0);
  const last = buffer.toString('utf8').trimEnd().split('\n').slice(-10).join('\n');
  return new Problem(
    'lab-died',
    `The lab ended before it was ready.${last === '' ? '' : ` Its last words:\n${last}`}`,
    {
      remedy: 'Start it without --detach to see more.',
    },
  );
}

/** For the end of a command: the one that waits for this process hears why it ended. */
export function tellProblem(error: unknown): void {
  const problem = error instanceof Problems ? error.problems[0] : error;
  if (!isDetachedChild() || !(problem instanceof Problem)) return;
  const { code, message, remedy, at } = problem;
  tellParent({ problem: { code, message, remedy, at } });
}
