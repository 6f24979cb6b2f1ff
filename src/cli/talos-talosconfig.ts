import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { ShownContext } from '../engine/talos-contexts.ts';
import { writeWhole } from './files.ts';
import { withOutput } from './options.ts';
import type { TalosDoor } from './talos-door.ts';
import { readText, talosconfigPath, textIfThere } from './talos-target.ts';
import type { Terminal } from './terminal.ts';
import { span } from './views/talos-words.ts';

type Options = { readonly talosconfig?: string; readonly output: 'text' | 'json' };
type RenewOptions = Options & { readonly secrets?: string; readonly context?: string };
type MergeOptions = Options & { readonly into?: string };

/** talosconfig: show, renew, merge. */
export function talosTalosconfig(talos: Command, door: TalosDoor): void {
  const talosconfig = talos
    .command('talosconfig')
    .description('look at a talosconfig, renew it, merge it into another');
  const file = [
    '--talosconfig <file>',
    'the file (default: TALOSCONFIG, ./talos/talosconfig, or ~/.talos/config)',
  ] as const;

  withOutput(
    talosconfig
      .command('show', { isDefault: true })
      .description('show its contexts, their roles and when they end')
      .option(...file),
    ['text', 'json'],
    'text or json',
  )
    .addHelpText(
      'after',
      `\nExamples:\n  ichor talos talosconfig\n  ichor talos talosconfig show --talosconfig talos/talosconfig --output json`,
    )
    .action(async (options: Options) => {
      const path = await talosconfigPath(options.talosconfig);
      const [{ contextsOf }, { clock }, text] = await contexts(path, door);
      await show(contextsOf({ text, file: path }, clock.now()), path, options.output, door.terminal());
    });

  withOutput(
    talosconfig
      .command('renew')
      .description('issue a new certificate from the cluster’s secrets, which need no node')
      .option(...file)
      .option('--secrets <file>', 'the secrets (default: secrets.yaml beside the talosconfig)')
      .option('--context <name>', 'the context (default: the current one)'),
    ['text', 'json'],
    'text or json',
  )
    .addHelpText(
      'after',
      `\nExamples:\n  ichor talos talosconfig renew --talosconfig talos/talosconfig\n  ichor talos talosconfig renew --secrets talos/secrets.yaml`,
    )
    .action(async (options: RenewOptions) => {
      const path = await talosconfigPath(options.talosconfig);
      const secretsPath = options.secrets ?? join(dirname(path), 'secrets.yaml');
      const [{ contextsOf, renewContext }, making, text] = await contexts(path, door);
      const secrets = { text: await readText(secretsPath, 'file of secrets'), file: secretsPath };
      const renewed = await renewContext({ text, file: path }, secrets, options.context, making);
      await writeWhole(path, renewed, 0o600);
      await show(contextsOf({ text: renewed, file: path }, making.clock.now()), path, options.output, door.terminal());
    });

  withOutput(
    talosconfig
      .command('merge')
      .description('add its contexts to another talosconfig and make its current one current there')
      .argument('<file>', 'the talosconfig to add')
      .option('--into <file>', 'the one to add to (default: TALOSCONFIG, or ~/.talos/config)'),
    ['text', 'json'],
    'text or json',
  )
    .addHelpText('after', `\nExamples:\n  ichor talos talosconfig merge talos/talosconfig`)
    .action(async (added: string, options: MergeOptions) => {
      const into = options.into ?? (process.env['TALOSCONFIG'] || join(homedir(), '.talos', 'config'));
      const [{ contextsOf, mergeContexts }, { clock }, text] = await contexts(added, door);
      const merged = mergeContexts({ text: (await textIfThere(into)) ?? '', file: into }, { text, file: added });
      if (merged !== undefined) {
        await mkdir(dirname(into), { recursive: true, mode: 0o700 });
        await writeWhole(into, merged, 0o600);
      }
      const terminal = door.terminal();
      if (merged === undefined && options.output === 'text') terminal.out(`Nothing to change: ${into} has them.\n`);
      else await show(contextsOf({ text: merged ?? text, file: into }, clock.now()), into, options.output, terminal);
    });
}

const contexts = (path: string, { tools }: TalosDoor) =>
  Promise.all([import('../engine/talos-contexts.ts'), tools.system(), readText(path, 'talosconfig')]);

async function show(
  found: readonly ShownContext[],
  path: string,
  output: 'text' | 'json',
  { out, paint }: Terminal,
): Promise<void> {
  if (output === 'json') {
    out(`${JSON.stringify({ file: path, contexts: found }, null, 2)}\n`);
    return;
  }
  const { table } = await import('./views/table.ts');
  const rows = found.map(({ current, name, endpoints, nodes, roles, expires, leftMs }) => [
    current ? '*' : '',
    name,
    endpoints.join(' '),
    nodes.join(' '),
    roles.join(' '),
    expires === null ? '' : `${expires.slice(0, 10)} (${leftMs <= 0 ? 'ended' : `in ${span(leftMs)}`})`,
  ]);
  const titles = ['', 'context', 'endpoints', 'nodes', 'roles', 'ends'].map((title) => ({ title }));
  out(`${path}\n${table(titles, rows, (text) => paint('dim', text)).join('\n')}\n`);
}
