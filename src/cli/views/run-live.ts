import type { Clock } from '../../model/clock.ts';
import type { RunEvent } from '../../model/event.ts';
import type { Problem } from '../../model/problem.ts';
import type { RunState } from '../../model/run-state.ts';
import { problemText } from '../problems.ts';
import type { Screen, Terminal } from '../terminal.ts';
import { frame } from './run-frame.ts';
import { plainLength } from './wrap.ts';

type Shown = { readonly clock: Clock; readonly state: () => RunState };

type Live = {
  readonly tell: (event: RunEvent) => void;
  readonly aside: <T>(action: () => Promise<T>) => Promise<T>;
  readonly end: () => void;
};

const hideCursor = '\u001B[?25l';
const showCursor = '\u001B[?25h';
const everyMs = 100;

/** A run drawn over itself, below whatever stands on the terminal already. Nothing of it is left when it ends. */
export function runLive(terminal: Terminal, screen: Screen, { clock, state }: Shown): Live {
  let drawn: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const { columns, rows } = screen.size();
    const lines = frame(state(), clock.now(), { columns: columns - 1, rows: Math.max(3, rows - 1) }, terminal.paint);
    terminal.out(`${toTop(drawn, columns)}${lines.map((line) => `${line}\u001B[K\n`).join('')}\u001B[J`);
    drawn = lines;
  };
  const erase = (): void => {
    terminal.out(`${toTop(drawn, screen.size().columns)}\u001B[J${showCursor}`);
    drawn = [];
  };
  const leave = (): void => {
    terminal.out(showCursor);
  };
  let held: readonly Disposable[] = [];
  const begin = (): void => {
    if (timer !== undefined) return;
    process.once('exit', leave);
    terminal.out(hideCursor);
    held = [screen.onResize(draw), screen.mute()];
    timer = setInterval(draw, everyMs);
    draw();
  };
  const pause = (): void => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    for (const each of held) each[Symbol.dispose]();
    held = [];
    process.off('exit', leave);
    erase();
  };
  const above = (text: string): void => {
    terminal.out(`${toTop(drawn, screen.size().columns)}\u001B[J${text}`);
    drawn = [];
    if (timer !== undefined) draw();
  };
  let isOver = false;
  begin();
  return {
    tell: (event) => {
      if (event.kind !== 'warned' || isSaid(event.problem, state())) return;
      above(problemText(event.problem, new Map(), terminal));
    },
    aside: async (action) => {
      pause();
      try {
        return await action();
      } finally {
        // A run may end while somebody is still being asked.
        if (!isOver) begin();
      }
    },
    end: () => {
      isOver = true;
      pause();
    },
  };
}

/** Whoever looks again and again meets the same again and again. */
const isSaid = ({ code, message }: Problem, { warnings }: RunState): boolean =>
  warnings.filter((each) => each.code === code && each.message === message).length > 1;

/** Up to the first line of what was drawn, which has more lines than before where the terminal became narrower. */
function toTop(drawn: readonly string[], columns: number): string {
  const rows = drawn.reduce((total, line) => total + Math.max(1, Math.ceil(plainLength(line) / columns)), 0);
  return rows === 0 ? '\r' : `\u001B[${rows}F`;
}
