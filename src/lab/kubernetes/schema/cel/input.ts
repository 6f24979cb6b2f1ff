import type { RawSchema } from '../structural.ts';
import { isRaw } from '../structural.ts';
import { fieldOf } from '../values.ts';

const words = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** How a rule spells the name of a field; undefined: it cannot. */
export function escapedName(name: string): string | undefined {
  if (words.has(name)) return `__${name}__`;
  const escaped = name.replaceAll(
    /__|[.\-/]/g,
    (part) => ({ __: '__underscores__', '.': '__dot__', '-': '__dash__', '/': '__slash__' })[part] ?? part,
  );
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(escaped) ? escaped : undefined;
}

/** A value as a rule sees it: by its schema, whole numbers as such, moments as such, and no field that is not described. */
export function celValue(raw: RawSchema, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    const { items } = raw;
    return value.map((each) => celValue(isRaw(items) ? items : {}, each));
  }
  if (typeof value === 'object') return celObject(raw, value as Readonly<Record<string, unknown>>);
  if (typeof value === 'number') return raw['type'] !== 'number' && Number.isInteger(value) ? BigInt(value) : value;
  if (
    typeof value === 'string' &&
    raw['type'] === 'string' &&
    (raw['format'] === 'date-time' || raw['format'] === 'date')
  )
    return new Date(value);
  return value;
}

function celObject(raw: RawSchema, value: Readonly<Record<string, unknown>>): unknown {
  const { properties } = raw;
  const isFree =
    raw['x-kubernetes-preserve-unknown-fields'] === true ||
    (properties === undefined && raw['additionalProperties'] === undefined);
  const entries = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    const field = fieldOf(raw, name);
    if (field === undefined && !isFree) return [];
    const spelled = isRaw(properties) && name in properties ? escapedName(name) : name;
    return spelled === undefined ? [] : [[spelled, celValue(field ?? {}, each)]];
  });
  return Object.fromEntries(entries);
}
