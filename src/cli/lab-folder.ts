import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Problem } from '../model/problem.ts';
import type { ProvenProcess } from '../state/process.ts';
import { writeNew, writeWhole } from './files.ts';
import { isAlive } from './lab-process.ts';

/** What is written down about a lab, so that other commands find it. Nothing of it is secret. */
export type LabEntry = ProvenProcess & {
  readonly name: string;
  /** Folder of its files. */
  readonly dir: string;
  /** Socket that answers how it is. */
  readonly control: string;
  /** Undefined while it starts. */
  readonly facts: LabFacts | undefined;
};

export type LabFacts = {
  readonly version: string;
  readonly speed: number;
  readonly latencyMs: number;
  readonly network: string;
  readonly endpoints: Readonly<Record<string, string>>;
  readonly factory: string;
  /** Absent: written by an older ichor, with twins. */
  readonly guests?: 'twin' | 'real';
};

/** Names of the files in a lab’s folder. */
export const labFiles = {
  /** For whoever needs all of it: some of what tofu does, Proxmox lets nobody but root do. */
  token: 'token',
  ichorToken: 'ichor-token',
  ca: 'ca.pem',
  platform: 'platform.yaml',
  secrets: 'secrets.yaml',
  talosconfig: 'talosconfig',
  kubeconfig: 'kubeconfig',
  log: 'log',
  control: 'control',
} as const;

const longestSocket = 100;
const lookMs = 2000;

function labsFolder(): string {
  const { XDG_STATE_HOME: state } = process.env;
  return join(state !== undefined && isAbsolute(state) ? state : join(homedir(), '.local', 'state'), 'ichor', 'labs');
}

const entryFile = (name: string): string => join(labsFolder(), name, 'lab.json');

/** Where a lab’s files go unless somebody says otherwise. */
export const folderOf = (name: string, dir: string | undefined): string => resolve(dir ?? join(labsFolder(), name));

/** Paths of sockets may not be long: where this one would be, it lies in a folder of its own elsewhere. */
export async function controlOf(dir: string): Promise<string> {
  const own = join(dir, labFiles.control);
  if (own.length <= longestSocket) return own;
  return join(await mkdtemp(join(tmpdir(), 'ichor-lab-')), labFiles.control);
}

async function readEntry(name: string): Promise<LabEntry | undefined> {
  try {
    return JSON.parse(await readFile(entryFile(name), 'utf8')) as LabEntry;
  } catch {
    return undefined;
  }
}

/** The lab of this name, if it runs; what a dead one left behind is taken away. */
export async function findLab(name: string): Promise<LabEntry | undefined> {
  const entry = await readEntry(name);
  if (entry === undefined || (await isAlive(entry))) return entry;
  await removeLab(entry);
  return undefined;
}

/** Every lab that runs, by name. */
export async function findLabs(): Promise<readonly LabEntry[]> {
  const names = await readdir(labsFolder()).catch(() => []);
  const found = await Promise.all(names.toSorted((one, other) => one.localeCompare(other)).map(findLab));
  return found.flatMap((entry) => entry ?? []);
}

/** Takes a name, before anything is started under it. */
export async function claimLab(entry: LabEntry): Promise<void> {
  const running = await findLab(entry.name);
  if (running !== undefined) throw alreadyRuns(running);
  await makeFolder(join(labsFolder(), entry.name));
  await makeFolder(entry.dir);
  await writeNew(entryFile(entry.name), `${JSON.stringify(entry, null, 2)}\n`, 0o600);
}

/** Nobody but its owner looks into it. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new Problem(
      'unwritable-file',
      `The folder "${path}" cannot be made (${(cause as NodeJS.ErrnoException).code}).`,
      {
        cause,
        remedy: 'Choose another one with --dir, or set XDG_STATE_HOME to a folder that is yours.',
      },
    );
  }
}

export const alreadyRuns = ({ name, pid }: LabEntry): Problem =>
  new Problem('lab-runs', `The lab "${name}" runs already (process ${pid}).`, {
    remedy: `Look at it, end it, or start another one beside it:\n    ichor lab status --name ${name}\n    ichor lab stop --name ${name}\n    ichor lab start --name another`,
  });

export const updateLab = (entry: LabEntry): Promise<void> =>
  writeWhole(entryFile(entry.name), `${JSON.stringify(entry, null, 2)}\n`, 0o600);

/** Resolves when somebody took away what others find a lab by, or its files: it has no reason to go on. */
export async function folderGone(entry: LabEntry, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if ((await readEntry(entry.name))?.started !== entry.started || !(await isFolder(entry.dir))) return;
    await setTimeout(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** What was written for a lab goes, and its folders where nothing else is in them. */
export async function removeLab({
  name,
  dir,
  control,
  facts,
}: Pick<LabEntry, 'name' | 'dir'> & Partial<LabEntry>): Promise<void> {
  // Only one that was killed leaves any of its nodes.
  if (facts?.guests === 'real') await (await import('../lab/real/land.ts')).sweepLand().catch(() => undefined);
  const files = Object.values(labFiles).map((file) => join(dir, file));
  for (const file of [...files, ...(control === undefined ? [] : [control]), entryFile(name)])
    await rm(file, { force: true });
  const elsewhere = control === undefined ? [] : [dirname(control)];
  const folders = [...elsewhere, dir, join(labsFolder(), name), labsFolder(), dirname(labsFolder())];
  for (const folder of new Set(folders)) await rmdir(folder).catch(() => undefined);
}
