import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { realCache } from './cache.ts';
import { removeCgroups } from './cgroups.ts';
import { registryPort } from './fitting.ts';
import { type Held, lockFile, tryLock } from './lock-file.ts';
import { bridgeDown, bridgeUp, type NodeNetwork, unplugLeftovers } from './network.ts';
import type { NodePlace } from './node.ts';
import type { Parts } from './parts.ts';
import { answers, endProcess } from './processes.ts';

/** The place where real nodes live, until it is left: nodes are ended before. */
export type Land = AsyncDisposable & { readonly place: NodePlace };

type LandOptions = {
  readonly parts: Pick<Parts, 'nodebox' | 'root'> & { readonly images: string | undefined };
  /** Chosen once the place is ours, so that what was left behind is in nobody’s way. */
  readonly network: () => Promise<NodeNetwork>;
};

const lockPath = (): string => realCache('talos-nodes.lock');
const runFolder = '/run/ichor-real';
const stateFolder = (): string => realCache('talos-nodes');

/** There is one on a machine: who comes second waits, and is told. */
export async function waitForLand(options: LandOptions, waiting: (owner: string) => void): Promise<Land> {
  await mkdir(realCache('.'), { recursive: true });
  return openLand(options, await lockFile(lockPath(), waiting));
}

/** Or hears at once who is there. */
export async function tryLand(options: LandOptions): Promise<Land | Held> {
  await mkdir(realCache('.'), { recursive: true });
  const lock = await tryLock(lockPath());
  return 'by' in lock ? lock : openLand(options, lock);
}

/** What somebody left who was killed; nothing happens while anybody is there. */
export async function sweepLand(): Promise<void> {
  await mkdir(realCache('.'), { recursive: true });
  const lock = await tryLock(lockPath());
  if ('by' in lock) return;
  await removeLeftovers();
  await lock[Symbol.asyncDispose]();
}

async function openLand({ parts, network: choose }: LandOptions, lock: AsyncDisposable): Promise<Land> {
  const undo: (() => unknown)[] = [() => lock[Symbol.asyncDispose]()];
  const end = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    await removeLeftovers();
    undo.push(removeLeftovers);
    const network = await choose();
    await bridgeUp(network);
    undo.push(bridgeDown);
    if (parts.images !== undefined) undo.push(await startRegistry(parts.nodebox, parts.images, network.gateway));
    const place = { nodebox: parts.nodebox, root: parts.root, network, state: stateFolder(), run: runFolder };
    return { place, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function removeLeftovers(): Promise<void> {
  await unplugLeftovers();
  await removeCgroups();
  for (const folder of [runFolder, stateFolder()]) await rm(folder, { recursive: true, force: true });
}

async function startRegistry(nodebox: string, images: string, gateway: string): Promise<() => Promise<void>> {
  const child = spawn(nodebox, ['registry', '-dir', images, '-addr', `${gateway}:${registryPort}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await answers(gateway, registryPort, child, 'the image registry');
  return () => endProcess(child, 'SIGTERM');
}
