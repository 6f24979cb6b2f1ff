/** One step into an object: a field, an item of a list by what makes it itself, an item of a set, or a place in a list. */
export type FieldStep =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'keyed'; readonly keys: Readonly<Record<string, unknown>> }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'index'; readonly index: number };

export type FieldPath = readonly FieldStep[];

/**
 * The fields that a manager owns, as `fieldsV1` has them: the deepest ones. A `.` means the thing itself, which is also
 * owned where something below it is.
 */
export function ownedPaths(fields: Readonly<Record<string, unknown>>, above: FieldPath = []): readonly FieldPath[] {
  const below = Object.entries(fields).flatMap(([key, inside]) => {
    const step = stepOf(key);
    return step === undefined ? [] : ownedPaths(inside as Readonly<Record<string, unknown>>, [...above, step]);
  });
  return below.length > 0 || above.length === 0 ? below : [above];
}

function stepOf(key: string): FieldStep | undefined {
  const [kind, rest] = [key.slice(0, 2), key.slice(2)];
  switch (kind) {
    case 'f:':
      return { kind: 'field', name: rest };
    case 'k:':
      return { kind: 'keyed', keys: JSON.parse(rest) as Readonly<Record<string, unknown>> };
    case 'v:':
      return { kind: 'value', value: JSON.parse(rest) as unknown };
    case 'i:':
      return { kind: 'index', index: Number(rest) };
    default:
      return undefined;
  }
}

/** `spec.containers[name=agent].image`. */
export function pathText(path: FieldPath): string {
  let text = '';
  for (const step of path) text += stepText(step, text === '');
  return text;
}

function stepText(step: FieldStep, first: boolean): string {
  switch (step.kind) {
    case 'field':
      return /[.[\]/]/.test(step.name) ? `["${step.name}"]` : `${first ? '' : '.'}${step.name}`;
    case 'keyed':
      return `[${Object.entries(step.keys)
        .map(([key, value]) => `${key}=${String(value)}`)
        .join(',')}]`;
    case 'value':
      return `[${JSON.stringify(step.value)}]`;
    case 'index':
      return `[${step.index}]`;
  }
}

/** What is at a path; undefined: nothing. */
export function found(value: unknown, path: FieldPath): unknown {
  let inside = value;
  for (const step of path) {
    inside = into(inside, step);
    if (inside === undefined) return undefined;
  }
  return inside;
}

function into(value: unknown, step: FieldStep): unknown {
  if (step.kind === 'field')
    return typeof value === 'object' && value !== null && Object.hasOwn(value, step.name)
      ? (value as Readonly<Record<string, unknown>>)[step.name]
      : undefined;
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  switch (step.kind) {
    case 'keyed':
      return items.find((item) => hasKeys(item, step.keys));
    case 'value':
      return items.find((item) => item === step.value);
    case 'index':
      return items[step.index];
  }
}

export const hasKeys = (item: unknown, keys: Readonly<Record<string, unknown>>): boolean =>
  typeof item === 'object' &&
  item !== null &&
  Object.entries(keys).every(([key, value]) => (item as Readonly<Record<string, unknown>>)[key] === value);
