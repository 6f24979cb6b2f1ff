import { setTimeout } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import type { TalosTwin } from '../lab/talos/twin.ts';
import { Problem } from '../model/problem.ts';
import { mustNotExist, writeWhole } from './files.ts';
import { countOption, withOutput } from './options.ts';
import type { Terminal } from './terminal.ts';

type Options = {
  readonly nodes: number;
  readonly first: string;
  readonly talos: string;
  readonly boot: 'disk' | 'iso';
  readonly speed: number;
  readonly file?: string;
  readonly force: boolean;
  readonly output: 'text' | 'json';
};

export function labTalos(lab: Command, terminal: () => Terminal): void {
  const command = lab
    .command('talos')
    .description('start Talos nodes that are not there: twins on loopback that speak the real protocol, until Ctrl-C');
  withOutput(command, ['text', 'json'], 'text or json')
    .addOption(countOption('--nodes <number>', 'how many').default(3))
    .option('--first <address>', 'loopback address of the first; the others follow it', '127.0.64.11')
    .option('--talos <version>', 'Talos that they run', 'v1.13.9')
    .addOption(
      new Option('--boot <from>', 'disk: Talos is on the disk; iso: it is installed first')
        .choices(['disk', 'iso'])
        .default('disk'),
    )
    .addOption(countOption('--speed <times>', 'how many times faster than the wall clock').default(1))
    .option('--file <path>', 'write a platform file for these nodes')
    .option('--force', 'write it over a file that is already there', false)
    .addHelpText(
      'after',
      `
Examples:
  ichor lab talos
  ichor lab talos --nodes 4 --file lab.yaml --speed 10

Then, in another terminal:
  ichor talos gen -f lab.yaml --out lab
  ichor talos apply -f lab.yaml --from lab --insecure
  ichor talos bootstrap --talosconfig lab/talosconfig -n 127.0.64.11
  ichor talos health --talosconfig lab/talosconfig
  talosctl --talosconfig lab/talosconfig -n 127.0.64.11 get members`,
    )
    .action(async (options: Options) => {
      await run(options, terminal());
    });
}

async function run(options: Options, terminal: Terminal): Promise<void> {
  const addresses = following(options.first, options.nodes);
  if (options.file !== undefined && !options.force) await mustNotExist(options.file, '--file');
  const [{ startTalosLab }, { wallClock }, { kubernetesForTalos }] = await Promise.all([
    import('../lab/talos/lab.ts'),
    import('../lab/clock.ts'),
    import('../lab/kubernetes/for-talos.ts'),
  ]);
  const ended = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  const clock = wallClock(Math.max(options.speed, 1));
  await using lab = await startTalosLab({ clock, kubernetes: kubernetesForTalos({ clock }) });
  for (const address of addresses)
    await started(() => lab.add({ address, version: options.talos, boot: options.boot }));
  if (options.file !== undefined) await writeWhole(options.file, platformText(addresses, options.talos));
  await Promise.race([ended, booted([...lab.twins.values()])]);
  terminal.out(options.output === 'json' ? json([...lab.twins.values()]) : text(addresses, options, terminal));
  await ended;
  terminal.err('The nodes are gone.\n');
}

/** Talos answers when it has booted, and not before. */
async function booted(twins: readonly TalosTwin[]): Promise<void> {
  while (twins.some((twin) => twin.fingerprint() === undefined)) await setTimeout(50);
}

/** A place that cannot be listened at says what to type. */
async function started(add: () => Promise<TalosTwin>): Promise<void> {
  try {
    await add();
  } catch (cause) {
    throw new Problem('lab-cannot-listen', cause instanceof Error ? cause.message : String(cause), {
      cause,
      remedy: 'Choose other addresses with --first, such as 127.0.65.11.',
    });
  }
}

function following(first: string, count: number): readonly string[] {
  const [, network = '', last = ''] = /^(127\.\d{1,3}\.\d{1,3})\.(\d{1,3})$/.exec(first) ?? [];
  const start = Number(last);
  if (network === '' || start < 1 || count < 1 || start + count > 255)
    throw new Problem('bad-options', `There are no ${count} loopback addresses from ${first} on.`, {
      remedy: 'Use a first address of 127.0.0.0/8 whose last number leaves room, such as 127.0.64.11.',
    });
  return Array.from({ length: count }, (_, index) => `${network}.${start + index}`);
}

const json = (twins: readonly TalosTwin[]): string =>
  `${JSON.stringify(
    { nodes: twins.map((twin) => ({ address: twin.address, version: twin.version(), stage: twin.stage() })) },
    null,
    2,
  )}\n`;

function text(addresses: readonly string[], { talos, file }: Options, { paint }: Terminal): string {
  const [first = '', last = ''] = [addresses[0], addresses.at(-1)];
  const where = addresses.length === 1 ? first : `${first} to ${last}`;
  const next =
    file === undefined
      ? `    talosctl -n ${first} get disks --insecure`
      : [
          `    ichor talos gen -f ${file} --out lab`,
          `    ichor talos apply -f ${file} --from lab --insecure`,
          `    ichor talos bootstrap --talosconfig lab/talosconfig -n ${first}`,
          '    ichor talos health --talosconfig lab/talosconfig',
        ].join('\n');
  const nodes = addresses.length === 1 ? 'node' : 'nodes';
  return `${addresses.length} ${nodes} with Talos ${talos} in maintenance mode: ${paint('bold', where)}, port 50000.\n\nIn another terminal:\n${next}\n\nCtrl-C ends them.\n`;
}

/** Three control planes where there are at least three nodes; the others work. */
function platformText(addresses: readonly string[], talos: string): string {
  const controlPlanes = addresses.length >= 3 ? 3 : 1;
  const workers = addresses.length - controlPlanes;
  const machine = (address: string, index: number): string =>
    `        ${index < controlPlanes ? `cp-${index}` : `worker-${index - controlPlanes}`}: { address: ${address} }\n`;
  return `# Nodes of ichor lab talos.
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: lab }
spec:
  machines:
    existing:
      machines:
${addresses.map(machine).join('')}  cluster:
    talos: { version: ${talos} }
    controlPlane: { replicas: ${controlPlanes} }
${workers === 0 ? '' : `    workers: { worker: { replicas: ${workers} } }\n`}    cni: { flannel: {} }
`;
}
