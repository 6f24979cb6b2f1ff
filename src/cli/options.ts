import { access } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Reading } from '../engine.ts';
import type { Inventory } from '../model/host.ts';
import { isError, Problem, Problems } from '../model/problem.ts';
import { readSources, type FileSource } from './files.ts';
import type { Terminal } from './terminal.ts';

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export type InputOptions = {
  readonly file?: readonly string[];
  readonly varFile?: readonly string[];
  readonly set?: readonly string[];
};

type InputSources = {
  readonly sources: readonly FileSource[];
  readonly varFiles: readonly FileSource[];
  readonly settings: readonly string[];
};

export const defaultFile = 'platform.yaml';

/** The options of every command that reads a platform file. */
export const withInput = (command: Command): Command =>
  command
    .option(
      '-f, --file <path>',
      `file, folder, or - for standard input; repeat it to lay files over each other (default: ${defaultFile}, env: ICHOR_FILE)`,
      collect,
    )
    .option(
      '--var-file <path>',
      'file of values: a piece of spec that is laid over the file (env: ICHOR_VAR_FILE)',
      collect,
    )
    .option('--set <path=value>', 'one value, for example cluster.workers.general.replicas=5', collect);

export const withOutput = (command: Command, formats: readonly string[], described: string): Command =>
  command.addOption(formatOption(formats, described).default(formats[0]));

export const formatOption = (formats: readonly string[], described: string): Option =>
  new Option('-o, --output <format>', described).argParser(oneOfThese(formats));

/** A whole number. */
export const countOption = (flags: string, described: string): Option =>
  new Option(flags, described).argParser((written: string): number => {
    if (/^\d{1,9}$/.test(written)) return Number(written);
    throw new InvalidArgumentError('Use a whole number.');
  });

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as 10m, 1h30m or 45s; the value is milliseconds. */
export const durationOption = (flags: string, described: string, standard: string, example = '10m or 1h30m'): Option =>
  new Option(flags, `${described}, such as ${example}`)
    .argParser(milliseconds)
    .default(milliseconds(standard), standard);

function milliseconds(written: string): number {
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(written))
    throw new InvalidArgumentError('Use a duration such as 45s, 10m or 1h30m.');
  return [...written.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)].reduce(
    (total, [, count, unit]) => total + Number(count) * (units[unit ?? ''] ?? 0),
    0,
  );
}

/** The choices are there for whoever completes what is being typed. */
const oneOfThese = (formats: readonly string[]) =>
  Object.assign(
    (value: string): string => {
      if (formats.includes(value)) return value;
      throw new InvalidArgumentError(`Use ${formats.join(', ')}.`);
    },
    { choices: formats },
  );

export async function readInput({ file = [], varFile = [], set = [] }: InputOptions): Promise<InputSources> {
  const paths = file.length > 0 ? file : [await fileByDefault()];
  const values = process.env['ICHOR_VAR_FILE'] ?? '';
  const valueFiles = varFile.length > 0 || values === '' ? varFile : [values];
  const [sources, varFiles] = await Promise.all([readSources(paths), readSources(valueFiles)]);
  return { sources, varFiles, settings: set };
}

async function fileByDefault(): Promise<string> {
  const named = process.env['ICHOR_FILE'];
  if (named !== undefined && named !== '') return named;
  try {
    await access(defaultFile);
    return defaultFile;
  } catch {
    throw new Problem('no-file', `No file was given, and there is no ${defaultFile} here.`, {
      remedy: `Name one with -f, or write one:\n    ichor init`,
    });
  }
}

/** For commands that act on a file: what is wrong ends the command, what is doubtful is said and passed over. */
export async function readChecked(
  options: InputOptions & { readonly hosts?: string },
  terminal: Terminal,
): Promise<{ readonly reading: Reading; readonly measured: Inventory | undefined }> {
  const { hosts } = options;
  const [{ check, measure }, input] = await Promise.all([import('../engine.ts'), readInput(options)]);
  const reading = check(input);
  const [source] = hosts === undefined ? [] : await readSources([hosts]);
  const measured = source && measure(source);
  const problems = [...reading.problems, ...(measured?.problems ?? [])];
  const texts = new Map([...reading.texts, ...(measured?.texts ?? [])]);
  if (problems.some(isError)) throw new Problems(problems, texts);
  if (problems.length > 0) {
    const { problemText } = await import('./problems.ts');
    for (const problem of problems) terminal.err(`${problemText(problem, texts, terminal)}\n`);
  }
  return { reading, measured: measured?.inventory };
}
