import { realpath } from 'node:fs/promises';
import type { Command } from 'commander';
import { Problem } from '../model/problem.ts';
import { commandLine } from './command-line.ts';
import { makeFolderOf, writeWhole } from './files.ts';
import {
  inFormat,
  readMeant,
  withFormats,
  withWorkspace,
  type RunFormat,
  type WorkspaceOptions,
} from './run-options.ts';
import type { StoreDoor } from './store-door.ts';
import { textIfThere } from './talos-target.ts';
import { jsonText } from './views/json.ts';

type Options = WorkspaceOptions & {
  readonly merge: boolean;
  readonly out?: string;
  readonly output: RunFormat;
};

type Present = { readonly text: string; readonly file: string };
type Put = { readonly text: string; readonly context: string; readonly changed: boolean };

/** A file that says who an administrator is, and how it is put into one that has others. */
export type AccessFile = {
  readonly name: 'kubeconfig' | 'talosconfig';
  /** Where --merge puts it. */
  readonly usual: () => string;
  readonly usualWords: string;
  readonly put: (present: Present | undefined, added: string) => Promise<Put>;
};

/** Prints it, or puts it beside others. It comes from the secrets alone: no machine is asked, and nothing of ours is written. */
export function accessFile(program: Command, door: StoreDoor, { name, usual, usualWords, put }: AccessFile): void {
  const command = program
    .command(name)
    .description(`print the platform’s ${name}, or merge it into yours; no machine is asked`);
  withFormats(withWorkspace(command))
    .option('--merge', `add it to ${usualWords} and make it the current one; everything else stays`, false)
    .option('--out <file>', 'the same with this file')
    .addHelpText(
      'after',
      `
Examples:
  ichor ${name} -f platform.yaml > ${name}
  ichor ${name} -f platform.yaml --merge
  ichor ${name} -f platform.yaml --out ~/${name}

It is made from the platform’s secrets; one that is there and good for long stays as it is. Whoever has it is an
administrator: files are written for their owner only (mode 0600).`,
    )
    .action(async (options: Options) => {
      const terminal = door.terminal();
      const { output } = options;
      process.exitCode = await inFormat(output, terminal, async () => {
        const text = await issued(name, options, door);
        const into = options.out ?? (options.merge ? usual() : undefined);
        if (into === undefined || into === '-') {
          terminal.out(
            output === 'text'
              ? text
              : jsonText((await import('../engine/artifacts.ts')).artifactFields(text), output, terminal),
          );
          return 0;
        }
        const { context, changed } = await merged(into, text, put);
        const said = changed
          ? `${terminal.paint('green', 'written')}: ${into}, where context ${context} is the current one now\n`
          : `Nothing to change: context ${context} in ${into} is good.\n`;
        terminal.out(output === 'text' ? said : jsonText({ file: into, context, changed }, output, terminal));
        return 0;
      });
    });
}

async function merged(into: string, text: string, put: AccessFile['put']): Promise<Omit<Put, 'text'>> {
  const there = await textIfThere(into);
  const {
    text: next,
    context,
    changed,
  } = await put(there === undefined ? undefined : { text: there, file: into }, text);
  if (changed) {
    // A link to a file that somebody keeps elsewhere stays one.
    const real = await realpath(into).catch(() => into);
    await makeFolderOf(real);
    await writeWhole(real, next, 0o600);
  }
  return { context, changed };
}

async function issued(name: AccessFile['name'], options: Options, door: StoreDoor): Promise<string> {
  const [{ materialOf }, making, store, meant] = await Promise.all([
    import('../engine/material.ts'),
    door.system(),
    door.store(options),
    readMeant(options, door.terminal()),
  ]);
  // A workspace of another platform has other secrets.
  await store.memory(meant.platform.name);
  if ((await store.secrets()) === undefined)
    throw new Problem(
      'no-secrets',
      `There are no secrets in ${store.where}: this platform was never built from here.`,
      {
        remedy: `Go to the folder that it was built in, name its --workspace, or build it:\n    ${commandLine('up', options)}`,
      },
    );
  return materialOf(meant, store, making).artifact(name, new Map());
}
