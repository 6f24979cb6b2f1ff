import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { writeWhole } from './files.ts';
import { withOutput } from './options.ts';
import { untilInterrupted, type TalosDoor } from './talos-door.ts';
import { readPlatform, withPlatform, type PlatformOptions } from './talos-platform.ts';
import { nodesOf, textIfThere, withTarget, type TargetOptions } from './talos-target.ts';

type Options = TargetOptions &
  PlatformOptions & { readonly out?: string; readonly offline: boolean; readonly output: 'text' | 'json' };

export function talosKubeconfig(talos: Command, door: TalosDoor): void {
  const command = talos
    .command('kubeconfig')
    .description('get an administrator’s kubeconfig, from a control plane or from the secrets');
  withOutput(withPlatform(withTarget(command)), ['text', 'json'], 'text or json')
    .option('--offline', 'issue it from the secrets of the platform; no node is asked (also with -f)', false)
    .option('--out <file>', 'file to put it into, or - for standard output (default: KUBECONFIG, or ~/.kube/config)')
    .addHelpText(
      'after',
      `
Examples:
  ichor talos kubeconfig -n 10.10.0.11
  ichor talos kubeconfig -f platform.yaml --out kubeconfig
  ichor talos kubeconfig --offline --from talos --out kubeconfig

Other clusters in the file stay, and the new context becomes the current one. The file is for its owner only (mode 0600).`,
    )
    .action(async (options: Options) => {
      await untilInterrupted((signal) => run(options, door, signal));
    });
}

async function run(options: Options, door: TalosDoor, signal: AbortSignal): Promise<void> {
  const terminal = door.terminal();
  const added = await fetched(options, door, signal);
  if (options.out === '-') {
    terminal.out(added);
    return;
  }
  const path = options.out ?? usualPath();
  const [{ placeKubeconfig }, { clock }, text] = await Promise.all([
    import('../engine/talos-kubeconfig.ts'),
    door.tools.system(),
    textIfThere(path),
  ]);
  const placed = placeKubeconfig(text === undefined ? undefined : { text, file: path }, added, clock);
  if (placed.changed) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeWhole(path, placed.text, 0o600);
  }
  if (options.output === 'json')
    terminal.out(`${JSON.stringify({ file: path, context: placed.context, changed: placed.changed }, null, 2)}\n`);
  else
    terminal.out(
      placed.changed
        ? `${terminal.paint('green', 'written')}: ${path}, context ${placed.context}\n`
        : `Nothing to change: context ${placed.context} in ${path} is good.\n`,
    );
}

async function fetched(options: Options, door: TalosDoor, signal: AbortSignal): Promise<string> {
  if (options.offline || options.file !== undefined) {
    const [{ issueKubeconfig }, making, given] = await Promise.all([
      import('../engine/talos-kubeconfig.ts'),
      door.tools.system(),
      readPlatform(options, door.terminal()),
    ]);
    return issueKubeconfig(given, making);
  }
  const [{ askNodes }, { open }, nodes] = await Promise.all([
    import('../engine/talos-nodes.ts'),
    door.tools.client(),
    nodesOf(options, door, 'first'),
  ]);
  const [answer] = await askNodes(nodes.slice(0, 1), open, (node, stop) => node.kubeconfig(stop), signal);
  if (answer?.answer !== undefined) return answer.answer;
  throw answer?.problem ?? new Error('No node was asked.');
}

function usualPath(): string {
  const [first] = (process.env['KUBECONFIG'] ?? '').split(delimiter);
  return first === undefined || first === '' ? join(homedir(), '.kube', 'config') : first;
}
