/** Values of a chart: what helm reads from a file of values. */
export type Values = Readonly<Record<string, unknown>>;

/** One value, and why it is what it is. */
export type Decision = {
  /** `hubble.relay.enabled`, as `helm --set` would name it. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** For people: the field of the file, or the fact about Talos behind it. */
  readonly because: string;
};

/** A value that is set, and who set it. */
export type Decided = {
  readonly path: string;
  readonly value: unknown;
  readonly by: 'ichor' | 'file';
  readonly because: string;
  /** What ichor would have set, where the file says something else. */
  readonly instead?: unknown;
};

export const isMapping = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lays values over others as helm does: mappings are merged, everything else takes the place of what was there. */
export function laidOver(under: Values, over: Values): Values {
  const merged = new Map(Object.entries(under));
  for (const [key, value] of Object.entries(over)) {
    const before = merged.get(key);
    merged.set(key, isMapping(before) && isMapping(value) ? laidOver(before, value) : value);
  }
  return Object.fromEntries(merged);
}

export const valuesOf = (decisions: readonly Decision[]): Values =>
  decisions.reduce<Values>((values, { path, value }) => laidOver(values, nested(path, value)), {});

const nested = ([key, ...rest]: readonly string[], value: unknown): Values =>
  key === undefined ? {} : { [key]: rest.length === 0 ? value : nested(rest, value) };

/** What is set in the end and who decided it, in the order of the paths. */
export function decidedBy(decisions: readonly Decision[], own: Values, field: string): readonly Decided[] {
  const theirs = leavesOf(own);
  const ours = decisions.flatMap(({ path, value, because }): Decided[] => {
    const name = dotted(path);
    const over = theirs.find((leaf) => leaf.name === name || name.startsWith(`${leaf.name}.`));
    return over === undefined ? [{ path: name, value, by: 'ichor', because }] : [];
  });
  const said = theirs.map(({ name, value }): Decided => {
    const before = decisions.find(({ path }) => dotted(path) === name);
    return {
      path: name,
      value,
      by: 'file',
      because: field,
      ...(before === undefined || same(before.value, value) ? {} : { instead: before.value }),
    };
  });
  return [...ours, ...said].toSorted(({ path: one }, { path: other }) => (one < other ? -1 : one > other ? 1 : 0));
}

type Leaf = { readonly name: string; readonly value: unknown };

function leavesOf(values: Values, above: readonly string[] = []): readonly Leaf[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const path = [...above, key];
    return isMapping(value) && Object.keys(value).length > 0 ? leavesOf(value, path) : [{ name: dotted(path), value }];
  });
}

/** A dot inside of a key is written as `helm --set` wants it. */
const dotted = (path: readonly string[]): string => path.map((key) => key.replaceAll('.', '\\.')).join('.');

/** Whether two values say the same; the order of keys says nothing. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => same(item, other[index]));
  if (!isMapping(one) || !isMapping(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return keys.length === others.length && keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]));
}
