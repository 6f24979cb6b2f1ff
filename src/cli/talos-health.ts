import type { Command } from 'commander';
import type { HealthCheck } from '../clients/talos.ts';
import { durationOption, withOutput } from './options.ts';
import { untilInterrupted, type TalosDoor } from './talos-door.ts';
import { endpointsOf, listOption, withTarget, type TargetOptions } from './talos-target.ts';
import type { Terminal } from './terminal.ts';

type Options = TargetOptions & {
  readonly controlPlaneNodes?: readonly string[];
  readonly workerNodes?: readonly string[];
  readonly timeout: number;
  readonly output: 'text' | 'json';
};

export function talosHealth(talos: Command, door: TalosDoor): void {
  const command = talos
    .command('health')
    .description('check the cluster, each check by its name, and wait until all hold');
  withOutput(withTarget(command), ['text', 'json'], 'text or json (one check per line)')
    .addOption(listOption('--control-plane-nodes <list>', 'the control planes (default: as the nodes know each other)'))
    .addOption(listOption('--worker-nodes <list>', 'the workers'))
    .addOption(durationOption('--timeout <duration>', 'for all checks together', '20m'))
    .addHelpText(
      'after',
      `
Examples:
  ichor talos health
  ichor talos health --control-plane-nodes 10.10.0.11 --worker-nodes 10.10.0.21 --timeout 5m

Exits 0 when every check holds, 1 when one does not in time. What only Kubernetes can tell is asked
of a control plane.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await untilInterrupted((signal) => run(options, door, signal));
    });
}

async function run(options: Options, door: TalosDoor, signal: AbortSignal): Promise<number> {
  const terminal = door.terminal();
  const [endpoints, { findMembers, OpenedCluster }, { open, checkHealth }] = await Promise.all([
    endpointsOf(options, door),
    import('../engine/talos-cluster.ts'),
    door.tools.client(),
  ]);
  const said = { controlPlanes: options.controlPlaneNodes ?? [], workers: options.workerNodes ?? [] };
  const members = await findMembers(endpoints, said, open, signal);
  const [first] = endpoints;
  if (first === undefined) throw new Error('A context has endpoints.');
  await using cluster = new OpenedCluster(members, first.target.access, open, first.target.port);
  return await show(checkHealth(cluster.nodes, { deadlineMs: options.timeout }, signal), options.output, terminal);
}

async function show(checks: AsyncIterable<HealthCheck>, output: 'text' | 'json', terminal: Terminal): Promise<number> {
  const { progress, ticking } = await import('./views/progress.ts');
  const shown = progress(terminal, output === 'json');
  let waiting = ticking(shown, '');
  let failed = false;
  try {
    for await (const check of checks) {
      failed ||= check.state === 'failed';
      if (output === 'json') terminal.out(`${JSON.stringify(check)}\n`);
      else if (check.state === 'waiting') {
        waiting.stop();
        waiting = ticking(shown, `waiting for ${check.name}${check.detail === '' ? '' : `: ${check.detail}`}`);
      } else {
        waiting.stop();
        shown.end();
        terminal.out(`${line(check, terminal)}\n`);
      }
    }
  } finally {
    waiting.stop();
    shown.end();
  }
  return failed ? 1 : 0;
}

function line({ name, state, detail }: HealthCheck, { paint }: Terminal): string {
  switch (state) {
    case 'ok':
      return `${paint('green', 'ok')}       ${name}`;
    case 'skipped':
      return `${paint('yellow', 'skipped')}  ${name}: ${detail}`;
    case 'failed':
    case 'waiting':
      return `${paint('red', 'failed')}   ${name}: ${detail}`;
  }
}
