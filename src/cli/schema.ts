import type { Command } from 'commander';
import { formatOption } from './options.ts';
import type { Terminal } from './terminal.ts';

type Options = { readonly crd?: boolean; readonly output?: 'json' | 'yaml' };

export function schema(program: Command, terminal: () => Terminal): void {
  program
    .command('schema')
    .description('print the schema of the file, for editors or for an API server')
    .argument('[kind]', 'only this kind, such as Platform; or Hosts, the file of --hosts')
    .option('--crd', 'the CustomResourceDefinitions that make an API server know the resources')
    .addOption(formatOption(['json', 'yaml'], 'json or yaml (default: json, with --crd yaml)'))
    .addHelpText(
      'after',
      `
Examples:
  ichor schema > ichor.schema.json              then, as the first line of a file:
                                                # yaml-language-server: $schema=./ichor.schema.json
  ichor schema Platform
  ichor schema --crd | kubectl apply -f -
  ichor schema --crd Platform --output json`,
    )
    .action(async (kind: string | undefined, options: Options) => print(kind, options, terminal()));
}

async function print(kind: string | undefined, { crd, output }: Options, terminal: Terminal): Promise<void> {
  const engine = await import('../engine.ts');
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  if (crd === true) {
    const items = await engine.resourceDefinitions(kind);
    terminal.out(output === 'json' ? json({ apiVersion: 'v1', kind: 'List', items }) : engine.yamlText(items));
  } else {
    const document = await engine.editorSchema(kind);
    terminal.out(output === 'yaml' ? engine.yamlText([document]) : json(document));
  }
}
