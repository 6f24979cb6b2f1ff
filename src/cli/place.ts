import type { Command } from 'commander';
import type { Platform } from '../engine.ts';
import type { Inventory } from '../model/host.ts';
import { Problem } from '../model/problem.ts';
import type { Proof } from '../model/proof.ts';
import { readChecked, withInput, withOutput, type InputOptions } from './options.ts';
import { openIfPossible, type ProviderDoor } from './provider-door.ts';
import { untilInterrupted } from './talos-door.ts';
import type { Terminal } from './terminal.ts';
import { whileWaiting } from './views/progress.ts';

type Options = InputOptions & {
  readonly output: 'text' | 'json' | 'svg' | 'hosts';
  readonly hosts?: string;
  readonly only?: string;
};

export function place(program: Command, door: ProviderDoor): void {
  const command = program
    .command('place')
    .description('prove that the machines fit: where each goes, and what happens if a host dies');
  withOutput(
    withInput(command),
    ['text', 'json', 'svg', 'hosts'],
    'text, json, svg (a picture), or hosts (a --hosts file of the result)',
  )
    .option('--hosts <file>', 'what the hosts have and carry, instead of what the file declares')
    .option('--only <name>', 'only this platform or substrate')
    .addHelpText(
      'after',
      `
Examples:
  ichor place -f prod.yaml
  ichor place -f prod.yaml --hosts hosts.yaml --output json
  ichor place -f prod.yaml --output svg > prod.svg

A file for --hosts:
  hosts:
    pve1: { cpu: 64, memory: 504GiB, disk: { local-lvm: 10TiB }, used: { memory: 20GiB },
            machines: [{ name: prod-cp-0, vmid: 401 }, { vmid: 100, cpu: 4, memory: 8GiB }] }

Hosts whose capacity the file leaves open are asked, when the credentials are at hand. Nothing is touched. Exits 0 when everything fits, 1 when it does not.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await untilInterrupted((signal) => run(options, door, signal));
    });
}

async function run(options: Options, door: ProviderDoor, signal: AbortSignal): Promise<number> {
  const terminal = door.terminal();
  const [{ prove }, { reading, measured }] = await Promise.all([
    import('../engine.ts'),
    readChecked(options, terminal),
  ]);
  const found = measured ?? (await surveyed(reading.platforms, options, door, signal));
  const proofs = chosen(prove(reading, found), options.only);
  terminal.out(await rendered(proofs, options.output, terminal));
  return proofs.every(({ fits }) => fits) ? 0 : 1;
}

/** What hosts have where the file leaves it open and they can be asked. */
async function surveyed(
  platforms: readonly Platform[],
  { output, only }: Options,
  door: ProviderDoor,
  signal: AbortSignal,
): Promise<Inventory | undefined> {
  const { capacityIsOpen } = await import('../engine/provider-access.ts');
  const open = platforms.filter(
    (platform) => capacityIsOpen(platform) && (only === undefined || platform.name === only),
  );
  const terminal = door.terminal();
  const inventories: Inventory[] = [];
  for (const platform of open) {
    // Without credentials it is as if nobody had said what the hosts can carry, and that is what is said.
    await using provider = await openIfPossible(platform, door, () => {});
    if (provider === undefined) continue;
    const asking = provider.reader.survey(signal);
    const survey = await whileWaiting(asking, 'asking the hosts', terminal, output !== 'text');
    for (const { host, because } of survey.silent)
      terminal.err(
        `${terminal.paint('yellow', 'note')}: ${host} did not answer (${because}): nothing is known of what it has and carries.\n`,
      );
    inventories.push(survey.inventory);
  }
  if (inventories.length === 0) return undefined;
  return {
    hosts: inventories.flatMap(({ hosts }) => hosts),
    shared: Object.assign({}, ...inventories.map(({ shared }) => shared)) as Inventory['shared'],
  };
}

function chosen(proofs: readonly Proof[], only: string | undefined): readonly Proof[] {
  if (only === undefined) return proofs;
  const found = proofs.filter(({ platform }) => platform === only);
  if (found.length > 0) return found;
  throw new Problem('unknown-name', `There is no platform or substrate "${only}" here.`, {
    remedy: `There ${proofs.length === 1 ? 'is' : 'are'} ${proofs.map(({ platform }) => platform).join(', ')}.`,
  });
}

async function rendered(proofs: readonly Proof[], output: Options['output'], terminal: Terminal): Promise<string> {
  switch (output) {
    case 'text': {
      const { proofText } = await import('./views/proof-text.ts');
      return proofs.map((proof) => proofText(proof, terminal)).join('\n');
    }
    case 'json': {
      const { proofJson } = await import('./views/proof-json.ts');
      const [first, ...others] = proofs.map(proofJson);
      const all =
        others.length === 0 ? first : { fits: proofs.every(({ fits }) => fits), platforms: [first, ...others] };
      return `${JSON.stringify(all, null, 2)}\n`;
    }
    case 'svg': {
      const { proofSvg } = await import('./views/proof-svg.ts');
      return proofSvg(proofs);
    }
    case 'hosts': {
      const { hostsYaml } = await import('./views/hosts-yaml.ts');
      return hostsYaml(proofs);
    }
  }
}
