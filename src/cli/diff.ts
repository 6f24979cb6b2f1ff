import type { Command } from 'commander';
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
import { jsonText } from './views/json.ts';
import { whileWaiting } from './views/progress.ts';

type Options = WorkspaceOptions & { readonly output: RunFormat };

export function diff(program: Command, door: RunDoor): void {
  const command = program
    .command('diff')
    .description('show what is other than the file says: ours to correct, theirs to keep, dangerous to touch');
  withFormats(withWorkspace(command))
    .addHelpText(
      'after',
      `
Examples:
  ichor diff -f prod.yaml
  ichor diff -f prod.yaml --output json > drift.json

Nothing is changed. Exits 0 when there is no difference, 2 when there are some, 1 when it could not be
looked at, or not at everything.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await untilInterrupted((signal) => run(options, door, signal));
    });
}

async function run(options: Options, door: RunDoor, signal: AbortSignal): Promise<number> {
  const terminal = door.terminal();
  const { output } = options;
  return inFormat(output, terminal, async () => {
    const [{ differencesIn }, { preview }, meant] = await Promise.all([
      import('../engine/drift.ts'),
      door.engine(),
      readMeant(options, terminal),
    ]);
    await using tools = await door.open(meant.platform, { workspace: options.workspace });
    const looking = preview(meant, { intent: 'converge' }, tools, signal);
    const found = differencesIn((await whileWaiting(looking, 'looking', terminal, output !== 'text')).plan);
    terminal.out(
      output === 'text'
        ? (await import('./views/diff-text.ts')).diffText(found, terminal)
        : jsonText((await import('./views/diff-json.ts')).diffJson(found), output, terminal),
    );
    return found.any ? 2 : found.doubts.length > 0 ? 1 : 0;
  });
}
