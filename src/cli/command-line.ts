import type { WorkspaceOptions } from './run-options.ts';
import { defaultFile } from './options.ts';

/** As a shell takes it. */
export const quoted = (text: string): string =>
  /^[\w./:@=,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** An option of a command line, by its long name. */
type Given = { readonly flag: string; readonly words: readonly string[] };

/** What says which platform is meant. What --set was given may be secret, and is not repeated. */
function givenIn({ file = [], varFile = [], set = [], only, workspace }: Partial<WorkspaceOptions>): readonly Given[] {
  const all = (flag: string, typed: string, values: readonly string[]): Given => ({
    flag,
    words: values.flatMap((value) => [typed, quoted(value)]),
  });
  return [
    all('--file', '-f', file.length === 1 && file[0] === defaultFile ? [] : file),
    all('--var-file', '--var-file', varFile),
    all(
      '--set',
      '--set',
      set.map((each) => `${each.split('=')[0]}=…`),
    ),
    all('--only', '--only', only === undefined ? [] : [only]),
    all('--workspace', '--workspace', workspace === undefined || workspace === 'default' ? [] : [workspace]),
  ];
}

/** A command about the same platform, to be pasted into a shell. */
export const commandLine = (command: string, options: WorkspaceOptions, more: readonly string[] = []): string =>
  ['ichor', command, ...givenIn(options).flatMap(({ words }) => words), ...more.map(quoted)].join(' ');

/** Long names of the options that a command takes; undefined: there is no such command. */
export type FlagsOf = (command: string) => readonly string[] | undefined;

/** A remedy whose commands, on lines of their own, are about the platform that the command was about which was typed. */
export const aboutTheSame = (remedy: string, typed: Partial<WorkspaceOptions>, flagsOf: FlagsOf): string =>
  remedy
    .split('\n')
    .map((line) => (line.startsWith('    ') ? typedAgain(line, typed, flagsOf) : line))
    .map((line) => inWorkspace(line, typed))
    .join('\n');

const typedAgain = (line: string, typed: Partial<WorkspaceOptions>, flagsOf: FlagsOf): string =>
  line
    .replaceAll(/(?<=^\s*|&& )ichor [^&|>]*/g, (command) => withGiven(command, typed, flagsOf))
    // Without it kubectl would be about whatever cluster was meant last.
    .replace(/^ +kubectl (?!config |.*--kubeconfig)/, (kubectl) =>
      typed.workspace === undefined ? kubectl : `${kubectl}--kubeconfig talos/kubeconfig `,
    );

/** Files of the usual workspace are in talos/, of any other in a folder with its name. */
const inWorkspace = (line: string, { workspace = 'default' }: Partial<WorkspaceOptions>): string =>
  workspace === 'default' ? line : line.replaceAll(/(?<![^\s'"(=])talos\//g, `talos-${workspace}/`);

function withGiven(command: string, typed: Partial<WorkspaceOptions>, flagsOf: FlagsOf): string {
  const [ichor = '', name = '', ...rest] = command.split(' ');
  const isSaid = (flag: string): boolean => rest.includes(flag) || (flag === '--file' && rest.includes('-f'));
  if (name === 'talos') {
    const { workspace = 'default' } = typed;
    if (workspace === 'default' || isSaid('--talosconfig') || rest[0] === 'gen' || rest[0] === 'explain')
      return command;
    return `${command.trimEnd()} --talosconfig talos-${workspace}/talosconfig${/\s*$/.exec(command)?.[0] ?? ''}`;
  }
  const takes = flagsOf(name) ?? [];
  const more = givenIn(typed).flatMap(({ flag, words }) => (takes.includes(flag) && !isSaid(flag) ? words : []));
  return [ichor, name, ...more, ...rest].join(' ');
}
