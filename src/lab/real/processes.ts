import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const answerWithinMs = 90_000;
const stopWithinMs = 150_000;
const lookMs = 50;

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

export const exited = (child: ChildProcess): Promise<void> =>
  hasEnded(child) ? Promise.resolve() : new Promise((resolve) => child.once('exit', () => resolve()));

/** Until somebody listens there; it fails when the one who should has ended. */
export async function answers(host: string, port: number, child: ChildProcess, what: string): Promise<void> {
  const until = Date.now() + answerWithinMs;
  while (!(await isOpen(host, port))) {
    if (hasEnded(child)) throw new Error(`${what} has ended.`);
    if (Date.now() > until) throw new Error(`${what} does not answer on ${host}:${port}.`);
    await sleep(lookMs);
  }
}

const isOpen = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });

/** Asks it to end, and ends it when it does not. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const gone = exited(child);
  child.kill(signal);
  const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await gone;
  clearTimeout(late);
}
