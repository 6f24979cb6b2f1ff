import { Option, type Command } from 'commander';
import type { Imported } from '../engine.ts';
import { Problem } from '../model/problem.ts';
import { mustNotExist, readSources, writeWhole } from './files.ts';
import type { RunningDoor, RunningOptions } from './import-running.ts';
import { defaultFile, withOutput } from './options.ts';
import { listOption } from './talos-target.ts';
import type { Terminal } from './terminal.ts';

const origins = ['tfvars', 'talhelper', 'viti'] as const;

type Options = RunningOptions & {
  readonly running: boolean;
  readonly from?: (typeof origins)[number];
  readonly output: 'text' | 'json';
};

export function importFile(program: Command, door: RunningDoor): void {
  const { terminal } = door.talos;
  const command = program
    .command('import')
    .description(
      'write a platform file from a terraform.tfvars, a talconfig.yaml, Viti resources, or a cluster that runs',
    )
    .argument('[file...]', 'file to read, or - for standard input')
    .addOption(
      new Option('--from <kind>', 'what the file is (default: recognised by its name and what is in it)').choices(
        origins,
      ),
    )
    .option('--name <name>', 'name of the platform (default: that of the cluster)')
    .option('--out <file>', 'file to write (default: standard output)')
    .option('--force', 'write it over a file that is already there', false)
    .option('--running', 'read a cluster that runs, instead of a file; nothing on it is changed', false)
    .addOption(new Option('--talosconfig <file>', 'with --running: who you are there (default: as for ichor talos)'))
    .option('--context <name>', 'with --running: context of the talosconfig (default: its current one)')
    .addOption(listOption('-n, --nodes <list>', 'with --running: every node (default: those that discovery knows)'))
    .option('--proxmox <url>', 'with --running: where the machines are VMs, so that ichor keeps those too')
    .option('--token <file>', 'with --proxmox: file with the API token (default: $PROXMOX_TOKEN)')
    .option('--ca <file>', 'with --proxmox: certificate authority of the API');
  withOutput(command, ['text', 'json'], 'text, or json (the file, the notes and the problems as one object)')
    .addHelpText(
      'after',
      `
Examples:
  ichor import terraform.tfvars --out platform.yaml
  ichor import terraform.tfvars credentials.auto.tfvars --out platform.yaml
  ichor import talconfig.yaml --name home > platform.yaml
  ichor import --running --talosconfig talosconfig -n 10.10.0.11,10.10.0.21
  ichor import --running --talosconfig talosconfig --proxmox https://pve1.example.org:8006 --token token
  kubectl get kubernetescluster,machineclass,networknamespace -o yaml | ichor import - --from viti

What could not be carried over is said on standard error, with its place. Secrets of files are never copied; those of a
cluster that runs go to talos/secrets.yaml, which only you can read, and which is never written over.
Exits 0 when the file that came out is right, 1 when it is not.`,
    )
    .action(async (files: readonly string[], options: Options) => {
      process.exitCode = options.running ? await running(files, options, door) : await run(files, options, terminal());
    });
}

async function run(files: readonly string[], options: Options, terminal: Terminal): Promise<number> {
  const { from, name, out, force, output } = options;
  if (files.length === 0)
    throw new Problem('bad-options', 'There is no file to import.', {
      remedy: 'Name one, or read a cluster that runs:\n    ichor import --running',
    });
  if (name !== undefined && !isName(name)) throw wrongName(name);
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

async function running(files: readonly string[], options: Options, door: RunningDoor): Promise<number> {
  const terminal = door.talos.terminal();
  if (files.length > 0 || options.from !== undefined)
    throw new Problem('bad-options', 'A cluster that runs is not read from a file.', {
      remedy: `Leave ${files[0] ?? '--from'} out, or --running.`,
    });
  if (options.name !== undefined && !isName(options.name)) throw wrongName(options.name);
  const [{ importRunning }, { isError }, views] = await Promise.all([
    import('./import-running.ts'),
    import('../model/problem.ts'),
    import('./problems.ts'),
  ]);
  const { file, notes, problems, texts, machines } = await importRunning(options, door);
  const wrong = problems.some(isError);
  if (options.output === 'json') {
    const answer = { file, notes: notesJson(notes), problems: views.problemsJson(problems) };
    terminal.out(`${JSON.stringify(answer, null, 2)}\n`);
    return wrong ? 1 : 0;
  }
  for (const note of notes) terminal.err(noteText(note, terminal));
  for (const problem of problems) terminal.err(views.problemText(problem, texts, terminal));
  if (wrong) terminal.out(file);
  else terminal.out(importedText(options.out ?? defaultFile, machines, terminal));
  return wrong ? 1 : 0;
}

const importedText = (file: string, machines: number, { paint }: Terminal): string =>
  `${paint('green', 'written')}: ${file}, talos/secrets.yaml (${machines} ${machines === 1 ? 'machine' : 'machines'})\n\nNothing was changed. What ichor would do:\n    ichor plan -f ${file}\n`;

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

const isName = (name: string): boolean => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name);

const wrongName = (name: string): Problem =>
  new Problem('wrong-name', `"${name}" cannot be the name of a platform.`, {
    remedy: 'Use up to 63 lower-case letters, digits and dashes.',
  });
