import { Option, type Command } from 'commander';
import type { Imported } from '../engine.ts';
import { Problem } from '../model/problem.ts';
import { mustNotExist, readSources, writeWhole } from './files.ts';
import { defaultFile, withOutput } from './options.ts';
import type { Terminal } from './terminal.ts';

const origins = ['tfvars', 'talhelper', 'viti'] as const;

type Options = {
  readonly from?: (typeof origins)[number];
  readonly name?: string;
  readonly out?: string;
  readonly force: boolean;
  readonly output: 'text' | 'json';
};

export function importFile(program: Command, terminal: () => Terminal): void {
  const command = program
    .command('import')
    .description('write a platform file from a terraform.tfvars, a talconfig.yaml or Viti resources')
    .argument('<file...>', 'file to read, or - for standard input')
    .addOption(
      new Option('--from <kind>', 'what the file is (default: recognised by its name and what is in it)').choices(
        origins,
      ),
    )
    .option('--name <name>', 'name of the platform (default: that of the cluster)')
    .option('--out <file>', 'file to write (default: standard output)')
    .option('--force', 'write it over a file that is already there', false);
  withOutput(command, ['text', 'json'], 'text, or json (the file, the notes and the problems as one object)')
    .addHelpText(
      'after',
      `
Examples:
  ichor import terraform.tfvars --out platform.yaml
  ichor import terraform.tfvars credentials.auto.tfvars --out platform.yaml
  ichor import talconfig.yaml --name home > platform.yaml
  kubectl get kubernetescluster,machineclass,networknamespace -o yaml | ichor import - --from viti

What could not be carried over is said on standard error, with its place. Secrets are never copied.
Exits 0 when the file that came out is right, 1 when it is not.`,
    )
    .action(async (files: readonly string[], options: Options) => {
      process.exitCode = await run(files, options, terminal());
    });
}

async function run(files: readonly string[], options: Options, terminal: Terminal): Promise<number> {
  const { from, name, out, force, output } = options;
  if (name !== undefined && !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) throw wrongName(name);
  if (out !== undefined && !force) await mustNotExist(out, '--out');
  const [{ importFrom }, { isError }, views, sources] = await Promise.all([
    import('../engine.ts'),
    import('../model/problem.ts'),
    import('./problems.ts'),
    readSources(files),
  ]);
  const imported = await importFrom(sources, { from, name, target: out ?? defaultFile });
  const { file, notes, problems, texts } = imported;
  if (out !== undefined && file !== undefined) await writeWhole(out, file);
  if (output === 'json') {
    const answer = { file: file ?? null, notes: notesJson(notes), problems: views.problemsJson(problems) };
    terminal.out(`${JSON.stringify(answer, null, 2)}\n`);
  } else {
    if (out === undefined) terminal.out(file ?? '');
    for (const note of notes) terminal.err(noteText(note, terminal));
    for (const problem of problems) terminal.err(views.problemText(problem, texts, terminal));
    if (out !== undefined && file !== undefined) terminal.out(`${terminal.paint('green', 'written')}: ${out}\n`);
  }
  return problems.some(isError) ? 1 : 0;
}

type Note = Imported['notes'][number];

const notesJson = (notes: readonly Note[]): readonly Record<string, unknown>[] =>
  notes.map(({ at, path, message }) => ({
    file: at?.file ?? null,
    line: at?.line ?? null,
    column: at?.column ?? null,
    path,
    message,
  }));

function noteText({ at, path, message }: Note, { paint }: Terminal): string {
  const where = at ? `${paint('bold', `${at.file}:${at.line}:${at.column}`)}: ` : '';
  return `${where}${paint('blue', 'note')}: ${path === '' ? '' : `${path}: `}${message}\n`;
}

const wrongName = (name: string): Problem =>
  new Problem('wrong-name', `"${name}" cannot be the name of a platform.`, {
    remedy: 'Use up to 63 lower-case letters, digits and dashes.',
  });
