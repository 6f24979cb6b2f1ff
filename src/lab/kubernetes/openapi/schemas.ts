import { openApiName, packages, typeNames, typeNote } from '../../../wire/kubernetes/types.ts';
import type { ResourceDefinition } from '../resource.ts';
import { builtinSchema } from '../schema/builtin.ts';
import type { Schema } from '../schema/schema.ts';

export type Document = { [key: string]: unknown };

/** The two ways of writing it down differ in where names point to and in what a value of several types is. */
export type Dialect = 'v2' | 'v3';

const root = { v2: '#/definitions/', v3: '#/components/schemas/' } as const;
export const refTo = (dialect: Dialect, name: string): Document => ({ $ref: `${root[dialect]}${name}` });

/** A schema at a place where it is used; types that have a name are pointed to. */
function usedSchema(schema: Schema, dialect: Dialect, meet: (name: string) => void): Document {
  const extra = extensions(schema);
  if (schema.name !== undefined) {
    meet(schema.name);
    const reference = refTo(dialect, schema.name);
    if (Object.keys(extra).length === 0) return reference;
    return dialect === 'v3' ? { allOf: [reference], ...extra } : { ...reference, ...extra };
  }
  return { ...shape(schema, dialect, meet), ...extra };
}

/** What a named type is. */
function namedSchema(schema: Schema, dialect: Dialect, meet: (name: string) => void): Document {
  if (schema.name !== undefined && special[schema.name] !== undefined) return special[schema.name]?.[dialect] ?? {};
  return { ...shape(schema, dialect, meet), ...(schema.atomic === true && { 'x-kubernetes-map-type': 'atomic' }) };
}

function shape(schema: Schema, dialect: Dialect, meet: (name: string) => void): Document {
  switch (schema.type) {
    case 'object': {
      const names = schema.properties?.() ?? [];
      const fields = names.toSorted().map((name) => [name, fieldSchema(schema.property?.(name), dialect, meet)]);
      return {
        type: 'object',
        ...(schema.required !== undefined && { required: schema.required }),
        ...(fields.length > 0 && { properties: Object.fromEntries(fields) as Document }),
      };
    }
    case 'map':
      return { type: 'object', additionalProperties: elementSchema(schema.values?.(), dialect, meet) };
    case 'array':
      return { type: 'array', items: elementSchema(schema.items?.(), dialect, meet) };
    case 'any':
      return {};
    default:
      return {
        type: schema.type,
        ...(schema.format !== undefined && { format: schema.format }),
        ...(schema.enum !== undefined && { enum: schema.enum }),
      };
  }
}

const fieldSchema = (schema: Schema | undefined, dialect: Dialect, meet: (name: string) => void): Document =>
  schema === undefined ? {} : usedSchema(schema, dialect, meet);

/** What a list or a map holds: an empty value where Go has one. */
function elementSchema(schema: Schema | undefined, dialect: Dialect, meet: (name: string) => void): Document {
  if (schema === undefined) return {};
  const { atomic: _, ...element } = schema;
  const fallback = emptyElement(schema);
  return usedSchema(
    dialect === 'v2' || fallback === undefined ? element : { ...element, default: fallback },
    dialect,
    meet,
  );
}

function emptyElement(schema: Schema): unknown {
  switch (schema.type) {
    case 'object':
      return {};
    case 'string':
      return schema.format === undefined ? '' : undefined;
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    default:
      return undefined;
  }
}

/** What is said about a field besides its type. In the older dialect nothing has a default. */
function extensions(schema: Schema): Document {
  const isOwnMap = schema.name === undefined && schema.atomic === true;
  return {
    ...(schema.default !== undefined && { default: schema.default }),
    ...(schema.listMapKeys !== undefined && { 'x-kubernetes-list-map-keys': schema.listMapKeys }),
    ...(schema.listType !== undefined && { 'x-kubernetes-list-type': schema.listType }),
    ...(isOwnMap && { 'x-kubernetes-map-type': 'atomic' }),
    ...(schema.granular === true && { 'x-kubernetes-map-type': 'granular' }),
    ...(schema.patchMergeKey !== undefined && { 'x-kubernetes-patch-merge-key': schema.patchMergeKey }),
    ...(schema.patchStrategy !== undefined && { 'x-kubernetes-patch-strategy': schema.patchStrategy.join(',') }),
  };
}

const anObject = { v2: { type: 'object' }, v3: { type: 'object' } };
const aMoment = { v2: { type: 'string', format: 'date-time' }, v3: { type: 'string', format: 'date-time' } };
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const patchName = `${meta}.Patch`;

/** Types that are written as something else than they are. */
const special: Readonly<Record<string, Readonly<Record<Dialect, Document>>>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': {
    v2: { type: 'string' },
    v3: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {
    v2: { type: 'string', format: 'int-or-string' },
    v3: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': anObject,
  [`${meta}.FieldsV1`]: anObject,
  [patchName]: anObject,
  [`${meta}.Time`]: aMoment,
  [`${meta}.MicroTime`]: aMoment,
};

let names: Map<string, string> | undefined;

/** `io.k8s.api.core.v1.Pod` is `core.Pod`. */
function shortName(name: string): string | undefined {
  names ??= new Map(
    Object.keys(packages).flatMap((home) =>
      typeNames(home).map((type) => [openApiName(`${home}.${type}`), `${home}.${type}`]),
    ),
  );
  return names.get(name);
}

/** These types and everything that they are made of. */
export function closure(start: readonly string[], dialect: Dialect): Document {
  const found: Document = {};
  const due = [...start];
  for (let name = due.pop(); name !== undefined; name = due.pop()) {
    if (found[name] !== undefined) continue;
    const short = shortName(name);
    const schema = short === undefined ? { type: 'any' as const, name } : builtinSchema(short);
    found[name] = { ...namedSchema(schema, dialect, (each) => due.push(each)), ...kindOf(name, short) };
  }
  return found;
}

function kindOf(name: string, short: string | undefined): Document {
  const note = short === undefined ? undefined : typeNote(short);
  const isKind = name === `${meta}.WatchEvent` || (note?.kind === 'struct' && note.typed);
  if (!isKind) return {};
  const [home = '', kind = ''] = (short ?? '').split('.');
  const { group = '', version = '' } = packages[home] ?? {};
  return { 'x-kubernetes-group-version-kind': [{ group, kind, version }] };
}

/** The group backwards, as other names of types begin: `io.x.v1.Widget`. */
export const customName = ({ group, version }: ResourceDefinition, kind: string): string =>
  [...group.split('.').toReversed(), version, kind].join('.');
