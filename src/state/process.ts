import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { kill, pid as ownPid } from 'node:process';
import { promisify } from 'node:util';

/** A process that cannot be mistaken for another one that later has the same number. */
export type ProvenProcess = { readonly pid: number; readonly started: string };

/** When a process started, as the system writes it; undefined: there is no such process, or nobody says. */
export async function startOf(pid: number): Promise<string | undefined> {
  const seen = await look(pid);
  return seen === over ? undefined : seen;
}

export async function thisProcess(): Promise<ProvenProcess> {
  return { pid: ownPid, started: (await startOf(ownPid)) ?? '' };
}

/** The same process, not only the same number. `unknown`: something has that number, and who it is cannot be seen. */
export async function standingOf({ pid, started }: ProvenProcess): Promise<'alive' | 'gone' | 'unknown'> {
  const seen = await look(pid);
  if (seen === over) return 'gone';
  if (seen !== undefined && started !== '') return seen === started ? 'alive' : 'gone';
  return numberIsFree(pid) ? 'gone' : 'unknown';
}

const over = 'over';

async function look(pid: number): Promise<string | undefined> {
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
    return fields[0] === 'Z' ? over : `${boot.trim()} ${fields[19] ?? ''}`;
  } catch {
    return undefined;
  }
}

/** /proc may hide processes of others; the kernel does not deny that a number is used. */
function numberIsFree(pid: number): boolean {
  try {
    kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
