import type { Command } from 'commander';
import type { TalosEvent, TalosNode } from '../clients/talos.ts';
import type { NodeItem } from '../engine/talos-nodes.ts';
import { countOption, withOutput } from './options.ts';
import { failedNodes, untilInterrupted, type TalosDoor } from './talos-door.ts';
import { nodesOf, withTarget, type TargetOptions } from './talos-target.ts';
import type { Terminal } from './terminal.ts';
import { firstOf } from '../model/signals.ts';

type LogsOptions = TargetOptions & { readonly kubernetes: boolean; readonly follow: boolean; readonly tail?: number };
type DmesgOptions = TargetOptions & { readonly follow: boolean; readonly tail: boolean };
type EventsOptions = TargetOptions & {
  readonly output: 'text' | 'json';
  readonly follow: boolean;
  readonly tail?: number;
  readonly since?: string;
  readonly actorId?: string;
};

/** logs, dmesg and events. */
export function talosStreams(talos: Command, door: TalosDoor): void {
  withTarget(talos.command('logs').description('print the log of a service or container').argument('<service>'))
    .option('--follow', 'go on with what comes', false)
    .addOption(countOption('--tail <lines>', 'only the last lines'))
    .option('--kubernetes', 'a container of Kubernetes instead of a service of Talos', false)
    .addHelpText(
      'after',
      `\nExamples:\n  ichor talos logs etcd -n 10.10.0.11 --tail 20\n  ichor talos logs kubelet -n 10.10.0.11,10.10.0.12 --follow`,
    )
    .action(async (id: string, { kubernetes, follow, tail, ...target }: LogsOptions) => {
      const of = {
        id,
        follow,
        namespace: kubernetes ? 'k8s.io' : 'system',
        ...(tail === undefined ? {} : { tail }),
      } as const;
      await lines(target, follow, door, (node, signal) => node.logs(of, signal));
    });

  withTarget(talos.command('dmesg').description('print the kernel’s messages'))
    .option('--follow', 'go on with what comes', false)
    .option('--tail', 'only what comes from now on; needs --follow', false)
    .addHelpText(
      'after',
      `\nExamples:\n  ichor talos dmesg -n 10.10.0.11\n  ichor talos dmesg -n 10.10.0.11 --follow --tail`,
    )
    .action(async ({ follow, tail, ...target }: DmesgOptions) => {
      await lines(target, follow, door, (node, signal) => node.dmesg({ follow, tail }, signal));
    });

  withOutput(
    withTarget(talos.command('events').description('tell what happens on the nodes, until you stop it')),
    ['text', 'json'],
    'text or json (one event per line)',
  )
    .option('--no-follow', 'only what is known already; needs --tail')
    .addOption(countOption('--tail <events>', 'begin with the last events'))
    .option('--since <id>', 'begin after the event with this id')
    .option('--actor-id <id>', 'only what this actor set off')
    .addHelpText(
      'after',
      `\nExamples:\n  ichor talos events -n 10.10.0.11 --tail 20\n  ichor talos events -n 10.10.0.11 --tail 100 --no-follow --output json`,
    )
    .action(async (options: EventsOptions) => {
      process.exitCode = await events(options, door);
    });
}

type Streams = <T>(
  options: TargetOptions,
  endless: boolean,
  door: TalosDoor,
  stream: (node: TalosNode, signal: AbortSignal) => AsyncIterable<T>,
  show: (item: T, node: string, several: boolean) => void,
) => Promise<number>;

/** What nodes stream: node by node where it ends, as it comes where it does not. */
export const streams: Streams = (options, endless, door, stream, show) =>
  untilInterrupted(async (signal) => {
    const terminal = door.terminal();
    const [{ streamNode, inTurn, together }, { open }, nodes] = await Promise.all([
      import('../engine/talos-nodes.ts'),
      door.tools.client(),
      nodesOf(options, door),
    ]);
    const opened = nodes.map((node) => streamNode(node, open, stream, signal));
    const failed: NodeItem<unknown>[] = [];
    for await (const each of endless ? together(opened) : inTurn(opened)) {
      if (each.problem !== undefined) failed.push(each);
      else show(each.item, each.node, nodes.length > 1);
    }
    return failedNodes(failed, terminal);
  });

async function lines(
  options: TargetOptions,
  follow: boolean,
  door: TalosDoor,
  stream: (node: TalosNode, signal: AbortSignal) => AsyncIterable<Uint8Array>,
): Promise<void> {
  const terminal = door.terminal();
  const writers = new Map<string, LineWriter>();
  process.exitCode = await streams(options, follow, door, stream, (piece, node, several) => {
    const writer = writers.get(node) ?? lineWriter(terminal, several ? `${node}: ` : '');
    writers.set(node, writer);
    writer.write(piece);
  });
  for (const writer of writers.values()) writer.end();
}

type LineWriter = { readonly write: (piece: Uint8Array) => void; readonly end: () => void };

/** Whole lines, each with its node in front; pieces may end anywhere, also inside of a character. */
function lineWriter(terminal: Terminal, prefix: string): LineWriter {
  const decoder = new TextDecoder();
  let rest = '';
  return {
    write: (piece) => {
      const all = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = all.pop() ?? '';
      if (all.length > 0) terminal.out(all.map((line) => `${prefix}${line}\n`).join(''));
    },
    end: () => {
      const last = rest + decoder.decode();
      if (last !== '') terminal.out(`${prefix}${last}\n`);
    },
  };
}

async function events(
  { follow, tail, since, actorId, output, ...target }: EventsOptions,
  door: TalosDoor,
): Promise<number> {
  const { eventText } = await import('./views/talos-event.ts');
  const terminal = door.terminal();
  const from = {
    ...(tail === undefined ? {} : { tail }),
    ...(since === undefined ? {} : { after: since }),
    ...(actorId === undefined ? {} : { actor: actorId }),
  };
  const stream = (node: TalosNode, signal: AbortSignal): AsyncIterable<TalosEvent> =>
    follow ? node.events(from, signal) : known(node, tail ?? 0, from, signal);
  return streams(target, follow, door, stream, (event, node) =>
    terminal.out(`${output === 'json' ? JSON.stringify({ node, ...event }) : eventText(node, event, terminal)}\n`),
  );
}

/** The stream has no end of its own: what is known comes at once, and then nothing for a while. */
async function* known(
  node: TalosNode,
  tail: number,
  from: Parameters<TalosNode['events']>[0],
  signal: AbortSignal,
): AsyncIterable<TalosEvent> {
  // A connection takes as long as it takes; silence counts from then on.
  await node.version(signal);
  const quiet = new AbortController();
  const stop = (): ReturnType<typeof setTimeout> => setTimeout(() => quiet.abort(), quietMs);
  let timer = stop();
  let left = tail;
  using either = firstOf(signal, quiet.signal);
  try {
    for await (const event of node.events(from, either)) {
      clearTimeout(timer);
      yield event;
      if (--left <= 0) return;
      timer = stop();
    }
  } catch (error) {
    if (!quiet.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
}

const quietMs = 1000;
