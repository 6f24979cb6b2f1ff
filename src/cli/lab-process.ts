import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A process that cannot be mistaken for another one that later has the same number. */
export type ProvenProcess = { readonly pid: number; readonly started: string };

/** When a process started, as the system writes it; undefined: there is no such process. */
export async function startOf(pid: number): Promise<string | undefined> {
  if (platform() !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }));
    return stdout.trim() || undefined;
  }
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // The name may hold blanks and brackets; what is counted comes behind it. A zombie is over.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${boot.trim()} ${fields[19] ?? ''}`;
  } catch {
    return undefined;
  }
}

export async function thisProcess(): Promise<ProvenProcess> {
  return { pid: process.pid, started: (await startOf(process.pid)) ?? '' };
}

/** The same process, not only the same number. */
export const isAlive = async ({ pid, started }: ProvenProcess): Promise<boolean> => (await startOf(pid)) === started;

const graceMs = 10_000;
const lookMs = 25;

/** Asks it to end, and ends it when it does not. Nothing happens to a process that is another one by now. */
export async function endProcess(process_: ProvenProcess): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!(await isAlive(process_))) return;
    try {
      process.kill(process_.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    for (const end = Date.now() + graceMs; Date.now() < end && (await isAlive(process_));) await setTimeout(lookMs);
  }
}
