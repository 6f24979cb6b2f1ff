import type { OpenTalos, ProbeTalos, ResetRequest, Standing, TalosNode, UpgradeProgress } from '../clients/talos.ts';
import { mustKeepQuorum } from '../execute/quorum.ts';
import { Problem } from '../model/problem.ts';
import { parseVersion } from '../model/version.ts';
import type { NamedNode } from './talos-nodes.ts';
import { waitUntil, type Patience, type Waiting } from './talos-wait.ts';

export type LifeTools = { readonly open: OpenTalos; readonly probe: ProbeTalos; readonly patience: Patience };

/** What happens to one node while it goes down and comes back. */
export type LifeEvent = { readonly node: string } & (
  | Waiting
  | { readonly kind: 'asked'; readonly for: string }
  | { readonly kind: 'progress'; readonly progress: UpgradeProgress }
  | { readonly kind: 'done'; readonly what: string }
);

export type Life = (
  node: TalosNode,
  named: NamedNode,
  tools: LifeTools,
  signal: AbortSignal,
) => AsyncIterable<Waiting | Told>;
type Told =
  Extract<LifeEvent, { kind: 'asked' | 'progress' | 'done' }> extends infer Event
    ? Event extends LifeEvent
      ? Omit<Event, 'node'>
      : never
    : never;

/** One node after the other, and no further than the first that fails: two control planes at once could cost the quorum. */
export async function* live(
  nodes: readonly NamedNode[],
  life: Life,
  tools: LifeTools,
  signal: AbortSignal,
): AsyncIterable<LifeEvent> {
  for (const named of nodes) {
    await using node = tools.open(named.target);
    for await (const event of life(node, named, tools, signal)) yield { node: named.name, ...event };
  }
}

export const rebooting = (mode: 'default' | 'powercycle' | 'force', wait: boolean): Life =>
  async function* (node, _, { patience }, signal) {
    const before = await node.bootId(signal);
    await node.reboot(mode, signal);
    yield { kind: 'asked', for: 'a reboot' };
    if (!wait) return;
    yield* backAfter(before, node, patience, signal);
    yield { kind: 'done', what: 'rebooted' };
  };

export const rollingBack = (wait: boolean): Life =>
  async function* (node, _, { patience }, signal) {
    const [before, from] = await Promise.all([node.bootId(signal), node.version(signal)]);
    await node.rollback(signal);
    yield { kind: 'asked', for: 'a rollback' };
    if (!wait) return;
    yield* backAfter(before, node, patience, signal);
    const { tag } = await node.version(signal);
    yield { kind: 'done', what: `rolled back from ${from.tag} to ${tag}` };
  };

export const shuttingDown = (force: boolean, wait: boolean): Life =>
  async function* (node, named, tools, signal) {
    await node.shutdown({ force }, signal);
    yield { kind: 'asked', for: 'a shutdown' };
    if (!wait) return;
    yield* standing(named, tools, 'the node to be off', ({ kind }) => kind === 'absent', signal);
    yield { kind: 'done', what: 'shut down' };
  };

export const resetting = (request: ResetRequest, wait: boolean): Life =>
  async function* (node, named, tools, signal) {
    const before = request.reboot && keepsConfig(request) ? await node.bootId(signal) : undefined;
    await node.reset(request, signal);
    yield { kind: 'asked', for: 'a reset' };
    if (!wait) return;
    if (before !== undefined) yield* backAfter(before, node, tools.patience, signal);
    else if (request.reboot)
      yield* standing(named, tools, 'maintenance mode', ({ kind }) => kind === 'maintenance', signal);
    else yield* standing(named, tools, 'the node to be off', ({ kind }) => kind === 'absent', signal);
    yield { kind: 'done', what: 'reset' };
  };

/** A reset that leaves the partition with the configuration comes back with it. */
const keepsConfig = ({ partitions = [], wipe }: ResetRequest): boolean =>
  wipe === 'user-disks' || (partitions.length > 0 && !partitions.includes('STATE'));

export type UpgradeRequest = {
  readonly image: string;
  readonly legacy?: boolean;
  readonly stage?: boolean;
  readonly force?: boolean;
};

export const upgrading = (
  imageFor: (node: TalosNode, signal: AbortSignal) => Promise<UpgradeRequest>,
  wait: boolean,
): Life =>
  async function* (node, _, { patience }, signal) {
    const [before, from] = await Promise.all([node.bootId(signal), node.version(signal)]);
    const request = await imageFor(node, signal);
    if (request.force !== true)
      await mustKeepQuorum(node, 'Add a third control plane first, or accept it with --force.', signal);
    let rebootsItself = false;
    for await (const progress of node.upgrade(request, signal)) {
      rebootsItself ||= progress.kind === 'accepted';
      yield { kind: 'progress', progress };
    }
    if (!rebootsItself) await node.reboot('default', signal);
    yield { kind: 'asked', for: 'a reboot into the new version' };
    if (!wait) return;
    yield* backAfter(before, node, patience, signal);
    const { tag } = await node.version(signal);
    const wanted = /:(v[^:@]+)(?:@.*)?$/.exec(request.image)?.[1];
    if (wanted !== undefined && parseVersion(wanted) !== undefined && tag !== wanted)
      throw new Problem('upgrade-rolled-back', `The node runs ${tag} after the upgrade, not ${wanted}.`, {
        remedy:
          'Talos goes back by itself when a new version does not start: look at its console and at\n    ichor talos dmesg',
      });
    yield { kind: 'done', what: from.tag === tag ? `installed ${tag} again` : `upgraded from ${from.tag} to ${tag}` };
  };

/** Back is: another boot, and every sequence of it done. Readiness would wait for a pod network that may come later. */
async function* backAfter(
  bootId: string,
  node: TalosNode,
  patience: Patience,
  signal: AbortSignal,
): AsyncGenerator<Waiting, true> {
  yield* waitUntil(
    'the node to boot again',
    async (each) => ((await node.bootId(each)) === bootId ? undefined : true),
    patience,
    signal,
  );
  return yield* waitUntil(
    'its boot to finish',
    async (each) => ((await node.machineStatus(each)).stage === 'running' ? true : undefined),
    patience,
    signal,
  );
}

async function* standing(
  { target }: NamedNode,
  { probe, patience }: LifeTools,
  what: string,
  reached: (standing: Standing) => boolean,
  signal: AbortSignal,
): AsyncGenerator<Waiting, true> {
  return yield* waitUntil(
    what,
    async (each) => (reached(await probe(target, each)) ? true : undefined),
    patience,
    signal,
  );
}
