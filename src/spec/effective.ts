import { nearest } from '../model/nearest.ts';
import { Problem, type Position } from '../model/problem.ts';
import { looksSecret, shownText } from '../model/secrets.ts';
import { check } from './check.ts';
import { withDefaults } from './defaults.ts';
import { derivedAt, type Derived } from './derived.ts';
import type { FileDocument } from './documents.ts';
import { seatsOf, byName, type PlatformDraft } from './expand.ts';
import { kinds } from './kinds.ts';
import { machineNamed } from './names.ts';
import type { Place } from './place.ts';
import { fieldsOf, itemOf, noteFor, valueOf, type Schema } from './schema-walk.ts';
import { platform } from './schema/platform.ts';
import { formatPath, locate, toValue, type Path, type PathStep, type Tree } from './tree.ts';
import { withNodePools } from './viti/short-form.ts';

/** Who decided a value. */
type Origin =
  | { readonly kind: 'written'; readonly at: Position }
  | { readonly kind: 'default' }
  /** `from` is the value that it follows from, `at` where that one is written. */
  | { readonly kind: 'derived'; readonly how: string; readonly from?: string; readonly at?: Position }
  | { readonly kind: 'unset' };

/** What holds in the end at one path. */
export type EffectiveValue = {
  readonly path: string;
  /** As a person would write it; undefined when it is not known yet, or when it is hidden. */
  readonly value: unknown;
  /** Secret, or written like one: not to be shown to anybody. */
  readonly hidden: boolean;
  readonly origin: Origin;
};

/** What was found for each machine, by its name; what is not known yet is undefined. */
export type FoundMachines = ReadonlyMap<
  string,
  { readonly [key in 'vmid' | 'mac' | 'uuid' | 'host']: number | string | undefined }
>;

/** Every value at a place of a document and below, with who decided it. */
export function effectiveValues(
  document: FileDocument,
  place: Place,
  problems: readonly Problem[],
  machines: FoundMachines = new Map(),
): readonly EffectiveValue[] {
  const inClear = problems.flatMap(({ code, path }) =>
    code === 'secret-in-clear' && path !== undefined ? [path] : [],
  );
  const reader = new EffectiveReader(document, place, new Set(inClear), machines);
  return reader.read();
}

const nodesAt = ['spec', 'cluster', 'nodes'];
const isNodes = (path: Path): boolean => nodesAt.every((step, index) => path[index] === step);

class EffectiveReader {
  readonly #place: Place;
  readonly #tree: Tree;
  /** The whole document, as written and with its defaults. */
  readonly #whole: unknown;
  readonly #platform: PlatformDraft | undefined;
  readonly #inClear: ReadonlySet<string>;
  readonly #machines: FoundMachines;

  constructor({ kind, name, tree }: FileDocument, place: Place, inClear: ReadonlySet<string>, machines: FoundMachines) {
    this.#machines = machines;
    this.#place = place;
    this.#tree = kind === 'KubernetesCluster' ? withNodePools(tree) : tree;
    this.#whole = withDefaults(kinds[kind].document, toValue(this.#tree));
    this.#platform = kind === 'Platform' ? { name, spec: check(platform, tree).draft.spec ?? {} } : undefined;
    this.#inClear = inClear;
  }

  read(): readonly EffectiveValue[] {
    const paths = expand(this.#whole, this.#asked());
    return paths.flatMap((path) => {
      const found = [...this.#walk(this.#place.schema, valueAt(this.#whole, path), path, this.#startsSecret(path))];
      return found.length > 0 ? found : [this.#absent(this.#place.schema, path)];
    });
  }

  /** Whether the path that was asked for goes through a name that a person chose, and that looks secret. */
  #startsSecret(path: Path): boolean {
    const { pattern } = this.#place;
    const chosen = path.slice(pattern.at(-1) === '<name>' ? pattern.length - 1 : pattern.length);
    return chosen.some((step) => looksSecret(String(step)));
  }

  /** A machine may be named with or without the platform's name, and need not stand under nodes at all. */
  #asked(): Path {
    const { path } = this.#place;
    const written = path[3];
    if (this.#platform === undefined || !isNodes(path) || written === undefined || written === '*') return path;
    const { name } = this.#platform;
    const machines = byName(seatsOf(this.#platform));
    const machine = machineNamed(String(written), name, machines);
    if (machine === undefined) {
      const meant = nearest(
        String(written),
        [...machines.keys()].flatMap((known) => [known, known.replace(`${name}-`, '')]),
      );
      throw new Problem('unknown-machine', `There is no machine "${written}" in the platform "${name}".`, {
        remedy:
          meant === undefined
            ? `Machines there: ${[...machines.keys()].slice(0, 8).join(', ')}.`
            : `Did you mean "${meant}"?`,
      });
    }
    const nodes = Object.keys(valueAt(this.#whole, nodesAt) ?? {});
    const key = nodes.find((candidate) => machineNamed(candidate, name, machines) === machine) ?? String(written);
    return [...nodesAt, key, ...path.slice(4)];
  }

  /** `secret`: the name that leads here was chosen by a person, and looks like that of a secret. */
  *#walk(schema: Schema | undefined, value: unknown, path: Path, secret = false): Iterable<EffectiveValue> {
    const note = schema === undefined ? {} : noteFor(schema);
    const fields = schema && fieldsOf(schema);
    if (note.secret === true && !isMap(value)) {
      if (value !== undefined) yield this.#leaf(path, value, true);
    } else if (fields !== undefined && (isMap(value) || this.#isMachine(path))) {
      yield* this.#walkFields(fields, isMap(value) ? value : {}, path);
    } else {
      const each = schema === undefined || note.free === true ? undefined : (valueOf(schema) ?? itemOf(schema));
      const entries = isPlainList(value) ? [] : entriesOf(value);
      for (const [step, inner] of entries)
        yield* this.#walk(each, inner, [...path, step], (each === undefined && secret) || looksSecret(String(step)));
      if (entries.length === 0 && value !== undefined) yield this.#leaf(path, value, secret);
    }
  }

  *#walkFields(
    fields: Readonly<Record<string, Schema>>,
    value: Record<string, unknown>,
    path: Path,
  ): Iterable<EffectiveValue> {
    let empty = true;
    for (const [key, field] of Object.entries(fields)) {
      const inside =
        value[key] === undefined ? this.#derived(field, [...path, key]) : this.#walk(field, value[key], [...path, key]);
      for (const found of inside) {
        empty = false;
        yield found;
      }
    }
    if (empty) yield this.#leaf(path, value);
  }

  /** Machines have all their values from somewhere, also those that the file does not name. */
  #isMachine(path: Path): boolean {
    return this.#platform !== undefined && isNodes(path) && path.length === 4;
  }

  #leaf(path: Path, value: unknown, secret = false): EffectiveValue {
    const shown = shownValue(value);
    const hidden = secret || this.#inClear.has(formatPath(path)) || shown === undefined;
    const { depth, node } = locate(this.#tree, path);
    const origin: Origin = depth === path.length ? { kind: 'written', at: node.at } : { kind: 'default' };
    return { path: formatShort(path), value: hidden ? undefined : shown, hidden, origin };
  }

  /** What ichor finds for a field that the file leaves open; nothing when it is not known before something runs. */
  *#derived(field: Schema, path: Path): Iterable<EffectiveValue> {
    const { derived: how } = noteFor(field);
    const inside = isNodes(path) && this.#place.path.length < 4;
    const found = how === undefined || inside ? undefined : this.#derive(path);
    if (found !== undefined && how !== undefined) yield this.#found(path, how, found);
  }

  #derive(path: Path): Derived | undefined {
    return this.#platform && (derivedAt(this.#platform, path) ?? identityAt(this.#platform, path, this.#machines));
  }

  #found(path: Path, how: string, { value, from }: Derived): EffectiveValue {
    const { depth, node, keyAt } = locate(this.#tree, from);
    const at = depth < from.length ? undefined : node.kind === 'scalar' ? node.at : (keyAt ?? node.at);
    return {
      path: formatShort(path),
      value: value ?? valueAt(this.#whole, from),
      hidden: false,
      origin: { kind: 'derived', how, from: formatShort(from), ...(at === undefined ? {} : { at }) },
    };
  }

  #absent(schema: Schema, path: Path): EffectiveValue {
    const { derived: how } = noteFor(schema);
    const found = how === undefined ? undefined : this.#derive(path);
    if (how !== undefined && found !== undefined) return this.#found(path, how, found);
    const origin: Origin = how === undefined ? { kind: 'unset' } : { kind: 'derived', how };
    return { path: formatShort(path), value: undefined, hidden: false, origin };
  }
}

/** What VMIDs, addresses of network cards, UUIDs and hosts follow from. */
const identityFrom: Readonly<Record<string, Path>> = {
  vmid: ['spec', 'machines', 'proxmox', 'vmids'],
  mac: ['metadata', 'name'],
  uuid: ['metadata', 'name'],
  host: ['spec', 'cluster', 'placement'],
};

function identityAt(given: PlatformDraft, path: Path, machines: FoundMachines): Derived | undefined {
  const field = String(path[4]);
  const from = identityFrom[field];
  if (!isNodes(path) || path.length !== 5 || from === undefined) return undefined;
  const machine = machineNamed(String(path[3]), given.name, byName(seatsOf(given)));
  const value = machine && machines.get(machine.name)?.[field as 'vmid'];
  return value === undefined ? undefined : { value, from };
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const formatShort = (path: Path): string => formatPath(path[0] === 'spec' ? path.slice(1) : path) || 'spec';

const entriesOf = (value: unknown): readonly (readonly [PathStep, unknown])[] =>
  Array.isArray(value) ? [...value.entries()] : isMap(value) ? Object.entries(value) : [];

/** A list of plain values is one value: it is written, and laid over, as a whole. */
const isPlainList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);

/** Undefined when there is something in it that nobody may see. */
function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return shownText(value);
  if (!isPlainList(value)) return value;
  const items = value.map(shownValue);
  return items.includes(undefined) ? undefined : items;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[String(step)] : undefined,
    value,
  );
}

/** Every path that is meant where "*" stands for any name or item. */
function expand(value: unknown, path: Path): readonly Path[] {
  const star = path.indexOf('*');
  if (star === -1) return [path];
  const [before, after] = [path.slice(0, star), path.slice(star + 1)];
  return entriesOf(valueAt(value, before)).flatMap(([step]) => expand(value, [...before, step, ...after]));
}
