import type { World } from '../model/world.ts';
import { observe } from '../observe/observe.ts';
import { materialOf, type PlatformMaterial } from './material.ts';
import type { EngineTools, Meant } from './run.ts';

/** Only what looking takes: nothing in it is used to change anything. */
export type LookTools = Pick<EngineTools, 'clock' | 'entropy' | 'store' | 'provider' | 'talos' | 'openKubernetes'>;

/** A platform as it is now, with what its file comes to. Nothing is changed. */
export async function lookAtPlatform(
  meant: Meant,
  tools: LookTools,
  signal: AbortSignal,
): Promise<{ readonly world: World; readonly material: PlatformMaterial }> {
  const { clock, store, talos, openKubernetes, provider } = tools;
  const material = materialOf(meant, store, tools);
  const eyes = { clock, reader: provider?.reader, talos, openKubernetes, store, wanted: material };
  const world = await observe(meant.platform, eyes, signal);
  return { world, material: world.provider === undefined ? material : material.knowing(world.provider.inventory) };
}
