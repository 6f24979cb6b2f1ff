import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import type { LabFault, NodeFault } from '../lab/fault-board.ts';
import { parseBytes } from '../model/size.ts';
import { chosenLab } from './lab-choice.ts';
import { tellLab } from './lab-control.ts';
import { countOption, durationOption } from './options.ts';
import { withFormats, type RunFormat } from './run-options.ts';
import type { Terminal } from './terminal.ts';
import { jsonText } from './views/json.ts';

type Common = { readonly name?: string; readonly output: RunFormat };
type Requests = Common & { readonly match?: string; readonly times?: number; readonly share?: number };
/** What a program hears of it. */
type Heard = { readonly lab: string; readonly fault?: LabFault; readonly text?: string };
type ApiFault = Extract<LabFault, { readonly kind: 'api' }>['fault'];

const examples = `
Examples:
  ichor lab fault host pve2 dead
  ichor lab fault lose-answer --match 'POST /nodes/*/qemu' --times 1
  ichor lab fault refuse --status 500 --reason 'got timeout' --share 10%
  ichor lab fault fill local-lvm --free 1GiB --host pve1
  ichor lab fault node lab-general-0 no-address
  ichor lab fault storm --share 5% --seed 7
  ichor lab fault read-only on
  ichor lab fault heal

What goes wrong at the moment is in ichor lab status; heal ends all of it.`;

/** Everything below `ichor lab fault`. */
export function labFault(lab: Command, terminal: () => Terminal): void {
  const fault = lab
    .command('fault')
    .description('let something go wrong in a lab while you watch, and end it again')
    .helpCommand('help [command]', 'print help for a command')
    .addHelpText('after', examples);
  const tell = ({ output }: Common, text: string, told: Heard): void =>
    terminal().out(output === 'text' ? `${told.lab}: ${text}\n` : jsonText(told, output, terminal()));
  const inject = async (options: Common, given: LabFault): Promise<void> => {
    const [entry, { faultText }] = await Promise.all([
      chosenLab(options.name, 'ichor lab fault …'),
      import('./views/lab-faults.ts'),
    ]);
    await tellLab(entry, 'POST /faults', given);
    const text = faultText(given);
    tell(options, text, { lab: entry.name, fault: given, text });
  };
  const verb = (name: string, described: string, ...shown: readonly string[]): Command =>
    withFormats(fault.command(name).description(described))
      .option('--name <name>', 'which lab; not needed while only one runs')
      .addHelpText('after', `\nExamples:\n${shown.map((line) => `  ichor lab fault ${line}`).join('\n')}`);

  verb(
    'host',
    'power failure, a host that answers nothing, one without the others, or well again',
    'host pve2 dead',
    'host pve2 up',
  )
    .argument('<host>', 'name of the host')
    .addArgument(new Argument('<state>', 'what becomes of it').choices(['dead', 'frozen', 'cut-off', 'up']))
    .action((host: string, state: 'dead' | 'frozen' | 'cut-off' | 'up', options: Common) =>
      inject(options, { kind: 'host', host, state: state === 'cut-off' ? 'cut off' : state }),
    );

  requestVerbs(verb, (options, given) => inject(options, { kind: 'api', fault: given }));

  verb(
    'fill',
    'a datastore on which just so much is left',
    'fill local-lvm --free 1GiB',
    'fill local --free 0GiB --host pve1',
  )
    .argument('<datastore>', 'name of the datastore')
    .addOption(sizeOption('--free <size>', 'what is left').makeOptionMandatory())
    .option('--host <host>', 'on this host alone')
    .action((datastore: string, options: Common & { readonly free: number; readonly host?: string }) =>
      inject(options, {
        kind: 'fill',
        datastore,
        freeGiB: options.free,
        ...(options.host === undefined ? {} : { host: options.host }),
      }),
    );

  verb(
    'node',
    'Talos in a VM: without an agent, without an address from its next boot on, hanging, without connections, or dead',
    'node lab-cp-0 hang',
    'node lab-general-1 no-address',
    'node lab-cp-0 well',
  )
    .argument('<node>', 'name or number of the VM; for no-agent and no-address it may be one that is still to come')
    .addArgument(
      new Argument('<state>', 'what becomes of it').choices([
        'no-agent',
        'no-address',
        'hang',
        'silent',
        'dead',
        'well',
      ]),
    )
    .action((node: string, how: NodeFault, options: Common) => inject(options, { kind: 'node', node, how }));

  verb('kubernetes', 'the Kubernetes API of every cluster', 'kubernetes down', 'kubernetes up')
    .addArgument(new Argument('<state>', 'how it answers').choices(['down', 'slow', 'drop-watches', 'up']))
    .action((how: 'down' | 'slow' | 'drop-watches' | 'up', options: Common) =>
      inject(options, { kind: 'kubernetes', how }),
    );

  verb('far', 'a lab far away: every answer of every API takes longer', 'far --by 20ms', 'far --by 0ms')
    .addOption(durationOption('--by <time>', 'how much longer, by the lab’s clock', '20ms', '20ms or 2s'))
    .action((options: Common & { readonly by: number }) => inject(options, { kind: 'far', byMs: options.by }));

  verb('storm', 'a mix of faults on every API', 'storm --share 5% --seed 7')
    .addOption(shareOption('--share <percent>', 'share of the requests that meet one').default(0.05, '5%'))
    .addOption(countOption('--seed <number>', 'decides everything that would be chance').default(1))
    .action((options: Common & { readonly share: number; readonly seed: number }) =>
      inject(options, { kind: 'storm', share: options.share, seed: options.seed }),
    );

  verb('read-only', 'refuse and count every write; whoever only looks notices nothing', 'read-only on', 'read-only off')
    .addArgument(new Argument('<state>', 'whether it is').choices(['on', 'off']))
    .action((state: 'on' | 'off', options: Common) => inject(options, { kind: 'read-only', on: state === 'on' }));

  verb('heal', 'end everything that was told to go wrong', 'heal').action(async (options: Common) => {
    const entry = await chosenLab(options.name, 'ichor lab fault heal');
    await tellLab(entry, 'DELETE /faults');
    tell(options, 'all is well', { lab: entry.name });
  });
}

type Verb = (name: string, described: string, ...shown: readonly string[]) => Command;

/** Faults of requests to Proxmox VE. */
function requestVerbs(verb: Verb, inject: (options: Common, fault: ApiFault) => Promise<void>): void {
  const meant = (command: Command): Command =>
    command
      .option(
        '--match <pattern>',
        "which requests, such as 'POST /nodes/*/qemu': a star is one segment, two are any number",
      )
      .addOption(countOption('--times <number>', 'how often (default: always)'))
      .addOption(shareOption('--share <percent>', 'share of them (default: all)'));
  const which = ({ match, times, share }: Requests): Pick<ApiFault, 'match' | 'times' | 'share'> => ({
    ...(match === undefined ? {} : { match }),
    ...(times === undefined ? {} : { times }),
    ...(share === undefined ? {} : { share }),
  });
  const because = (command: Command, standard: string): Command =>
    command.option('--reason <text>', 'what is said about it', standard);
  type Told = Requests & { readonly status: number; readonly reason: string; readonly by: number };

  meant(
    verb(
      'lose-answer',
      'what is asked is done, and nobody hears of it',
      "lose-answer --match 'POST /nodes/*/qemu' --times 1",
    ),
  ).action((options: Requests) => inject(options, { kind: 'lose-answer', ...which(options) }));
  meant(verb('lose-request', 'nothing is done, and the connection ends', 'lose-request --share 20%')).action(
    (options: Requests) => inject(options, { kind: 'lose-request', ...which(options) }),
  );
  because(
    meant(verb('refuse', 'an error instead of an answer', "refuse --status 596 --match 'GET /**' --times 3")),
    'got timeout',
  )
    .addOption(countOption('--status <number>', 'of HTTP').default(500))
    .action((options: Told) =>
      inject(options, { kind: 'refuse', status: options.status, reason: options.reason, ...which(options) }),
    );
  meant(verb('delay', 'answers that take longer', 'delay --by 2s --share 10%'))
    .addOption(durationOption('--by <time>', 'how much longer, by the lab’s clock', '2s', '20ms or 2s'))
    .action((options: Told) => inject(options, { kind: 'delay', delayMs: options.by, ...which(options) }));
  meant(verb('lock', 'somebody else holds the lock of a VM', "lock --by 30s --match 'PUT /nodes/*/qemu/*/config'"))
    .addOption(durationOption('--by <time>', 'how long, by the lab’s clock', '10s', '10s or 1m'))
    .action((options: Told) => inject(options, { kind: 'lock', delayMs: options.by, ...which(options) }));
  because(
    meant(
      verb('fail-task', 'the task that a request starts fails', "fail-task --match 'POST /nodes/*/qemu' --times 1"),
    ),
    'got timeout',
  ).action((options: Told) => inject(options, { kind: 'fail-task', reason: options.reason, ...which(options) }));
}

const shareOption = (flags: string, described: string): Option =>
  new Option(flags, described).argParser((written: string): number => {
    const share = /^(\d{1,3}(\.\d+)?)%$/.exec(written)?.[1];
    const value = share === undefined ? Number.NaN : Number(share) / 100;
    if (value > 0 && value <= 1) return value;
    throw new InvalidArgumentError('Use a share such as 5%, from above 0% to 100%.');
  });

/** Of any size; the value is GiB. */
const sizeOption = (flags: string, described: string): Option =>
  new Option(flags, `${described}, such as 1GiB or 500MiB`).argParser((written: string): number => {
    const bytes = parseBytes(written);
    if (bytes !== undefined) return Number(bytes) / 1024 ** 3;
    throw new InvalidArgumentError('Use a size such as 1GiB or 500MiB.');
  });
