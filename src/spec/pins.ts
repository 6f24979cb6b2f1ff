import type { PlatformDraft } from './expand.ts';
import { machineNamed } from './names.ts';
import type { Path } from './tree.ts';

const at = (...steps: string[]) => ['spec', 'cluster', ...steps];

export type Pin = { readonly host: string; readonly path: Path };

/** The host that the file fixes for each machine, and where it says so. */
export function pinsOf(
  { spec, name }: PlatformDraft,
  machines: ReadonlyMap<string, { readonly name: string }>,
): ReadonlyMap<string, readonly Pin[]> {
  const pins = new Map<string, Pin[]>();
  const add = (written: string, host: string | undefined, path: Path): void => {
    const machine = machineNamed(written, name, machines);
    if (machine !== undefined && host !== undefined)
      pins.set(machine.name, [...(pins.get(machine.name) ?? []), { host, path }]);
  };
  for (const [written, host] of Object.entries(spec.cluster?.placement?.pinned ?? {}))
    add(written, host, at('placement', 'pinned', written));
  for (const [written, node] of Object.entries(spec.cluster?.nodes ?? {}))
    add(written, node?.host, at('nodes', written, 'host'));
  return pins;
}
