import { Option, type Command } from 'commander';
import type { ApplyMode } from '../clients/talos.ts';
import type { AppliedConfig, ConfigFor } from '../engine/talos-apply.ts';
import type { NamedNode } from '../engine/talos-nodes.ts';
import { Problem } from '../model/problem.ts';
import { durationOption, withOutput } from './options.ts';
import { answersJson, failedNodes, untilInterrupted, type TalosDoor } from './talos-door.ts';
import { readPlatform, withPlatform, type PlatformOptions } from './talos-platform.ts';
import { nodesOf, readText, withTarget, type TargetOptions } from './talos-target.ts';
import { changeLines } from './views/talos-changes.ts';

type Options = TargetOptions &
  PlatformOptions & {
    readonly config?: string;
    readonly mode: ApplyMode;
    readonly dryRun: boolean;
    readonly insecure: boolean;
    readonly fingerprint?: string;
    readonly tryTimeout: number;
    readonly output: 'text' | 'json';
  };

export function talosApply(talos: Command, door: TalosDoor): void {
  const command = talos
    .command('apply')
    .description('give machines their configuration: from the platform file by name, or from a file')
    .argument('[machines...]', 'machines of the platform (default: all of them)');
  withOutput(withPlatform(withTarget(command)), ['text', 'json'], 'text or json')
    .option('--config <file>', 'this configuration, instead of the platform’s; needs -n')
    .addOption(
      new Option(
        '--mode <mode>',
        'auto reboots where it must; no-reboot refuses then; staged waits for the next reboot; try goes back by itself',
      )
        .choices(['auto', 'no-reboot', 'reboot', 'staged', 'try'])
        .default('auto'),
    )
    .addOption(durationOption('--try-timeout <duration>', 'when try goes back', '1m'))
    .option('--dry-run', 'change nothing: say what would, without anything secret', false)
    .option('--insecure', 'the machines are in maintenance mode, and nobody can prove who they are', false)
    .option('--fingerprint <text>', 'what the console of the one machine in maintenance mode shows')
    .addHelpText(
      'after',
      `
Examples:
  ichor talos apply -f platform.yaml --insecure
  ichor talos apply -f platform.yaml cp-0 --insecure --fingerprint 'X8q…='
  ichor talos apply -f platform.yaml --dry-run
  ichor talos apply --config talos/nodes/prod-cp-0.yaml -n 10.10.0.11 --mode no-reboot

Machines of the platform are found by the address that the file fixes for them; -n names the address of one that has none.`,
    )
    .action(async (machines: readonly string[], options: Options) => {
      process.exitCode = await untilInterrupted((signal) => run(machines, options, door, signal));
    });
}

async function run(
  machines: readonly string[],
  options: Options,
  door: TalosDoor,
  signal: AbortSignal,
): Promise<number> {
  const terminal = door.terminal();
  if (options.fingerprint !== undefined && !options.insecure)
    throw new Problem('bad-options', '--fingerprint is about a machine in maintenance mode.', {
      remedy: 'Add --insecure, or leave it out.',
    });
  const [{ applyConfigs }, { open }, configs] = await Promise.all([
    import('../engine/talos-apply.ts'),
    door.tools.client(),
    configsFor(machines, options, door),
  ]);
  if (options.fingerprint !== undefined && configs.length !== 1)
    throw new Problem('bad-options', 'A fingerprint belongs to one machine.', { remedy: 'Name the machine.' });
  const answers = await applyConfigs(
    configs,
    open,
    {
      mode: options.mode,
      dryRun: options.dryRun,
      ...(options.mode === 'try' ? { tryTimeoutMs: options.tryTimeout } : {}),
    },
    signal,
  );
  if (options.output === 'json') {
    terminal.out(answersJson(answers, (applied) => applied));
    return answers.every(({ problem }) => problem === undefined) ? 0 : 1;
  }
  for (const { node, answer } of answers) if (answer) terminal.out(text(node, answer, options.dryRun, terminal.paint));
  return failedNodes(answers, terminal);
}

async function configsFor(
  machines: readonly string[],
  options: Options,
  door: TalosDoor,
): Promise<readonly ConfigFor[]> {
  if (options.config !== undefined) {
    const [config, nodes] = await Promise.all([
      readText(options.config, 'configuration'),
      targets(options.nodes ?? [], options, door),
    ]);
    if (nodes.length === 0)
      throw new Problem('no-node', 'Nobody said where this configuration goes.', {
        remedy: 'Name the node: -n 10.10.0.11',
      });
    return nodes.map((node) => ({ node, config }));
  }
  const [{ platformConfigs }, given] = await Promise.all([
    import('../engine/talos-apply.ts'),
    readPlatform(options, door.terminal()),
  ]);
  const wanted = platformConfigs(given, machines, options.nodes ?? []);
  const nodes = await targets(
    wanted.map(({ address }) => address),
    options,
    door,
  );
  return wanted.flatMap(({ machine, config }, index) => {
    const node = nodes[index];
    return node === undefined ? [] : [{ node: { ...node, name: machine }, config }];
  });
}

async function targets(addresses: readonly string[], options: Options, door: TalosDoor): Promise<readonly NamedNode[]> {
  if (!options.insecure) return addresses.length === 0 ? [] : nodesOf({ ...options, nodes: addresses }, door);
  const { unconfiguredNodes } = await import('../engine/talos-access.ts');
  return unconfiguredNodes(addresses, options.fingerprint);
}

function text(
  node: string,
  { mode, details, warnings, changes }: AppliedConfig,
  dryRun: boolean,
  paint: (style: 'green' | 'yellow', text: string) => string,
): string {
  const head = dryRun ? `would apply (${mode})` : `applied (${mode})`;
  return [
    `${node}: ${paint('green', head)}${details === '' ? '' : `: ${details.trim().split('\n').join(`\n${node}: `)}`}`,
    ...warnings.map((warning) => `${node}: ${paint('yellow', 'warning')}: ${warning}`),
    ...changeLines(changes ?? []).map((change) => `${node}:   ${change}`),
    '',
  ].join('\n');
}
