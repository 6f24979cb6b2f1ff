import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const stopWithinMs = 20_000;

export type Running = {
  /** Asks again and again until there is an answer; says what it waited for when there is none. */
  readonly until: <T>(what: string, deadline: number, ask: () => Promise<T | undefined>) => Promise<T>;
  readonly end: () => Promise<void>;
  readonly pid: number | undefined;
};

/** A program that ends with us; what it says is in a file of its folder. */
export function startProcess(name: string, folder: string, program: string, args: readonly string[]): Running {
  const log = join(folder, `${name}.log`);
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const file = createWriteStream(log);
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  let failure: Error | undefined;
  child.on('error', (error) => (failure = error));
  // A test run that is ended early leaves nothing behind.
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);

  const explain = async (what: string): Promise<Error> => {
    const tail = (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(-30).join('\n');
    return new Error(`${name} ${what}. Its last words:\n${tail}`, { cause: failure });
  };
  return {
    pid: child.pid,
    until: async (what, deadline, ask) => {
      for (;;) {
        const answer = await ask();
        if (answer !== undefined) return answer;
        if (failure !== undefined || hasEnded(child)) throw await explain(`ended while we waited for ${what}`);
        if (Date.now() > deadline) throw await explain(`did not give ${what} in time`);
        await sleep(100);
      }
    },
    end: async () => {
      process.off('exit', endWithUs);
      await endProcess(child);
      file.end();
    },
  };
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await ended;
  clearTimeout(patience);
}
