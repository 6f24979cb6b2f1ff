import type { Command } from 'commander';
import { Problem } from '../model/problem.ts';
import type { Holder, Store } from '../state/store.ts';
import { mustBeAnswerable, saysYes } from './consent.ts';
import { inFormat, withFormats, withYes, workspaceOption, type RunFormat } from './run-options.ts';
import { placeOf, type StoreDoor } from './store-door.ts';
import { untilInterrupted } from './talos-door.ts';
import { jsonText } from './views/json.ts';

type Options = { readonly workspace: string; readonly yes: boolean; readonly output: RunFormat };
type Found = NonNullable<Awaited<ReturnType<Store['holder']>>>;

export function unlock(program: Command, door: StoreDoor): void {
  const command = program
    .command('unlock')
    .description('break the lock of a run that is gone: shows who holds it first');
  withYes(withFormats(command.addOption(workspaceOption(command))))
    .addHelpText(
      'after',
      `
Examples:
  ichor unlock
  ichor unlock --workspace staging --yes

A lock whose holder is proved to be gone (same machine, and that process has ended) needs no unlock: the next run takes it.
Two runs at once can damage a cluster: make sure that the other one is over.`,
    )
    .action(async (options: Options) => {
      process.exitCode = await inFormat(options.output, door.terminal(), () =>
        untilInterrupted((signal) => run(options, door, signal)),
      );
    });
}

async function run(options: Options, door: StoreDoor, signal: AbortSignal): Promise<number> {
  const terminal = door.terminal();
  const { output } = options;
  const store = await door.store(options);
  const place = placeOf(store, options);
  const found = await store.holder();
  if (found === undefined) {
    terminal.out(
      output === 'text' ? `Nobody holds the lock of ${place}.\n` : jsonText(told(undefined), output, terminal),
    );
    return 0;
  }
  if (output === 'text') terminal.out(`${shown(found)}\n`);
  mustBeAnswerable(options, terminal, {
    about: output === 'text' ? '' : `${inOneLine(found)} `,
    first: 'Make sure that it is over, then say that you mean it:',
    command: 'ichor unlock',
  });
  const question = found.alive === 'yes' ? 'It is still running. Break its lock all the same?' : 'Break this lock?';
  if (!(await saysYes(question, options, terminal, signal)))
    throw new Problem('not-confirmed', 'The lock stays.', {
      remedy: 'Answer yes, or give --yes:\n    ichor unlock --yes',
    });
  const now = (await store.holder())?.holder;
  if (now !== undefined && (now.run !== found.holder.run || now.since !== found.holder.since))
    throw new Problem('lock-moved', `Meanwhile ${now.who} on ${now.host} has the lock: "${now.command}".`, {
      remedy: 'Look again:\n    ichor unlock',
    });
  await store.unlock();
  terminal.out(
    output === 'text' ? `${terminal.paint('green', 'unlocked')}: ${place}\n` : jsonText(told(found), output, terminal),
  );
  return 0;
}

const standing: Readonly<Record<Found['alive'], string>> = {
  yes: 'That process is still running.',
  no: 'That process is gone; the next run would take the lock by itself.',
  unknown: 'Whether that process still runs cannot be seen from here.',
};

const shown = ({ holder, alive }: Found): string =>
  [
    `${holder.who} on ${holder.host} holds the lock since ${holder.since}:`,
    `  command  ${holder.command}`,
    `  run      ${holder.run}`,
    `  process  ${holder.pid}`,
    standing[alive],
  ].join('\n');

const inOneLine = ({ holder: { who, host, since, command, run: id, pid }, alive }: Found): string =>
  `${who} on ${host} holds the lock since ${since}: "${command}" (run ${id}, process ${pid}). ${standing[alive]}`;

const told = (broken: Found | undefined): unknown => ({
  unlocked: broken !== undefined,
  ...(broken && { holder: plain(broken.holder), alive: broken.alive }),
});

function plain(holder: Holder): Omit<Holder, 'started'> {
  const { started: _, ...rest } = holder;
  return rest;
}
