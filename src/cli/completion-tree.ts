import type { Argument, Command, Option } from 'commander';

/** What may stand at a place: words, names of files or of folders; undefined: anything. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'file' | 'folder' };

export type CompletedOption = {
  readonly flags: readonly string[];
  readonly described: string;
  /** Whether a value follows. */
  readonly takes: boolean;
  readonly values: Values | undefined;
};

/** A command as shells must know it. */
export type CompletedCommand = {
  /** `ichor talos gen`. */
  readonly path: string;
  readonly described: string;
  readonly options: readonly CompletedOption[];
  readonly below: readonly { readonly names: readonly string[]; readonly path: string; readonly described: string }[];
  /** Of its first argument. */
  readonly values: Values | undefined;
};

/** A command and everything below it, in the order in which help shows it. */
export function commandsOf(command: Command, before = ''): readonly CompletedCommand[] {
  const path = `${before}${command.name()}`;
  const help = command.createHelp();
  const below = command.commands.filter((each) => help.visibleCommands(command).includes(each));
  const own: CompletedCommand = {
    path,
    described: command.description(),
    options: help.visibleOptions(command).map(optionOf),
    below: below.map((each) => ({
      names: [each.name(), ...each.aliases()],
      path: `${path} ${each.name()}`,
      described: each.description(),
    })),
    values: argumentOf(command.registeredArguments[0]),
  };
  return [own, ...below.flatMap((each) => commandsOf(each, `${path} `))];
}

function optionOf(option: Option): CompletedOption {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined);
  return { flags, described: option.description, takes: option.required || option.optional, values: valuesOf(option) };
}

function valuesOf({ argChoices, parseArg, flags }: Option): Values | undefined {
  const choices = argChoices ?? (parseArg as { readonly choices?: readonly string[] } | undefined)?.choices;
  return choices === undefined ? kindOf(/[<[]([^>\]]+)[>\]]/.exec(flags)?.[1]) : { kind: 'words', words: choices };
}

const argumentOf = (argument: Argument | undefined): Values | undefined =>
  argument?.argChoices === undefined ? kindOf(argument?.name()) : { kind: 'words', words: argument.argChoices };

/** The names that values have in help. */
function kindOf(name: string | undefined): Values | undefined {
  if (name === 'file' || name === 'path' || name === 'files') return { kind: 'file' };
  return name === 'folder' || name === 'dir' ? { kind: 'folder' } : undefined;
}
