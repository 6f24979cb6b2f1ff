import { basename, resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Drafted, Given } from '../engine.ts';
import { Problems } from '../model/problem.ts';
import { mustNotExist, writeWhole } from './files.ts';
import { defaultFile, withOutput } from './options.ts';
import type { Terminal } from './terminal.ts';

type Options = Given & {
  readonly out: string;
  readonly force: boolean;
  readonly yes: boolean;
  readonly output: 'text' | 'json';
};

export function init(program: Command, terminal: () => Terminal): void {
  const command = program
    .command('init')
    .description('ask the few questions that matter and write a first platform file')
    .option('--name <name>', 'name of the platform (default: that of the folder)')
    .addOption(
      new Option('--provider <kind>', 'where machines come from').choices([
        'proxmox',
        'libvirt',
        'openstack',
        'existing',
      ]),
    )
    .option('--endpoint <url>', 'address of the Proxmox API')
    .addOption(new Option('--cloud <name>', 'name of the OpenStack cloud in clouds.yaml').env('OS_CLOUD'))
    .option(
      '--hosts <list>',
      'hosts of Proxmox or libvirt, zones of OpenStack, or addresses of existing machines',
      several,
    )
    .option('--capacity <cpu,memory>', 'what each host can carry, such as 32,128GiB')
    .option('--control-planes <number>', 'how many (default: 3 where there are three hosts, else 1)', count)
    .option('--workers <number>', 'how many (default: 3 where there are three hosts, else 1)', count)
    .option('--vip <address>', 'free address that the control planes share')
    .option('--network <cidr>', 'network of the machines')
    .option('--gateway <address>', 'its gateway')
    .option(
      '--addresses <how>',
      'dhcp, or static: and the first address, such as static:10.10.0.11 (default: dhcp)',
      how,
    )
    .addOption(new Option('--hostnames <where>', 'who names the machines (default: talos)').choices(['talos', 'dhcp']))
    .option('--talos <version>', 'version of Talos')
    .option('--out <file>', 'file to write, or - for standard output', defaultFile)
    .option('--force', 'write it over a file that is already there', false)
    .option('-y, --yes', 'ask nothing: take the defaults', false);
  withOutput(command, ['text', 'json'], 'text, or json (asks nothing; the file and what to do next as one object)')
    .addHelpText(
      'after',
      `
Examples:
  ichor init
  ichor init --provider proxmox --endpoint https://pve1.example.org:8006 --hosts pve1,pve2,pve3 --vip 10.10.0.5
  ichor init --provider libvirt --yes --out lab.yaml
  ichor init --provider existing --hosts 10.10.0.11,10.10.0.12,10.10.0.13

Without a terminal nothing is asked: what has no default must be given.`,
    )
    .action(async (options: Options) => {
      await run(options, terminal());
    });
}

const several = (value: string): readonly string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function count(value: string): number {
  if (/^\d{1,6}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Use a whole number.');
}

function how(value: string): string {
  if (value === 'dhcp' || value.startsWith('static:')) return value;
  throw new InvalidArgumentError('Use dhcp, or static: and an address.');
}

async function run({ out, force, yes, output, ...flags }: Options, terminal: Terminal): Promise<void> {
  if (out !== '-' && !force) await mustNotExist(out, '--out');
  const { draft } = await import('../engine.ts');
  const folder = basename(resolve('.'));
  const mayAsk = terminal.interactive && !yes && output === 'text';
  const given = mayAsk ? await asked(flags, folder, draft) : { ...flags, folder };
  if (given === undefined) {
    terminal.err('Nothing was written.\n');
    process.exitCode = 1;
    return;
  }
  const { file, problems, answers } = draft(given);
  if (file === undefined) throw new Problems(problems);
  const toFile = out !== '-';
  if (toFile) await writeWhole(out, file);
  const next = nextSteps(answers, out);
  if (output === 'json') {
    terminal.out(`${JSON.stringify({ written: toFile ? out : null, file, next }, null, 2)}\n`);
    return;
  }
  terminal.out(toFile ? `${terminal.paint('green', 'written')}: ${out}\n` : file);
  const say = toFile ? terminal.out : terminal.err;
  say(`\nNext:\n${next.map((line) => `    ${line}\n`).join('')}`);
}

async function asked(flags: Given, folder: string, draft: (given: Given) => Drafted): Promise<Given | undefined> {
  const [prompts, { ask }] = await Promise.all([import('@clack/prompts'), import('./init-questions.ts')]);
  return ask(prompts, { ...flags, folder }, draft);
}

/** What to type now; each line can be pasted into a shell. */
function nextSteps({ provider }: Drafted['answers'], out: string): readonly string[] {
  const file =
    out === defaultFile || out === '-'
      ? ''
      : ` -f ${/^[\w./-]+$/.test(out) ? out : `'${out.replaceAll("'", "'\\''")}'`}`;
  return [
    ...(provider === 'proxmox' ? ["export PROXMOX_TOKEN='USER@REALM!NAME=UUID'"] : []),
    `ichor validate${file}`,
    `ichor place${file}`,
  ];
}
