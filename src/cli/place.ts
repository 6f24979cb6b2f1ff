import type { Command } from 'commander';
import { Problem } from '../model/problem.ts';
import type { Proof } from '../model/proof.ts';
import { readChecked, withInput, withOutput, type InputOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

type Options = InputOptions & {
  readonly output: 'text' | 'json' | 'svg' | 'hosts';
  readonly hosts?: string;
  readonly only?: string;
};

export function place(program: Command, terminal: () => Terminal): void {
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

Nothing is touched. Exits 0 when everything fits, 1 when it does not.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await run(options, terminal());
    });
}

async function run(options: Options, terminal: Terminal): Promise<number> {
  const [{ prove }, { reading, measured }] = await Promise.all([
    import('../engine.ts'),
    readChecked(options, terminal),
  ]);
  const proofs = chosen(prove(reading, measured), options.only);
  terminal.out(await rendered(proofs, options.output, terminal));
  return proofs.every(({ fits }) => fits) ? 0 : 1;
}

function chosen(proofs: readonly Proof[], only: string | undefined): readonly Proof[] {
  if (only === undefined) return proofs;
  const found = proofs.filter(({ platform }) => platform === only);
  if (found.length > 0) return found;
  throw new Problem('unknown-name', `There is no platform or substrate "${only}" here.`, {
    remedy: `There is ${proofs.map(({ platform }) => platform).join(', ')}.`,
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
