import { isProblem } from './talos-node.ts';
import type { StepContext, Tools } from './tools.ts';

/**
 * A node can pull no installer that its factory was not told of. One that cannot be reached from here may know it all the same, or
 * nobody asks it: machines whose disk is an image already, and containers, install nothing. So it is said, and the node shows.
 */
export async function tellFactory(
  named: (id: string) => boolean,
  { material, registerSchematic }: Tools,
  { tell }: StepContext,
  signal: AbortSignal,
): Promise<void> {
  const schematic = material.schematics.find(({ id }) => named(id));
  if (schematic === undefined) return;
  try {
    await registerSchematic(schematic, signal);
  } catch (error) {
    if (!isProblem(error, 'image-unreachable')) throw error;
    tell({ kind: 'says', text: `${error.message} An installer that it was never told of cannot be pulled from it.` });
  }
}
