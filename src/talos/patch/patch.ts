import type { Position } from '../../model/problem.ts';
import type { Path } from '../../spec/tree.ts';
import type { MachineConfig } from '../config/document.ts';

/** Who asked for a patch: narrower scopes come later and win. */
export type PatchScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'control-planes' }
  | { readonly kind: 'pool'; readonly pool: string }
  | { readonly kind: 'node'; readonly node: string };

/** A patch as a person wrote it: strategic merge (one or several documents), or a list of JSON patch operations. */
export type Patch = {
  readonly scope: PatchScope;
  /** Where it is written, for errors and provenance: `platform.yaml: cluster.patches[0]`. */
  readonly source: string;
  readonly text: string;
  /** Finds something of the patch in the file that it is written in; without it places are those in `text`. */
  readonly placeOf?: (inside: Path) => Position | undefined;
};

/** Where a field of the final configuration comes from, by its path: `machine.kubelet.image`, `HostnameConfig.auto`. */
export type Provenance = ReadonlyMap<string, string>;

export type Patched = { readonly config: MachineConfig; readonly provenance: Provenance };
