import type { Command } from 'commander';
import type { Preview } from '../engine/run.ts';
import { commandLine } from './command-line.ts';
import type { RunDoor } from './engine-door.ts';
import {
  inFormat,
  readMeant,
  withFormats,
  withWorkspace,
  type RunFormat,
  type WorkspaceOptions,
} from './run-options.ts';
import { untilInterrupted } from './talos-door.ts';
import type { Terminal } from './terminal.ts';
import { jsonText } from './views/json.ts';
import { whileWaiting } from './views/progress.ts';

type Options = WorkspaceOptions & {
  readonly output: RunFormat;
  readonly out?: string;
  readonly target?: string;
  readonly destroy: boolean;
  readonly detailedExitcode: boolean;
};

export function plan(program: Command, door: RunDoor): void {
  const command = program
    .command('plan')
    .description('look, and say what ichor up would do: what, why, what it disturbs, how long');
  withFormats(withWorkspace(command))
    .option('--out <file>', 'save the plan, for ichor up --plan')
    .option('--target <name>', 'only this layer or machine, and what it needs')
    .option('--destroy', 'what ichor destroy would do', false)
    .option('--detailed-exitcode', 'exit 2 when there is something to do', false)
    .addHelpText(
      'after',
      `
Examples:
  ichor plan -f prod.yaml
  ichor plan -f prod.yaml --out prod.plan && ichor up -f prod.yaml --plan prod.plan
  ichor plan -f prod.yaml --detailed-exitcode --output json

Nothing is written, anywhere but to --out. Exits 0; 1 when there is no plan, or the machines do not fit. With
--detailed-exitcode 2 when there is something to do, and 1 also when a person must decide first, or when nothing is to do
as far as could be seen, and not everything could.`,
    )
    .action(async (options: Options) => {
      const terminal = door.terminal();
      process.exitCode = await inFormat(options.output, terminal, () =>
        untilInterrupted((signal) => run(options, door, signal)),
      );
    });
}

async function run(options: Options, door: RunDoor, signal: AbortSignal): Promise<number> {
  const terminal = door.terminal();
  const { output, out, target, destroy, workspace, detailedExitcode } = options;
  const meant = await readMeant(options, terminal);
  if (out !== undefined) {
    const { mustBeForPlans } = await import('./saved-plan.ts');
    await mustBeForPlans(out, (path) => savingLine(options, path));
  }
  await using tools = await door.open(meant.platform, { workspace });
  const { preview } = await door.engine();
  const intent = destroy ? 'destroy' : 'converge';
  const looking = preview(meant, { intent, ...(target === undefined ? {} : { target }) }, tools, signal);
  const found = await whileWaiting(looking, `looking at ${meant.platform.name}`, terminal, output !== 'text');
  if (out !== undefined) {
    const { savePlan } = await import('./saved-plan.ts');
    await savePlan(out, { plan: found.plan, workspace, target });
  }
  await show(found, options, terminal);
  if (!destroy && !found.proof.fits) return 1;
  return detailedExitcode ? detailedCode(found.plan) : 0;
}

/** Whoever asks for details goes on by them: only 0 says that all is seen and nothing is to do. */
function detailedCode({ steps, asks, doubts }: Preview['plan']): number {
  if (asks.length > 0) return 1;
  return steps.length > 0 ? 2 : doubts.length > 0 ? 1 : 0;
}

async function show(found: Preview, options: Options, terminal: Terminal): Promise<void> {
  const { output, out } = options;
  if (output !== 'text') {
    const { previewJson } = await import('./views/plan-json.ts');
    terminal.out(jsonText(previewJson(found), output, terminal));
    return;
  }
  const { planText } = await import('./views/plan-text.ts');
  terminal.out(planText(found, terminal));
  if (found.plan.steps.length > 0) terminal.out(`\n${nextWords(options, out, found.plan.platform)}\n`);
}

/** How to do just this, and nothing beyond it. */
function nextWords(options: Options, out: string | undefined, platform: string): string {
  const { target, destroy } = options;
  if (out !== undefined)
    return `Saved to ${out}. Do exactly this with:\n    ${commandLine('up', options, ['--plan', out])}`;
  if (!destroy) return `Do it with:\n    ${commandLine('up', options, targetWords(target))}`;
  return target === undefined
    ? `Do it with:\n    ${commandLine('destroy', options)}`
    : `Save it to do only this, for ichor destroy takes everything:\n    ${savingLine(options, `${platform}.plan`)}`;
}

const targetWords = (target: string | undefined): readonly string[] =>
  target === undefined ? [] : ['--target', target];

/** The same plan, saved to a file of this name. */
const savingLine = (options: Options, file: string): string =>
  commandLine('plan', options, [
    ...(options.destroy ? ['--destroy'] : []),
    ...targetWords(options.target),
    '--out',
    file,
  ]);
