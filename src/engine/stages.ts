import type { Found, Handlers, Tools } from '../execute/tools.ts';
import type { Problem } from '../model/problem.ts';
import type { World } from '../model/world.ts';
import type { Eyes } from '../observe/eyes.ts';
import type { Platform } from '../spec/platform.ts';
import type { PlatformMaterial } from './material.ts';
import type { EngineTools, Meant, Preview, RunOptions } from './run.ts';

/** What a run goes through, handed in so that a test can take its part. */
export type Stages = {
  readonly material: (meant: Meant, tools: EngineTools) => PlatformMaterial;
  readonly observe: (platform: Platform, eyes: Eyes, signal: AbortSignal) => Promise<World>;
  readonly plan: (platform: Platform, world: World, options: RunOptions) => Pick<Preview, 'plan' | 'proof'>;
  /** What would stop it later, looked at before the first write. Warnings are among them. */
  readonly preflight: (
    meant: Meant,
    preview: Preview,
    tools: EngineTools,
    signal: AbortSignal,
  ) => Promise<readonly Problem[]>;
  readonly handlers: Handlers;
};

/** What was seen and what is to be done about it, with what handlers need for it. */
export type Sight = Preview & { readonly tools: Tools };

/** One look at the world, and the plan that comes of it. Nothing is changed. */
export async function look(
  meant: Meant,
  options: RunOptions,
  given: {
    readonly stages: Stages;
    readonly tools: EngineTools;
    readonly found: Found;
    readonly material: PlatformMaterial;
  },
  signal: AbortSignal,
): Promise<Sight> {
  const { stages, tools, found, material } = given;
  const { platform } = meant;
  const eyes: Eyes = {
    clock: tools.clock,
    reader: tools.provider?.reader,
    talos: { open: tools.talos.open, probe: tools.talos.probe },
    openKubernetes: tools.openKubernetes,
    store: tools.store,
    wanted: material,
    found: found.addresses,
  };
  const world = await stages.observe(platform, eyes, signal);
  remember(world, found);
  const knowing = world.provider === undefined ? material : material.knowing(world.provider.inventory);
  return { world, ...stages.plan(platform, world, options), tools: { ...tools, found, material: knowing } };
}

export const nothingFound = (): Found => ({ addresses: new Map(), refs: new Map(), images: new Map() });

/** What was seen just now counts more than what was found before it. */
function remember({ machines }: World, { addresses, refs }: Found): void {
  addresses.clear();
  refs.clear();
  for (const { name, address, vm } of machines) {
    if (address !== undefined) addresses.set(name, address);
    if (vm?.kind !== 'known' || vm.value === null) continue;
    const { mark, id, host } = vm.value;
    refs.set(name, { mark, id, host });
  }
}
