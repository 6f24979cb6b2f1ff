import type * as z from 'zod';
import { noteOf, type Note } from './schema/notes.ts';
import type { Path } from './tree.ts';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypeDef & {
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly valueType?: Schema;
  readonly element?: Schema;
  readonly catchall?: Schema;
};

const defOf = (schema: Schema): Def => schema._zod.def;

/** What a person writes for it: without defaults, transformations and the like. */
export function bare(schema: Schema): Schema {
  const def = defOf(schema);
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
  return inner === undefined ? schema : bare(inner);
}

/** The note on the schema or on anything it wraps. */
export function noteFor(schema: Schema): Note {
  const def = defOf(schema);
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
  return { ...(inner === undefined ? {} : noteFor(inner)), ...noteOf(schema) };
}

export const fieldsOf = (schema: Schema): Readonly<Record<string, Schema>> | undefined => defOf(bare(schema)).shape;

export const typeOf = (schema: Schema): string => defOf(bare(schema)).type;

export function schemaAt(schema: Schema, path: Path): Schema | undefined {
  let current: Schema | undefined = schema;
  for (const step of path) {
    if (current === undefined) return undefined;
    const def = defOf(bare(current));
    current = def.shape?.[String(step)] ?? def.valueType ?? def.element;
  }
  return current;
}

export function exampleOf(schema: Schema): string | undefined {
  const { examples } = metaOf(schema);
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return typeof example === 'string' ? example : undefined;
}

function metaOf(schema: Schema): Record<string, unknown> {
  const own = (schema as z.ZodType).meta?.() ?? {};
  const def = defOf(schema);
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined);
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
