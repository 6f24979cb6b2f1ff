import type { Command } from 'commander';
import { chosenLab } from './lab-choice.ts';
import { tellLab } from './lab-control.ts';
import { withFormats, type RunFormat } from './run-options.ts';
import type { Terminal } from './terminal.ts';
import { jsonText } from './views/json.ts';

type Options = {
  readonly name?: string;
  readonly writes: boolean;
  readonly forget: boolean;
  readonly output: RunFormat;
};

export function labRequests(lab: Command, terminal: () => Terminal): void {
  const command = lab
    .command('requests')
    .description('what a lab was asked: Proxmox VE, Talos and Kubernetes, and what of it would change something');
  withFormats(command)
    .option('--name <name>', 'which lab; not needed while only one runs')
    .option('--writes', 'only what would change something', false)
    .option('--forget', 'forget it afterwards: the next time begins here', false)
    .addHelpText(
      'after',
      `
Examples:
  ichor lab requests
  ichor lab requests --forget > /dev/null && ichor plan && ichor lab requests --writes
  ichor lab requests --output json

Dry runs, logins and questions about rights change nothing. So many of the last requests are remembered: 100000 to
Proxmox VE, 10000 to Talos, 10000 to each Kubernetes.`,
    )
    .action(async (options: Options) => {
      await run(options, terminal());
    });
}

async function run({ name, writes, forget, output }: Options, terminal: Terminal): Promise<void> {
  const [entry, { requestsJson, requestsText }] = await Promise.all([
    chosenLab(name, 'ichor lab requests'),
    import('./views/lab-requests.ts'),
  ]);
  const all = await tellLab(entry, 'GET /requests');
  if (forget) await tellLab(entry, 'DELETE /requests');
  terminal.out(
    output === 'text' ? requestsText(all, writes, terminal) : jsonText(requestsJson(all, writes), output, terminal),
  );
}
