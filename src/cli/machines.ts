import type { Command } from 'commander';
import type { LiveMachines } from '../engine/machines.ts';
import type { Machine } from '../model/machine.ts';
import type { Identity } from '../model/proof.ts';
import { readChecked, withInput, withOutput, type InputOptions } from './options.ts';
import { openIfPossible, type ProviderDoor } from './provider-door.ts';
import { untilInterrupted } from './talos-door.ts';
import type { Terminal } from './terminal.ts';
import { whileWaiting } from './views/progress.ts';

type Format = 'text' | 'json' | 'dnsmasq' | 'kea';
type Options = InputOptions & { readonly output: Format; readonly hosts?: string; readonly offline: boolean };

export function machines(program: Command, door: ProviderDoor): void {
  const command = program
    .command('machines')
    .description('list the machines of a file: who they are, which are there, and as DHCP reservations');
  withOutput(
    withInput(command),
    ['text', 'json', 'dnsmasq', 'kea'],
    'text, json, dnsmasq or kea (reservations for your DHCP server)',
  )
    .option(
      '--hosts <file>',
      'what the hosts carry, instead of asking them: machines that are there keep what they have',
    )
    .option('--offline', 'ask nobody: only what the file says', false)
    .addHelpText(
      'after',
      `
Examples:
  ichor machines -f homelab.yaml
  ichor machines -f homelab.yaml --output dnsmasq > /etc/dnsmasq.d/homelab.conf
  ichor machines -f homelab.yaml --offline --output kea

The provider is asked which of them are there when its credentials are at hand. Nothing is changed.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await untilInterrupted((signal) => run(options, door, signal));
    });
}

async function run(options: Options, door: ProviderDoor, signal: AbortSignal): Promise<number> {
  const terminal = door.terminal();
  const [{ identify }, { reading, measured }] = await Promise.all([
    import('../engine.ts'),
    readChecked(options, terminal),
  ]);
  const found: Listed[] = [];
  for (const platform of reading.platforms) {
    const live = options.offline || measured !== undefined ? undefined : await looked(platform, options, door, signal);
    found.push(
      ...(live === undefined
        ? identify({ ...reading, platforms: [platform] }, measured).map(listed)
        : live.machines.flatMap(listedLive)),
    );
    for (const doubt of live?.doubts ?? []) terminal.err(`${terminal.paint('yellow', 'note')}: ${doubt}\n`);
  }
  terminal.out(await rendered(found, options.output, terminal));
  return 0;
}

async function looked(
  platform: Parameters<typeof openIfPossible>[0],
  { output }: Options,
  door: ProviderDoor,
  signal: AbortSignal,
): Promise<LiveMachines | undefined> {
  await using provider = await openIfPossible(platform, door, ({ message }) =>
    door
      .terminal()
      .err(
        `Nobody was asked what is there: ${message} What follows is what the file alone says (--offline means that).\n`,
      ),
  );
  if (provider === undefined) return undefined;
  const { liveMachines } = await import('../engine/machines.ts');
  const asking = liveMachines(platform, provider.reader, signal);
  return whileWaiting(asking, 'asking which machines are there', door.terminal(), output !== 'text');
}

/** A machine as it is listed; what nobody looked at is absent. */
export type Listed = Identity & {
  readonly name: string;
  readonly role: Machine['role'] | null;
  readonly pool: string | null;
  readonly hostname: string;
  readonly live?: LiveState;
};

export type LiveState = {
  readonly state: 'absent' | 'on' | 'off' | 'unknown';
  readonly host: string | null;
  readonly busy: string | null;
  /** The file no longer has it. */
  readonly leftBehind: boolean;
};

const listed = ([{ name, role, pool, hostname }, identity]: readonly [Machine, Identity]): Listed => ({
  name,
  role,
  pool,
  hostname,
  ...identity,
});

function listedLive({ name, machine, identity, there, address }: LiveMachines['machines'][number]): Listed {
  const seen = there?.kind === 'known' ? there.value : undefined;
  const power = seen?.power.kind === 'known' ? seen.power.value : 'unknown';
  return {
    name,
    role: machine?.role ?? null,
    pool: machine?.pool ?? null,
    hostname: machine?.hostname ?? name,
    ...identity,
    address: address ?? identity.address,
    live: {
      state: there === undefined ? 'absent' : power,
      host: seen?.host ?? null,
      busy: seen?.busy ?? null,
      leftBehind: machine === undefined,
    },
  };
}

async function rendered(found: readonly Listed[], output: Format, terminal: Terminal): Promise<string> {
  switch (output) {
    case 'json':
      return `${JSON.stringify({ machines: found }, null, 2)}\n`;
    case 'dnsmasq':
      return (await import('./views/reservations.ts')).dnsmasqLines(inTheFile(found));
    case 'kea':
      return (await import('./views/reservations.ts')).keaJson(inTheFile(found));
    case 'text':
      return (await import('./views/machines-text.ts')).machinesText(found, terminal);
  }
}

/** Who is to go needs no reservation. */
const inTheFile = (found: readonly Listed[]): readonly Listed[] =>
  found.filter(({ live }) => live?.leftBehind !== true);
