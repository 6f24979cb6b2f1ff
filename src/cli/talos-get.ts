import type { Command } from 'commander';
import type { ResourceDefinition, ResourceChange } from '../clients/talos.ts';
import type { NodeAnswer } from '../engine/talos-nodes.ts';
import type { Found, Seen, Wanted } from '../engine/talos-resources.ts';
import { withOutput } from './options.ts';
import { failedNodes, untilInterrupted, type TalosDoor } from './talos-door.ts';
import { streams } from './talos-streams.ts';
import { nodesOf, withTarget, type TargetOptions } from './talos-target.ts';
import type { Terminal } from './terminal.ts';

type Options = TargetOptions & {
  readonly output: 'text' | 'yaml' | 'json';
  readonly namespace?: string;
  readonly watch: boolean;
  readonly showSecrets: boolean;
};

export function talosGet(talos: Command, door: TalosDoor): void {
  const command = talos
    .command('get')
    .description('show what a node knows: resources by type or alias, as talosctl get does')
    .argument('<type>', 'type or alias, such as members, addresses, machinestatus; rd lists all types')
    .argument('[id]', 'only this one');
  withOutput(withTarget(command), ['text', 'yaml', 'json'], 'text, yaml or json')
    .option('--namespace <name>', 'namespace (default: that of the type)')
    .option('--watch', 'go on with every change', false)
    .option('--show-secrets', 'also types that hold secrets', false)
    .addHelpText(
      'after',
      `
Examples:
  ichor talos get members
  ichor talos get machinestatus -n 10.10.0.11 --output yaml
  ichor talos get services etcd -n 10.10.0.11 --watch`,
    )
    .action(async (type: string, id: string | undefined, options: Options) => {
      const wanted: Wanted = {
        type,
        secrets: options.showSecrets,
        ...(id === undefined ? {} : { id }),
        ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
      };
      process.exitCode = options.watch ? await watch(wanted, options, door) : await list(wanted, options, door);
    });
}

const list = (wanted: Wanted, options: Options, door: TalosDoor): Promise<number> =>
  untilInterrupted(async (signal) => {
    const terminal = door.terminal();
    const [{ askNodes }, { findResources }, { open }, nodes] = await Promise.all([
      import('../engine/talos-nodes.ts'),
      import('../engine/talos-resources.ts'),
      door.tools.client(),
      nodesOf(options, door),
    ]);
    const answers = await askNodes(nodes, open, (node, stop) => findResources(node, wanted, stop), signal);
    terminal.out(await rendered(answers, options.output, terminal));
    return failedNodes(answers, terminal);
  });

async function rendered(
  answers: readonly NodeAnswer<Found>[],
  output: Options['output'],
  terminal: Terminal,
): Promise<string> {
  const [{ resourceJson, resourceRow, resourceTitles, resourceYaml }, { table }] = await Promise.all([
    import('./views/talos-resource.ts'),
    import('./views/table.ts'),
  ]);
  const found = answers.flatMap(({ node, answer }) => (answer === undefined ? [] : [{ node, ...answer }]));
  const all = found.flatMap(({ node, definition, resources }) =>
    resources.map((resource) => ({ node, definition, resource })),
  );
  switch (output) {
    case 'json':
      return `${JSON.stringify({ resources: all.map(({ node, resource }) => resourceJson(node, resource)) }, null, 2)}\n`;
    case 'yaml':
      return all.map(({ node, resource }) => resourceYaml(node, resource)).join('---\n');
    case 'text': {
      const [first] = found;
      if (first === undefined) return '';
      if (all.length === 0) return 'none\n';
      const titles = ['node', ...resourceTitles(first.definition)].map((title) => ({ title }));
      const rows = all.map(({ node, definition, resource }) => [node, ...resourceRow(definition, resource)]);
      return `${table(titles, rows, (text) => terminal.paint('dim', text)).join('\n')}\n`;
    }
  }
}

const signs: Readonly<Record<ResourceChange['kind'], string>> = {
  created: '+',
  updated: '~',
  destroyed: '-',
  bootstrapped: '',
};

async function watch(wanted: Wanted, options: Options, door: TalosDoor): Promise<number> {
  const [{ watchResources }, { resourceJson, resourceRow, resourceYaml }] = await Promise.all([
    import('../engine/talos-resources.ts'),
    import('./views/talos-resource.ts'),
  ]);
  const terminal = door.terminal();
  const definitions = new Map<string, ResourceDefinition>();
  const shown = (seen: Seen, node: string): string => {
    if (seen.kind === 'definition') {
      definitions.set(node, seen.definition);
      return '';
    }
    const definition = definitions.get(node);
    if (seen.change.kind === 'bootstrapped' || definition === undefined) return '';
    const { kind, resource } = seen.change;
    switch (options.output) {
      case 'json':
        return `${JSON.stringify({ event: kind, ...resourceJson(node, resource) })}\n`;
      case 'yaml':
        return `# ${kind}\n${resourceYaml(node, resource)}---\n`;
      case 'text':
        return `${[signs[kind], node, ...resourceRow(definition, resource)].join('  ').trimEnd()}\n`;
    }
  };
  return streams(
    options,
    true,
    door,
    (node, signal) => watchResources(node, wanted, signal),
    (seen, node) => terminal.out(shown(seen, node)),
  );
}
