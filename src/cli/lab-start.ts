import { join } from 'node:path';
import { Option, type Command } from 'commander';
import type { HurriedClock } from '../lab/clock.ts';
import type { Lab } from '../lab/lab.ts';
import { Problem } from '../model/problem.ts';
import { thisProcess } from '../state/process.ts';
import { writeWhole } from './files.ts';
import { bringUpCluster } from './lab-cluster.ts';
import { serveControl } from './lab-control.ts';
import { isDetachedChild, startDetached, tellParent, tellProblem } from './lab-detached.ts';
import {
  claimLab,
  controlOf,
  folderGone,
  folderOf,
  labFiles,
  removeLab,
  updateLab,
  type LabEntry,
} from './lab-folder.ts';
import { chooseNetwork, wantedNetworks, type ChosenNetwork } from './lab-network.ts';
import { platformText, type LabCni } from './lab-platform.ts';
import { openRealGuests, realPlatform } from './lab-real.ts';
import { readReservations } from './lab-reservations.ts';
import { countOption, durationOption } from './options.ts';
import type { LabDoor } from './lab.ts';
import { withFormats, type RunFormat } from './run-options.ts';
import type { Terminal } from './terminal.ts';
import { jsonText } from './views/json.ts';
import { startedText, type Started } from './views/lab-started.ts';

export type StartOptions = {
  readonly hosts: number;
  readonly speed: number;
  readonly latency: number;
  readonly name: string;
  readonly pve: '8.4' | '9.2';
  readonly network?: string;
  readonly mapped: boolean;
  readonly cluster: boolean;
  readonly guests: 'twin' | 'real';
  readonly cni?: LabCni;
  readonly dir?: string;
  readonly reservations?: string;
  readonly detach: boolean;
  readonly output: RunFormat;
};

export function labStart(lab: Command, door: LabDoor): void {
  const { terminal } = door;
  const command = lab
    .command('start')
    .description('start a data centre that is not there: Proxmox VE on loopback, whose VMs run Talos twins');
  withFormats(command)
    .addOption(countOption('--hosts <number>', 'how many hosts the cluster has').default(3))
    .addOption(countOption('--speed <times>', 'how many times faster than the wall clock').default(1))
    .addOption(durationOption('--latency <time>', 'wait before every answer of the API', '0ms', '20ms or 1s'))
    .option('--cluster', 'with the cluster of its platform file already running', false)
    .addOption(
      new Option('--cni <network>', 'network of its platform file (default: cilium; with --cluster: flannel)').choices([
        'cilium',
        'flannel',
        'none',
      ]),
    )
    .option('--detach', 'go on in the background; ichor lab stop ends it', false)
    .option('--name <name>', 'name of the lab', 'lab')
    .option('--network <cidr>', 'loopback network of hosts and VMs (default: the first free one from 127.0.64.0/24 on)')
    .option(
      '--mapped',
      'hosts on ports of 127.0.0.1, for systems with one loopback address; VMs cannot be reached',
      false,
    )
    .addOption(new Option('--pve <version>', 'Proxmox VE that it plays').choices(['8.4', '9.2']).default('9.2'))
    .addOption(
      new Option('--guests <kind>', 'what runs in the VMs: twins, or real Talos nodes (Linux, as root)')
        .choices(['twin', 'real'])
        .default('twin'),
    )
    .option('--dir <path>', 'folder of its files (default: below ~/.local/state/ichor/labs)')
    .option('--reservations <file>', 'what its DHCP gives to whom, as ichor machines --output dnsmasq prints it')
    .addHelpText(
      'after',
      `
Examples:
  ichor lab start
  ichor lab start --detach --speed 20
  ichor lab start --detach --cluster
  sudo ichor lab start --detach --guests real
  ichor lab start --detach --cluster --cni none
  ichor lab start --detach --hosts 5 --latency 20ms --name slow --output json

Then, in another terminal:
  ichor up -f ~/.local/state/ichor/labs/lab/platform.yaml
  ichor lab status
  ichor lab stop`,
    )
    .action(async (options: StartOptions) => {
      checkOptions(options);
      if (options.detach) terminal().out(shown(await startDetached(options), options, terminal()));
      else await run(options, door).catch(tellAndThrow);
    });
}

function tellAndThrow(error: unknown): never {
  tellProblem(error);
  throw error;
}

/** Beyond it a second of the lab is shorter than a request. */
const fastest = 1000;

function checkOptions(options: StartOptions): void {
  const { hosts, name, latency, speed, cluster, mapped, guests } = options;
  const wrong = (message: string, remedy: string): Problem => new Problem('bad-options', message, { remedy });
  if (!/^[a-z]([a-z0-9-]{0,28}[a-z0-9])?$/.test(name))
    throw wrong(
      `"${name}" is no name for a lab.`,
      'Use up to 30 lower-case letters, digits and dashes, such as lab-2.',
    );
  if (hosts < 1 || hosts > 1000) throw wrong(`A lab cannot have ${hosts} hosts.`, 'Use a number from 1 to 1000.');
  if (speed < 1)
    throw wrong(
      'A lab whose time stands still would never start anything.',
      `Use a speed from 1 (as the wall clock) to ${fastest}.`,
    );
  if (speed > fastest) throw wrong(`A lab cannot be ${speed} times as fast.`, `Use a speed from 1 to ${fastest}.`);
  if (latency > 60_000) throw wrong('Nobody waits that long for an answer.', 'Use a latency of up to 60s.');
  if (cluster && mapped)
    throw wrong('Machines of a lab with --mapped cannot be reached, so they make no cluster.', 'Leave --mapped out.');
  if (guests === 'real' && (cluster || mapped))
    throw wrong(
      `Real nodes do not go with ${cluster ? '--cluster' : '--mapped'}.`,
      'Leave it out, and let ichor up make the cluster.',
    );
  wantedNetworks(options);
}

const shown = (started: Started, { output, detach }: StartOptions, terminal: Terminal): string =>
  output === 'text' ? startedText(started, { detach }, terminal) : jsonText(started, output, terminal);

/** Runs it in this process until it is told to end. */
async function run(options: StartOptions, door: LabDoor): Promise<void> {
  const terminal = door.terminal();
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  const dir = folderOf(options.name, options.dir);
  const entry: LabEntry = {
    ...(await thisProcess()),
    name: options.name,
    dir,
    control: await controlOf(dir),
    facts: undefined,
  };
  await claimLab(entry);
  const over = new AbortController();
  try {
    const network = await chooseNetwork(options);
    const clock = await clockOf(options);
    await using lab = await opened(options, network, clock);
    await using _control = await serveControl(entry.control, lab, () => clock.now());
    const described = await describe(lab, entry, options, network);
    const access = options.cluster ? await bringUpCluster(lab, entry.dir, lab.guests.network, door) : undefined;
    clock.calm();
    const started = { ...described, ...access };
    if (isDetachedChild()) tellParent({ started });
    else terminal.out(shown(started, options, terminal));
    await Promise.race([ended, folderGone(entry, over.signal)]);
  } finally {
    over.abort();
    await removeLab(entry);
  }
  if (!isDetachedChild()) terminal.err('The lab is gone.\n');
}

/** While a cluster comes up nobody wants to wait for what it would take. */
async function clockOf({ speed, cluster }: StartOptions): Promise<HurriedClock> {
  const { hurriedClock } = await import('../lab/clock.ts');
  return hurriedClock(Math.max(speed, 1), cluster ? 100 : undefined);
}

async function opened(options: StartOptions, network: ChosenNetwork, clock: HurriedClock): Promise<Lab> {
  const [{ startLab }, reservations] = await Promise.all([
    import('../lab/lab.ts'),
    options.reservations === undefined ? [] : readReservations(options.reservations),
  ]);
  const lab = await startLab({
    ...(options.guests === 'real' ? { guests: await openRealGuests() } : {}),
    clock,
    hosts: options.hosts,
    version: options.pve,
    clusterName: options.name,
    latencyMs: options.latency,
    network: network.cidr,
    addresses: options.mapped ? 'mapped' : 'own',
  });
  for (const { mac, ...reservation } of reservations) lab.guests.reserve(mac, reservation);
  return lab;
}

/** Writes its files, and says where everything is. */
async function describe(
  { proxmox, guests, factory }: Lab,
  entry: LabEntry,
  options: StartOptions,
  network: ChosenNetwork,
): Promise<Started> {
  const at = (file: string): string => join(entry.dir, file);
  const token = proxmox.token('lab');
  const [endpoint = ''] = proxmox.endpoints.values();
  const [host = ''] = proxmox.endpoints.keys();
  await writeWhole(at(labFiles.token), `${token}\n`, 0o600);
  await writeWhole(at(labFiles.ichorToken), `${proxmox.administrator('ichor')}\n`, 0o600);
  await writeWhole(at(labFiles.ca), proxmox.ca);
  await writeWhole(
    at(labFiles.platform),
    platformText({
      name: options.name,
      endpoints: [...proxmox.endpoints.values()],
      hosts: [...proxmox.endpoints.keys()],
      tokenFile: at(labFiles.ichorToken),
      caFile: at(labFiles.ca),
      factory: factory.url,
      cni: options.cni ?? (options.cluster ? 'flannel' : 'cilium'),
      network: options.mapped ? undefined : guests.network,
      ...(options.guests === 'real' ? { real: await realPlatform(guests.network.gateway) } : {}),
    }),
  );
  const facts = {
    version: options.pve,
    speed: options.speed,
    latencyMs: options.latency,
    network: network.cidr,
    endpoints: Object.fromEntries(proxmox.endpoints),
    factory: factory.url,
    guests: options.guests,
  };
  await updateLab({ ...entry, facts });
  return {
    name: options.name,
    proxmox: {
      endpoint,
      token,
      ca: at(labFiles.ca),
      hosts: [...proxmox.endpoints.keys()],
      version: options.pve,
      endpoints: facts.endpoints,
      fingerprint: proxmox.fingerprint(host),
      tokenFile: at(labFiles.token),
      username: proxmox.password.username,
    },
    factory: factory.url,
    network: {
      cidr: network.cidr,
      guests: options.mapped ? undefined : guests.network.cidr,
      insteadOf: network.insteadOf,
    },
    speed: facts.speed,
    platform: at(labFiles.platform),
    dir: entry.dir,
    pid: entry.pid,
  };
}
