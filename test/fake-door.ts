import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import type { RunDoor } from '../src/cli/engine-door.ts';
import { failure, formatIn } from '../src/cli/failure.ts';
import type { Terminal } from '../src/cli/terminal.ts';
import type { Preview, Run, RunOptions, RunRequest } from '../src/engine/run.ts';
import type { Outcome, RunEvent } from '../src/model/event.ts';
import type { Plan } from '../src/model/plan.ts';
import type { Problem } from '../src/model/problem.ts';
import { start, runFacts } from './run-events.ts';
import { previewOf } from './plans.ts';
import { platformFile } from './said.ts';

export type Script = {
  readonly plan: Plan;
  readonly proof?: Preview['proof'];
  /** What a person types, one after the other; undefined: there is no terminal. */
  readonly answers?: readonly string[];
  /** What happens after the plan was agreed to. */
  readonly play?: (request: RunRequest, stop: Parameters<Run>[3]) => Promise<Outcome>;
  /** What the provider warns of once it is agreed to. */
  readonly warns?: Problem;
};

export type Played = {
  readonly out: string;
  readonly err: string;
  readonly code: number | undefined;
  readonly questions: readonly string[];
  readonly requests: readonly (RunRequest | RunOptions)[];
  readonly opened: readonly string[];
};

export const at = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);

/** Does every step of the plan at once. */
export const doAll =
  (plan: Plan) =>
  ({ tell }: RunRequest): Promise<Outcome> => {
    for (const { id } of plan.steps) {
      tell({ kind: 'step-began', at: at(2), step: id, attempt: 1 });
      tell({ kind: 'step-done', at: at(5), step: id, ms: 3000 });
    }
    return Promise.resolve({ kind: 'converged', changed: plan.steps.length });
  };

/** Runs a command with an engine that does what the script says. */
export async function playCommand(
  register: (program: Command, door: RunDoor) => void,
  argv: readonly string[],
  folder: string,
  script: Script,
): Promise<Played> {
  const said = { out: '', err: '' };
  const questions: string[] = [];
  const requests: (RunRequest | RunOptions)[] = [];
  const opened: string[] = [];
  const answers = [...(script.answers ?? [])];
  const terminal: Terminal = {
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    paint: (_, text) => text,
    columns: 100,
    interactive: script.answers !== undefined,
    ...(script.answers === undefined
      ? {}
      : {
          ask: (question) => {
            questions.push(question);
            return Promise.resolve(answers.shift());
          },
        }),
  };
  let warn: (problem: Problem) => void = () => {};
  const { plan } = script;
  const shown = previewOf(plan, script.proof);
  const run: Run = async (_, request, __, stop) => {
    requests.push(request);
    const tell = (event: RunEvent): void => request.tell(event);
    tell({ kind: 'began', run: runFacts(plan) });
    tell({ kind: 'looking', at: at(0), pass: 1 });
    tell({ kind: 'planned', at: at(1), pass: 1, plan });
    const outcome = await (async (): Promise<Outcome> => {
      if (plan.steps.length === 0) return { kind: 'converged', changed: 0 };
      if (!(await request.confirm(shown))) return { kind: 'stopped', changed: 0, left: plan.steps.map(({ id }) => id) };
      if (script.warns !== undefined) warn(script.warns);
      return (script.play ?? doAll(plan))(request, stop);
    })();
    tell({ kind: 'ended', at: at(65), outcome });
    return outcome;
  };
  const door: RunDoor = {
    terminal: () => terminal,
    engine: () =>
      Promise.resolve({
        run,
        preview: (_, options) => {
          requests.push(options);
          return Promise.resolve(shown);
        },
      }),
    self: () => Promise.resolve({ pid: 4711, started: 'then' }),
    open: (platform, options) => {
      const { workspace } = options;
      warn = options.warn ?? warn;
      opened.push(`${platform.name} ${workspace}`);
      // Nothing else is used by what is tested here.
      const tools = {
        clock: { now: () => at(65) },
        store: { where: join(process.cwd(), 'talos') },
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
      return Promise.resolve(tools as unknown as Awaited<ReturnType<RunDoor['open']>>);
    },
  };
  const file = join(folder, 'prod.yaml');
  writeFileSync(file, platformFile({ cluster: '{ talos: { version: v1.13.9 }, kubernetes: { version: v1.35.2 } }' }));
  const program = new Command('ichor').exitOverride().configureOutput({ writeErr: (text) => void (said.err += text) });
  register(program, door);
  process.exitCode = undefined;
  try {
    await program.parseAsync([...argv.slice(0, 1), '-f', file, ...argv.slice(1)], { from: 'user' });
  } catch (error) {
    process.exitCode = failure(error, formatIn(argv, process.env), terminal);
  }
  const code = process.exitCode;
  process.exitCode = undefined;
  const plain = (text: string): string => text.replaceAll(folder, 'FOLDER');
  return { out: plain(said.out), err: plain(said.err), code, questions, requests, opened };
}
