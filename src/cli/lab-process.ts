import { setTimeout } from 'node:timers/promises';
import { startOf, type ProvenProcess } from '../state/process.ts';

/** The same process, not only the same number. */
export const isAlive = async ({ pid, started }: ProvenProcess): Promise<boolean> => (await startOf(pid)) === started;

const usualGraceMs = 10_000;
const lookMs = 25;

/** Asks it to end, and ends it when it does not. Nothing happens to a process that is another one by now. */
export async function endProcess(process_: ProvenProcess, graceMs = usualGraceMs): Promise<void> {
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
