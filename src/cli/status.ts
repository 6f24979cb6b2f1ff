import type { Command } from 'commander';
import type { EngineDoor } from './engine-door.ts';
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

export function status(program: Command, door: EngineDoor): void {
  const command = program
    .command('status')
    .description('show how a platform stands: machines, Talos, etcd, nodes, network, and what a run would do');
  withFormats(withWorkspace(command))
    .addHelpText(
      'after',
      `
Examples:
  ichor status -f prod.yaml
  ichor status -f prod.yaml --output json

Nothing is changed. Exits 0 when all is well, 1 when something is not. Differences from the file are
counted and do no harm to that: ichor diff shows them.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await untilInterrupted((signal) => run(options, door, signal));
    });
}

async function run(options: Options, door: EngineDoor, signal: AbortSignal): Promise<number> {
  const terminal = door.terminal();
  const { output } = options;
  return inFormat(output, terminal, async () => {
    const [{ statusOf }, meant] = await Promise.all([import('../engine/status.ts'), readMeant(options, terminal)]);
    await using tools = await door.open(meant.platform, { workspace: options.workspace });
    const found = await whileWaiting(statusOf(meant, tools, signal), 'looking', terminal, output !== 'text');
    terminal.out(
      output === 'text'
        ? (await import('./views/status-text.ts')).statusText(found, terminal)
        : jsonText((await import('./views/status-json.ts')).statusJson(found), output, terminal),
    );
    return found.well ? 0 : 1;
  });
}
