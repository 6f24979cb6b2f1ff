import type * as z from 'zod';
import { noteOf, type Note } from './schema/notes.ts';
import type { Path } from './tree.ts';

export type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypeDef & {
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly defaultValue?: unknown;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly valueType?: Schema;
  readonly element?: Schema;
  readonly catchall?: Schema;
};

const defOf = (schema: Schema): Def => schema._zod.def;

/** What it wraps: a default, an option or a transformation stands around what a person writes. */
function wrapped(schema: Schema): Schema | undefined {
  const def = defOf(schema);
  return def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
}

/** What a person writes for it: without defaults, transformations and the like. */
export function bare(schema: Schema): Schema {
  const inner = wrapped(schema);
  return inner === undefined ? schema : bare(inner);
}

/** The note on the schema or on anything it wraps. */
export function noteFor(schema: Schema): Note {
  const inner = wrapped(schema);
  return { ...(inner === undefined ? {} : noteFor(inner)), ...noteOf(schema) };
}

/** The value that stands for an absent one, as a person would write it; undefined when there is none. */
export function defaultOf(schema: Schema): unknown {
  const { type, defaultValue } = defOf(schema);
  if (type === 'default' || type === 'prefault') return defaultValue;
  const inner = wrapped(schema);
  return inner === undefined ? undefined : defaultOf(inner);
}

export const isRequired = (schema: Schema): boolean => schema._zod.optin === undefined;

export const fieldsOf = (schema: Schema): Readonly<Record<string, Schema>> | undefined => defOf(bare(schema)).shape;

export const typeOf = (schema: Schema): string => defOf(bare(schema)).type;

/** What stands under every name of a map. */
export const valueOf = (schema: Schema): Schema | undefined => defOf(bare(schema)).valueType;

/** What every item of a list is. */
export const itemOf = (schema: Schema): Schema | undefined => defOf(bare(schema)).element;

export function schemaAt(schema: Schema, path: Path): Schema | undefined {
  let current: Schema | undefined = schema;
  for (const step of path) {
    if (current === undefined) return undefined;
    const def = defOf(bare(current));
    current = def.shape?.[String(step)] ?? def.valueType ?? def.element;
  }
  return current;
}

export function examplesOf(schema: Schema): readonly string[] {
  const { examples } = metaOf(schema);
  return Array.isArray(examples) ? examples.filter((example) => typeof example === 'string') : [];
}

export const exampleOf = (schema: Schema): string | undefined => examplesOf(schema)[0];

export const descriptionOf = (schema: Schema): string | undefined => {
  const { description } = metaOf(schema);
  return typeof description === 'string' ? description : undefined;
};

function metaOf(schema: Schema): Record<string, unknown> {
  const own = (schema as z.ZodType).meta?.() ?? {};
  const inner = wrapped(schema);
  return inner === undefined ? own : { ...metaOf(inner), ...own };
}

/** Where else a key stands, shortest path first; for "that belongs under …". */
export function placesOf(root: Schema, key: string): readonly string[][] {
  const found: string[][] = [];
  const queue: { readonly schema: Schema; readonly path: string[] }[] = [{ schema: root, path: [] }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const def = defOf(bare(next.schema));
    for (const [name, field] of Object.entries(def.shape ?? {})) {
      if (name === key) found.push([...next.path, name]);
      queue.push({ schema: field, path: [...next.path, name] });
    }
    if (def.valueType && next.path.length < 8) queue.push({ schema: def.valueType, path: [...next.path, 'NAME'] });
  }
  return found;
}
