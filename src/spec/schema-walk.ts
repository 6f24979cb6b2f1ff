import type * as z from 'zod';
import { noteOf, type Note } from './schema/notes.ts';
import type { Path, PathStep } from './tree.ts';

export type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypeDef & {
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly defaultValue?: unknown;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly valueType?: Schema;
  readonly element?: Schema;
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

/** Schemas never change once they are made: what is found out about one is found out once. */
function remembered<T>(find: (schema: Schema) => T): (schema: Schema) => T {
  const known = new WeakMap<Schema, { readonly value: T }>();
  return (schema) => {
    const found = known.get(schema) ?? { value: find(schema) };
    known.set(schema, found);
    return found.value;
  };
}

/** The note on the schema or on anything it wraps. */
export const noteFor = remembered((schema): Note => {
  const inner = wrapped(schema);
  return { ...(inner === undefined ? {} : noteFor(inner)), ...noteOf(schema) };
});

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

/** The schema of what stands at the path. An own field only: every object has a "constructor". */
export function schemaAt(schema: Schema, path: Path): Schema | undefined {
  let current: Schema | undefined = schema;
  for (const step of path) {
    if (current === undefined) return undefined;
    current = stepInto(current, step);
  }
  return current;
}

export function stepInto(schema: Schema, step: PathStep): Schema | undefined {
  const { shape, valueType, element } = defOf(bare(schema));
  return shape === undefined ? (valueType ?? element) : own(shape, String(step));
}

const own = (shape: Readonly<Record<string, Schema>>, name: string): Schema | undefined =>
  Object.hasOwn(shape, name) ? shape[name] : undefined;

/** What can stand right below: the fields, the values of a mapping, the items of a list. */
export function childrenOf(schema: Schema): readonly Schema[] {
  const { shape, valueType, element } = defOf(bare(schema));
  return [...Object.values(shape ?? {}), valueType, element].filter((inner) => inner !== undefined);
}

export const isSecret = (schema: Schema): boolean => noteFor(schema).secret === true;

/** Whether nothing that stands there may be repeated: a secret, or text that can have one in it. */
export function isPrivate(schema: Schema): boolean {
  const { secret, free, private: hidden } = noteFor(schema);
  return secret === true || free === true || hidden === true;
}

export const holdsSecret: (schema: Schema) => boolean = remembered(
  (schema) => isPrivate(schema) || childrenOf(schema).some(holdsSecret),
);

/** Whether the path leads into a secret, or past what the schema knows. */
export function isHidden(root: Schema, path: Path): boolean {
  let current: Schema | undefined = root;
  for (const step of path) {
    current = stepInto(current, step);
    if (current === undefined || isPrivate(current)) return true;
  }
  return false;
}

/** Whether plain text at the path may be a secret: it is one, or stands where a mapping with one should. */
export function mayBeSecret(root: Schema, path: Path): boolean {
  const schema = schemaAt(root, path);
  return schema === undefined || isHidden(root, path) || holdsSecret(schema);
}

export function examplesOf(schema: Schema): readonly string[] {
  const { examples } = metaOf(schema);
  return Array.isArray(examples) ? examples.filter((example) => typeof example === 'string') : [];
}

export const exampleOf = (schema: Schema): string | undefined => examplesOf(schema)[0];

/** What could be written for it: its example, or one made of those of its parts; undefined when nothing short could. */
export function sampleOf(schema: Schema): string | undefined {
  const example = exampleOf(schema);
  if (example !== undefined) return example;
  const { element, shape } = defOf(bare(schema));
  if (element !== undefined) {
    const item = sampleOf(element);
    return item === undefined ? undefined : `[${item}]`;
  }
  const needed = Object.entries(shape ?? {}).filter(([, field]) => isRequired(field));
  const parts = needed.map(([name, field]) => [name, sampleOf(field)] as const);
  if (parts.length === 0 || parts.some(([, part]) => part === undefined)) return undefined;
  return `{ ${parts.map(([name, part]) => `${name}: ${part}`).join(', ')} }`;
}

export function descriptionOf(schema: Schema): string | undefined {
  const { description } = metaOf(schema);
  return typeof description === 'string' ? description : undefined;
}

function metaOf(schema: Schema): Record<string, unknown> {
  const meta = (schema as z.ZodType).meta?.() ?? {};
  const inner = wrapped(schema);
  return inner === undefined ? meta : { ...metaOf(inner), ...meta };
}

/** Every field by its name, with the paths of the mappings that it stands in, the shortest first. */
export function fieldPlaces(root: Schema): ReadonlyMap<string, readonly Path[]> {
  const found = new Map<string, Path[]>();
  const queue: { readonly schema: Schema; readonly path: readonly string[] }[] = [{ schema: root, path: [] }];
  for (const { schema, path } of queue) {
    const { shape, valueType } = defOf(bare(schema));
    for (const [name, field] of Object.entries(shape ?? {})) {
      found.set(name, [...(found.get(name) ?? []), path]);
      queue.push({ schema: field, path: [...path, name] });
    }
    if (valueType && path.length < 8) queue.push({ schema: valueType, path: [...path, 'NAME'] });
  }
  return found;
}
