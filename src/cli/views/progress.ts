import type { Terminal } from '../terminal.ts';
import { span } from './talos-words.ts';

/** What is awaited and for how long: one line that is written over on a terminal, a line now and then elsewhere. */
export type Progress = {
  readonly waiting: (what: string, sinceMs: number) => void;
  readonly line: (text: string) => void;
  readonly end: () => void;
};

/** Says every second how long it has been. */
export function ticking(shown: Progress, what: string): { readonly stop: () => void } {
  if (what === '') return { stop: () => {} };
  const began = Date.now();
  shown.waiting(what, 0);
  const timer = setInterval(() => shown.waiting(what, Date.now() - began), 1000);
  return { stop: () => clearInterval(timer) };
}

/** Waits for something that does not tell how far it is. */
export async function whileWaiting<T>(work: Promise<T>, what: string, terminal: Terminal, quiet: boolean): Promise<T> {
  const shown = progress(terminal, quiet);
  const { stop } = ticking(shown, what);
  try {
    return await work;
  } finally {
    stop();
    shown.end();
  }
}

const againMs = 30_000;

export function progress(terminal: Terminal, quiet = false): Progress {
  let last = { what: '', atMs: 0 };
  if (quiet) return { waiting: () => {}, line: () => {}, end: () => {} };
  return {
    waiting: (what, sinceMs) => {
      const text = `${what} (${span(sinceMs)})`;
      if (terminal.passing !== undefined) {
        terminal.passing(terminal.paint('dim', text.slice(0, terminal.columns - 1)));
      } else if (what !== last.what || sinceMs - last.atMs >= againMs) {
        terminal.err(`${text}\n`);
        last = { what, atMs: sinceMs };
      }
    },
    line: (text) => terminal.err(`${text}\n`),
    end: () => terminal.passing?.(''),
  };
}
