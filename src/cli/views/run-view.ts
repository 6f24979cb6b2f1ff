import type { Clock } from '../../model/clock.ts';
import type { RunEvent } from '../../model/event.ts';
import { followRun, type RunState } from '../../model/run-state.ts';
import type { RunFormat } from '../run-options.ts';
import type { Terminal } from '../terminal.ts';
import { jsonText } from './json.ts';

/** A run while it goes on, in whatever way it is shown. */
export type RunView = {
  readonly tell: (event: RunEvent) => void;
  readonly state: () => RunState;
  /** Nothing is drawn while somebody else uses the terminal. */
  readonly aside: <T>(action: () => Promise<T>) => Promise<T>;
  readonly end: () => void;
};

export async function openView(output: RunFormat, terminal: Terminal, clock: Clock): Promise<RunView> {
  const { tell: follow, state } = followRun();
  const { tell, aside, end } = await drawn(output, terminal, clock, state);
  return {
    state,
    aside,
    end,
    tell: (event) => {
      follow(event);
      tell(event);
    },
  };
}

type Drawing = Omit<RunView, 'state'>;

const still: Drawing = { tell: () => {}, aside: (action) => action(), end: () => {} };

async function drawn(output: RunFormat, terminal: Terminal, clock: Clock, state: () => RunState): Promise<Drawing> {
  if (output === 'json') return still;
  if (output === 'jsonl') {
    const { eventJson } = await import('./run-jsonl.ts');
    return { ...still, tell: (event) => terminal.out(jsonText(eventJson(event), 'jsonl', terminal)) };
  }
  if (terminal.screen !== undefined) {
    const { runLive } = await import('./run-live.ts');
    return runLive(terminal, terminal.screen, { clock, state });
  }
  const { runLines } = await import('./run-lines.ts');
  return { ...still, ...runLines(terminal, state) };
}
