import { stat } from 'node:fs/promises';
import { join } from 'node:path';
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

export function verify(program: Command, door: EngineDoor): void {
  const command = program
    .command('verify')
    .description(
      'run the checks that you would run: nodes, etcd, pods, endpoint, network, certificates, clocks, files',
    );
  withFormats(withWorkspace(command))
    .addHelpText(
      'after',
      `
Examples:
  ichor verify -f prod.yaml
  ichor verify -f prod.yaml --output json

Nothing is changed. Exits 0 when every check holds, 1 when one does not; each says what to type. A
certificate that ends within 30 days is a warning, and no failure.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await untilInterrupted((signal) => run(options, door, signal));
    });
}

async function run(options: Options, door: EngineDoor, signal: AbortSignal): Promise<number> {
  const terminal = door.terminal();
  const { output } = options;
  return inFormat(output, terminal, async () => {
    const [engine, meant] = await Promise.all([import('../engine/verify.ts'), readMeant(options, terminal)]);
    await using tools = await door.open(meant.platform, { workspace: options.workspace });
    const checking = engine.verify(meant, { ...tools, modeOf: modeIn(tools.store.where) }, signal);
    const found = await whileWaiting(checking, 'checking', terminal, output !== 'text');
    terminal.out(
      output === 'text'
        ? (await import('./views/verify-text.ts')).verificationText(found, terminal)
        : jsonText(found, output, terminal),
    );
    return found.failed > 0 ? 1 : 0;
  });
}

/** Undefined where it is no file of this machine. */
const modeIn =
  (folder: string) =>
  (path: string): Promise<number | undefined> =>
    stat(join(folder, path)).then(
      ({ mode }) => mode,
      () => undefined,
    );
