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
      `file, folder, or - for standard input; repeat it to lay files over each other (default: ${defaultFile})`,
      collect,
    )
    .option('--var-file <path>', 'file of values: a piece of spec that is laid over the file', collect)
    .option('--set <path=value>', 'one value, for example cluster.workers.general.replicas=5', collect);

export const withOutput = (command: Command, formats: readonly string[], described: string): Command =>
  command.addOption(formatOption(formats, described).default(formats[0]));

export const formatOption = (formats: readonly string[], described: string): Option =>
  new Option('-o, --output <format>', described).argParser(oneOfThese(formats));

const oneOfThese =
  (formats: readonly string[]) =>
  (value: string): string => {
    if (formats.includes(value)) return value;
    throw new InvalidArgumentError(`Use ${formats.join(', ')}.`);
  };

export async function readInput({ file = [], varFile = [], set = [] }: InputOptions): Promise<InputSources> {
  const paths = file.length > 0 ? file : [await fileByDefault()];
  const [sources, varFiles] = await Promise.all([readSources(paths), readSources(varFile)]);
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
