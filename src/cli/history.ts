import type { Command } from 'commander';
import type { HistoryRow } from '../engine/history.ts';
import { nearest } from '../model/nearest.ts';
import { Problem } from '../model/problem.ts';
import type { JournalEntry, PastRun } from '../state/store.ts';
import { inFormat, withFormats, workspaceOption, type RunFormat } from './run-options.ts';
import { placeOf, type StoreDoor } from './store-door.ts';
import type { Terminal } from './terminal.ts';
import { lasting } from './views/duration.ts';
import { jsonText } from './views/json.ts';
import { table } from './views/table.ts';

type Options = { readonly workspace: string; readonly output: RunFormat };

export function history(program: Command, door: StoreDoor): void {
  const command = program
    .command('history')
    .description('runs of the past: who, what changed, how long, how it ended')
    .argument('[run]', 'one run, step by step');
  withFormats(command.addOption(workspaceOption(command)))
    .addHelpText(
      'after',
      `
Examples:
  ichor history
  ichor history --output json
  ichor history 20261117T101500Z-4f2a

A run that is unfinished was cut off, or is still running; ichor up takes up what it left.`,
    )
    .action(async (run: string | undefined, options: Options) => {
      const terminal = door.terminal();
      process.exitCode = await inFormat(options.output, terminal, async () => {
        const store = await door.store(options);
        const runs = await store.runs();
        if (run === undefined) await showAll(runs, placeOf(store, options), options.output, terminal);
        else await showOne(chosen(runs, run), options.output, terminal);
        return 0;
      });
    });
}

async function showAll(
  runs: readonly PastRun[],
  where: string,
  output: Options['output'],
  terminal: Terminal,
): Promise<void> {
  const { historyOf } = await import('../engine/history.ts');
  const rows = historyOf(runs);
  if (output !== 'text') terminal.out(jsonText({ runs: rows }, output, terminal));
  else if (rows.length === 0) terminal.out(`There was no run of ${where}.\n`);
  else terminal.out(`${tableOf(rows, terminal).join('\n')}\n`);
}

const columns = [
  { title: 'run' },
  { title: 'began' },
  { title: 'who' },
  { title: 'what' },
  { title: 'outcome' },
  { title: 'changed', align: 'right' },
  { title: 'took', align: 'right' },
  { title: 'command' },
] as const;

const tableOf = (rows: readonly HistoryRow[], terminal: Terminal): readonly string[] =>
  table(
    columns,
    rows.map(({ id, began, who, host, intent, outcome, changed, ms, command }) => [
      id,
      moment(began),
      who === undefined ? '' : `${who}@${host ?? ''}`,
      intent === undefined ? '' : intent === 'destroy' ? 'destroy' : 'up',
      outcome,
      String(changed),
      lasting(ms),
      command ?? '',
    ]),
    (title) => terminal.paint('dim', title),
  );

const moment = (iso: string | undefined): string => (iso ?? '').replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

function chosen(runs: readonly PastRun[], written: string): PastRun {
  const found = runs.filter(({ id }) => id === written || id.startsWith(written));
  const [only] = found.length === 1 ? found : found.filter(({ id }) => id === written);
  if (only !== undefined) return only;
  const guess = nearest(
    written,
    runs.map(({ id }) => id),
  );
  throw new Problem(
    'no-such-run',
    found.length > 1 ? `"${written}" begins the names of ${found.length} runs.` : `There is no run "${written}".`,
    { remedy: `${guess === undefined ? '' : `Did you mean ${guess}? `}See which there are:\n    ichor history` },
  );
}

async function showOne(run: PastRun, output: Options['output'], terminal: Terminal): Promise<void> {
  const { historyOf } = await import('../engine/history.ts');
  const [row] = historyOf([run]);
  if (row === undefined) throw new Error('A run has no row.');
  if (output !== 'text') {
    terminal.out(jsonText({ ...row, entries: run.entries }, output, terminal));
    return;
  }
  const head = [
    `run      ${row.id}`,
    `who      ${row.who ?? '?'} on ${row.host ?? '?'}`,
    `command  ${row.command ?? '?'}`,
    `began    ${moment(row.began)}`,
    `took     ${lasting(row.ms)}`,
    `outcome  ${row.outcome}, ${row.changed} changed`,
  ];
  const lines = run.entries.flatMap((entry) => lineOf(entry, row.began));
  terminal.out(`${[...head, '', ...lines].join('\n')}\n`);
}

/** What happened, with the seconds since the run began. */
function lineOf(entry: JournalEntry, began: string | undefined): readonly string[] {
  const after = (Date.parse(entry.at) - Date.parse(began ?? entry.at)) / 1000;
  const line = (text: string): readonly string[] => [`${`+${after.toFixed(1)} s`.padStart(10)}  ${text}`];
  switch (entry.kind) {
    case 'began':
      return [];
    case 'planned':
      return line(`pass ${entry.pass}: ${entry.steps} step${entry.steps === 1 ? '' : 's'} to do`);
    case 'intent':
      return line(`${entry.step}: ${entry.because}${entry.attempt > 1 ? ` (attempt ${entry.attempt})` : ''}`);
    case 'done':
      return line(`${entry.step} done in ${lasting(entry.ms)}`);
    case 'failed':
      return line(`${entry.step} failed: ${entry.message}`);
    case 'ended':
      return line(`${entry.outcome}, ${entry.changed} changed`);
  }
}
