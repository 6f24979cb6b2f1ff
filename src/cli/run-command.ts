import { hostname, userInfo } from 'node:os';
import { relative } from 'node:path';
import type { Preview } from '../engine/run.ts';
import type { Outcome } from '../model/event.ts';
import { allSteps, type RunState } from '../model/run-state.ts';
import { commandLine } from './command-line.ts';
import type { RunDoor } from './engine-door.ts';
import { tellPeople } from './provider-door.ts';
import { readMeant, type RunFlags } from './run-options.ts';
import type { SavedPlan } from './saved-plan.ts';
import { listenForStops } from './stops.ts';
import type { Terminal } from './terminal.ts';
import { jsonText } from './views/json.ts';
import { openView, type RunView } from './views/run-view.ts';

/** What a command that runs a plan has settled about it before it begins. */
export type Asked = {
  /** As it is typed: up, destroy. */
  readonly command: string;
  readonly intent: 'converge' | 'destroy';
  readonly target?: string;
  /** File of the plan that was saved. */
  readonly plan?: string;
  readonly everything?: boolean;
  /** Somebody named the platform beforehand. */
  readonly confirmed?: boolean;
  /** Before anything is opened: refuses, or says which plan was saved. */
  readonly settle: (platform: string) => Promise<SavedPlan | undefined>;
  /** After the plan was shown. */
  readonly confirm: (preview: Preview, signal: AbortSignal) => Promise<boolean>;
};

/** Runs a plan to its end in view of whoever looks; the exit code. */
export async function runCommand(asked: Asked, flags: RunFlags, door: RunDoor): Promise<number> {
  const terminal = door.terminal();
  const meant = await readMeant(flags, terminal);
  const saved = await asked.settle(meant.platform.name);
  const intent = saved?.plan.intent ?? asked.intent;
  const target = saved === undefined ? asked.target : saved.target;
  const goOn = wayOn(asked, flags, intent, target);
  const command = asked.plan === undefined ? goOn : commandLine(asked.command, flags, ['--plan', asked.plan]);
  let warn = tellPeople(terminal);
  await using tools = await door.open(meant.platform, {
    workspace: flags.workspace,
    warn: (problem) => warn(problem),
  });
  const [{ run }, self, view] = await Promise.all([
    door.engine(),
    door.self(),
    openView(flags.output, terminal, tools.clock),
  ]);
  warn = (problem) => view.tell({ kind: 'warned', at: tools.clock.now(), problem });
  using stops = listenForStops();
  const request = {
    intent,
    ...(target === undefined ? {} : { target }),
    ...(asked.everything === undefined ? {} : { everything: asked.everything }),
    ...(asked.confirmed === undefined ? {} : { confirmed: asked.confirmed }),
    ...(saved === undefined ? {} : { saved: saved.plan }),
    parallelism: flags.parallelism,
    atMostMs: flags.timeout,
    runner: { who: userName(), host: hostname(), ...self, command },
    confirm: (preview: Preview) => view.aside(() => confirmed(preview, asked, flags, terminal, stops.stop.gentle)),
    tell: view.tell,
  };
  try {
    const ended = await stops.orGone(run(meant, request, tools, stops.stop));
    const outcome = ended === 'gone' ? leftWhereItIs(view.state()) : ended;
    view.end();
    await showEnd({
      outcome,
      view,
      terminal,
      flags,
      intent,
      ...(target === undefined ? {} : { target }),
      platform: meant.platform.name,
      goOn,
      files: typedPath(tools.store.where),
      now: tools.clock.now(),
    });
    if (stops.stop.now.aborted) door.leave?.();
    return exitCode(outcome, stops.said());
  } finally {
    view.end();
  }
}

/** What to type when it did not come to its end: a saved plan is refused by then, because the world has moved. */
function wayOn(
  { command, plan, everything = false }: Asked,
  flags: RunFlags,
  intent: Asked['intent'],
  target: string | undefined,
): string {
  const part = target === undefined ? [] : ['--target', target];
  if (plan === undefined || intent === 'converge')
    return commandLine(command, flags, [...part, ...(everything ? ['--everything'] : [])]);
  return target === undefined
    ? commandLine('destroy', flags)
    : commandLine('plan', flags, ['--destroy', ...part, '--out', plan]);
}

/** From here, unless it lies elsewhere. */
function typedPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') ? path : near;
}

/** Containers have users without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? '?'}`;
  }
}

async function confirmed(
  preview: Preview,
  { confirm }: Asked,
  { output }: RunFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  if (output === 'text') {
    const { planText } = await import('./views/plan-text.ts');
    terminal.out(`${planText(preview, terminal)}\n`);
  }
  return confirm(preview, signal);
}

/** After the second Ctrl-C nobody tells any more how it ended. */
function leftWhereItIs(state: RunState): Outcome {
  const steps = allSteps(state);
  const done = steps.filter(({ phase }) => phase === 'done').length;
  return { kind: 'stopped', changed: done, left: steps.flatMap(({ id, phase }) => (phase === 'done' ? [] : [id])) };
}

function exitCode({ kind }: Outcome, stops: number): number {
  if (kind === 'converged') return 0;
  return kind === 'stopped' && stops > 0 ? 130 : 1;
}

type End = {
  readonly outcome: Outcome;
  readonly view: RunView;
  readonly terminal: Terminal;
  readonly flags: RunFlags;
  readonly intent: 'converge' | 'destroy';
  readonly target?: string;
  readonly platform: string;
  readonly goOn: string;
  readonly files: string;
  readonly now: Date;
};

async function showEnd({ outcome, view, terminal, flags, ...about }: End): Promise<void> {
  const state = view.state();
  switch (flags.output) {
    case 'jsonl':
      return;
    case 'json': {
      const { runJson } = await import('./views/run-json.ts');
      terminal.out(jsonText(runJson(state, outcome, about.now), 'json', terminal));
      return;
    }
    case 'text': {
      const { endText } = await import('./views/run-end.ts');
      const say = outcome.kind === 'stuck' ? terminal.err : terminal.out;
      say(endText({ state, outcome, ...about }, terminal));
    }
  }
}
