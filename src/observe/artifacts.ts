import { unlessHidden } from './failure.ts';
import { lookAtAll } from './side-by-side.ts';
import type { WorldArtifact, WorldMachine } from '../model/world.ts';
import type { Eyes, Wanted } from './eyes.ts';

/** Whether the files that people get say what they should; certificates that are still good count as the same. */
export function lookAtArtifacts(
  machines: readonly Pick<WorldMachine, 'role' | 'wanted' | 'address'>[],
  secrets: 'there' | 'absent',
  { wanted, store }: { readonly wanted: Wanted; readonly store: Pick<Eyes['store'], 'artifact'> },
  found: ReadonlyMap<string, string>,
): Promise<readonly WorldArtifact[]> {
  const hidden = machines.some((each) => each.wanted && each.role === 'control-plane' && each.address === undefined);
  return lookAtAll(wanted.artifacts, wanted.artifacts.length, async (path): Promise<WorldArtifact> => {
    const text = await store.artifact(path);
    if (text === undefined) return { path, standing: 'absent' };
    if (secrets === 'absent') return { path, standing: 'other' };
    // Control planes that cannot be found at the moment are not taken out of it.
    if (path === 'talosconfig' && hidden) return { path, standing: 'same' };
    const asked = await unlessHidden(() => wanted.artifact(path, found));
    return { path, standing: asked.kind === 'unknown' || asked.value === text ? 'same' : 'other' };
  });
}
