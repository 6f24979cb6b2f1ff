import { isDeepStrictEqual } from 'node:util';
import { formatPath, type Path } from '../../spec/tree.ts';
import type { ConfigDocument, MachineConfig, Value } from '../config/document.ts';
import { documentPath } from '../config/identity.ts';
import type { Provenance } from './patch.ts';

/** Who decided each value of a configuration after a change: whoever did before, and `source` what is new or different. */
export function traceChange(
  before: MachineConfig,
  after: MachineConfig,
  provenance: Provenance,
  source: string,
): Provenance {
  const traced = new Map<string, string>();
  for (const document of after) {
    const path = documentPath(document);
    const old = before.find((other) => formatPath(documentPath(other)) === formatPath(path));
    trace({ traced, provenance, source }, document, old, path, path);
  }
  return traced;
}

type Tracing = {
  readonly traced: Map<string, string>;
  readonly provenance: Provenance;
  readonly source: string;
};

function trace(tracing: Tracing, value: Value, old: Value | undefined, path: Path, oldPath: Path): void {
  const children = childrenOf(value);
  if (children.length === 0) {
    const kept = old !== undefined && isDeepStrictEqual(value, old);
    const owner = kept ? ownerOf(tracing.provenance, oldPath) : tracing.source;
    if (owner !== undefined) tracing.traced.set(formatPath(path), owner);
    return;
  }
  const places = Array.isArray(value) ? oldPlaces(value as readonly Value[], old) : undefined;
  for (const [step, child] of children) {
    const oldStep = places === undefined ? step : places[Number(step)];
    const oldChild = oldStep === undefined ? undefined : childAt(old, oldStep);
    trace(tracing, child, oldChild, [...path, step], oldStep === undefined ? [] : [...oldPath, oldStep]);
  }
}

const childrenOf = (value: Value): readonly (readonly [string | number, Value])[] => {
  if (Array.isArray(value)) return (value as readonly Value[]).map((item, index) => [index, item]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
};

function childAt(value: Value | undefined, step: string | number): Value | undefined {
  if (Array.isArray(value)) return (value as readonly Value[])[Number(step)];
  return typeof value === 'object' && value !== null ? (value as ConfigDocument)[step] : undefined;
}

/** Which item of the old list each item was: the same one, or the one in its place when the list did not shrink. */
function oldPlaces(items: readonly Value[], old: Value | undefined): readonly (number | undefined)[] {
  const before = Array.isArray(old) ? (old as readonly Value[]) : [];
  const taken = new Set<number>();
  const same = items.map((item) => {
    const at = before.findIndex((other, index) => !taken.has(index) && isDeepStrictEqual(other, item));
    if (at !== -1) taken.add(at);
    return at === -1 ? undefined : at;
  });
  return same.map((at, index) => at ?? (index < before.length && !taken.has(index) ? index : undefined));
}

/** The entry of the value, or of what it is part of. */
export function ownerOf(provenance: Provenance, path: Path): string | undefined {
  for (let length = path.length; length > 0; length--) {
    const owner = provenance.get(formatPath(path.slice(0, length)));
    if (owner !== undefined) return owner;
  }
  return undefined;
}
