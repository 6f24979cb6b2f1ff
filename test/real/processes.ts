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

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type RunOptions = {
  /** What it keeps for itself goes here. */
  readonly home: string;
  readonly input?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  /** It is ended after so long; absent: it ends by itself. */
  readonly forMs?: number;
};

/** A program from its start to its end. */
export function runToEnd(program: string, args: readonly string[], options: RunOptions): Promise<Ran> {
  const { home, input = '', env, forMs } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: home,
      env: { ...process.env, HOME: home, KUBECACHEDIR: join(home, 'kubectl'), ...env },
    });
    const timer = forMs === undefined ? undefined : setTimeout(() => child.kill('SIGTERM'), forMs);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
    // It may end without having read it all.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
