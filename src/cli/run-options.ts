import { InvalidArgumentError, type Command, type Option } from 'commander';
import type { Platform } from '../engine.ts';
import type { Meant } from '../engine/run.ts';
import { Problem, Problems } from '../model/problem.ts';
import { countOption, durationOption, formatOption, readChecked, withInput, type InputOptions } from './options.ts';
import { problemsJson } from './problems.ts';
import { fetchReferences } from './references.ts';
import type { Terminal } from './terminal.ts';
import { jsonText } from './views/json.ts';

export type WorkspaceOptions = InputOptions & { readonly only?: string; readonly workspace: string };

export type RunFormat = 'text' | 'json' | 'jsonl';

export type RunFlags = WorkspaceOptions & {
  readonly output: RunFormat;
  readonly parallelism: number;
  /** The longest wait for one gate, in milliseconds. */
  readonly timeout: number;
};

/** The options of every command about one platform and what is kept of it. */
export const withWorkspace = (command: Command): Command =>
  withInput(command)
    .addOption(
      orVariable(command.createOption('--only <platform>', 'this platform, where there are several'), 'ICHOR_ONLY'),
    )
    .addOption(workspaceOption(command));

export const workspaceOption = (command: Command): Option =>
  orVariable(
    command.createOption('--workspace <name>', 'state of its own: the same file, built several times').argParser(word),
    'ICHOR_WORKSPACE',
  ).default('default');

/** The options of every command that runs a plan. */
export const withRun = (command: Command): Command =>
  withFormats(withWorkspace(command), 'text, json (one document at the end) or jsonl (every event)')
    .addOption(
      orVariable(countOption('--parallelism <n>', 'steps at a time, over all systems'), 'ICHOR_PARALLELISM')
        .argParser(atLeastOne)
        .default(128),
    )
    .addOption(
      orVariable(durationOption('--timeout <duration>', 'the longest wait for one gate', '15m'), 'ICHOR_TIMEOUT'),
    );

/** What is printed, with ICHOR_OUTPUT behind it: whoever sets that for all commands gets an answer from all. */
export const withFormats = (command: Command, described = 'text, json, or jsonl (the same on one line)'): Command =>
  command.addOption(orVariable(formatOption(['text', 'json', 'jsonl'], described), 'ICHOR_OUTPUT').default('text'));

export const withYes = (command: Command): Command =>
  command.option('-y, --yes', 'ask nothing (env: ICHOR_YES)', false);

/** Whether somebody agreed beforehand, with the flag or with ICHOR_YES. A variable that says no is not taken for a yes. */
export function agreed({ yes }: { readonly yes: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  const written = env['ICHOR_YES'] ?? '';
  if (yes || /^(1|true|yes)$/i.test(written)) return true;
  if (/^(|0|false|no)$/i.test(written)) return false;
  throw new Problem('bad-variable', `The environment variable ICHOR_YES is "${written}".`, {
    remedy: 'Use true or false, or leave it away:\n    unset ICHOR_YES',
  });
}

/** A flag that a variable can stand in for; an empty variable is none. */
function orVariable(option: Option, name: string): Option {
  return process.env[name] === '' ? option : option.env(name);
}

function word(written: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(written)) return written;
  throw new InvalidArgumentError('Use small letters, digits and hyphens.');
}

function atLeastOne(written: string): number {
  if (/^[1-9]\d{0,8}$/.test(written)) return Number(written);
  throw new InvalidArgumentError('Use a whole number, at least 1.');
}

/** The platform that is meant, with everything that its file only refers to. */
export async function readMeant(
  options: WorkspaceOptions,
  terminal: Terminal,
): Promise<Meant & { readonly platform: Platform }> {
  const [{ chosenPlatform }, { referencesOf, sourceOf }, { reading }] = await Promise.all([
    import('../engine/platforms.ts'),
    import('../engine/talos-configs.ts'),
    readChecked(options, terminal),
  ]);
  const platform = chosenPlatform(reading.platforms, options.only);
  return {
    platform,
    source: sourceOf(reading, platform),
    resolved: await fetchReferences(referencesOf(platform)),
  };
}

/** What a program hears in the place of an answer. */
export const refusal = (problems: readonly Problem[], output: 'json' | 'jsonl', terminal: Terminal): string =>
  jsonText({ ...(output === 'jsonl' ? { kind: 'refused' } : {}), problems: problemsJson(problems) }, output, terminal);

/** Problems in the format that was asked for, wherever that was said; 1. Text is left to whoever started the command. */
export async function inFormat(output: RunFormat, terminal: Terminal, action: () => Promise<number>): Promise<number> {
  try {
    return await action();
  } catch (error) {
    const problems = error instanceof Problems ? error.problems : error instanceof Problem ? [error] : [];
    if (output === 'text' || problems.length === 0) throw error;
    terminal.out(refusal(problems, output, terminal));
    return 1;
  }
}
