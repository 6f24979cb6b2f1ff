import type { Mutable } from '../api.ts';
import { badRequest } from '../refusal.ts';
import { builtinSchema } from './builtin.ts';
import { prune } from './prune.ts';
import { canonicalQuantity } from './quantity.ts';
import type { Schema } from './schema.ts';
import { canonicalMicroTime, canonicalTime, NotATime } from './time.ts';

export type Decoded = {
  readonly object: Mutable;
  /** `spec.containers[0].naem`, in the order in which they stood there. */
  readonly unknown: readonly string[];
};

/** A body as Go reads and writes it again: unknown fields gone, empty ones left out or written, amounts and times in one form. */
export function decode(
  schema: Schema,
  value: unknown,
  options: { readonly strict: boolean; readonly custom: boolean },
): Decoded {
  const reading = new Reading(nameOf(schema));
  try {
    if (options.custom) return customObject(schema, value as Mutable, reading);
    return { object: struct(schema, value, reading, '', '') as Mutable, unknown: reading.unknown };
  } catch (error) {
    if (error instanceof Mismatch || error instanceof NotATime)
      throw badRequest(unreadable(options.custom ? undefined : schema, value, error.message));
    throw error;
  }
}

/** Only its metadata has a type in Go; the rest is dropped where the schema does not know it. */
function customObject(schema: Schema, value: Mutable, reading: Reading): Decoded {
  const object = structuredClone(value);
  object['metadata'] = readMeta(object['metadata'], 'metadata', reading);
  for (const name of schema.properties?.() ?? []) readEmbedded(schema.property?.(name), object[name], name, reading);
  const pruned = prune(schema, object);
  return { object, unknown: [...reading.unknown, ...pruned].sort() };
}

function readMeta(value: unknown, path: string, reading: Reading): unknown {
  if (value === undefined || value === null) return {};
  return read(builtinSchema('meta.ObjectMeta'), value, reading, { struct: 'ObjectMeta', go: '', path });
}

/** Metadata of resources inside of it is of the same type. */
function readEmbedded(schema: Schema | undefined, value: unknown, path: string, reading: Reading): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const items = schema.items?.();
    for (const [index, each] of value.entries()) readEmbedded(items, each, `${path}[${index}]`, reading);
    return;
  }
  const object = value as Mutable;
  if (schema.embedded === true && object['metadata'] !== undefined)
    object['metadata'] = readInner(object['metadata'], `${path}.metadata`, reading);
  const values = schema.values?.();
  for (const [name, each] of Object.entries(object)) {
    if (schema.embedded === true && name === 'metadata') continue;
    readEmbedded(schema.property?.(name) ?? values, each, `${path}.${name}`, reading);
  }
}

function readInner(value: unknown, path: string, reading: Reading): unknown {
  try {
    return readMeta(value, path, reading);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw new Mismatch(`${path}: Invalid value: ${JSON.stringify(value)}: ${error.message}`);
  }
}

/** Once more, after somebody changed it: as it would be stored. */
export function normalise(schema: Schema, object: Mutable): Mutable {
  return struct(schema, object, new Reading(nameOf(schema)), '', '') as Mutable;
}

const nameOf = (schema: Schema): string => schema.name?.split('.').at(-1) ?? '';

/** `Pod in version "v1" cannot be handled as a Pod: …` */
function unreadable(schema: Schema | undefined, value: unknown, because: string): string {
  const { apiVersion, kind } = value as { readonly apiVersion?: unknown; readonly kind?: unknown };
  const said = [String(apiVersion).split('/').at(-1) ?? '', String(kind)];
  const [version = '', name = ''] = schema?.name?.split('.').slice(-2) ?? said;
  return handledAs(name, version, because);
}

export const handledAs = (kind: string, version: string, because: string): string =>
  `${kind} in version "${version}" cannot be handled as a ${kind}: ${because}`;

class Mismatch extends Error {}

class Reading {
  readonly unknown: string[] = [];
  readonly root: string;
  constructor(root: string) {
    this.root = root;
  }

  /** `struct` is the Go type that `path` belongs to; without one, the value itself is of the wrong type. */
  mismatch(value: unknown, type: string, place: Place): Mismatch {
    const what = kindOfValue(value, type);
    const where =
      place.go === '' ? `Go value of type ${type}` : `Go struct field ${place.struct}.${place.go} of type ${type}`;
    return new Mismatch(`json: cannot unmarshal ${what} into ${where}`);
  }
}

/** `go` as Go’s errors say it, without indices; `path` as strict errors say it, with them. */
type Place = { readonly struct: string; readonly go: string; readonly path: string };

function kindOfValue(value: unknown, type: string): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return type.startsWith('int') ? `number ${value}` : 'number';
  return typeof value;
}

function struct(schema: Schema, value: unknown, reading: Reading, go: string, path: string): unknown {
  const given = value as Mutable;
  const result: Mutable = {};
  const structName = nameOf(schema);
  const values = new Map<string, unknown>();
  for (const [name, each] of Object.entries(given)) {
    const field = schema.property?.(name);
    if (field === undefined) {
      reading.unknown.push(path === '' ? name : `${path}.${name}`);
      continue;
    }
    values.set(
      name,
      readField(field, each, reading, { struct: structName, go: dotted(go, name), path: dotted(path, name) }),
    );
  }
  for (const name of schema.properties?.() ?? []) {
    const field = schema.property?.(name);
    if (field === undefined) continue;
    const written = encode(field, values.get(name));
    if (written !== undefined) result[name] = written;
  }
  return result;
}

const dotted = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Undefined: as if it were not there. */
function readField(schema: Schema, value: unknown, reading: Reading, place: Place): unknown {
  return value === null || value === undefined ? undefined : read(schema, value, reading, place);
}

function read(schema: Schema, value: unknown, reading: Reading, place: Place): unknown {
  if (schema.either !== undefined) return either(schema, schema.either(), value);
  switch (schema.type) {
    case 'object':
      if (!isObject(value)) throw reading.mismatch(value, goType(schema), place);
      return struct(schema, value, reading, place.go, place.path);
    case 'map': {
      if (!isObject(value)) throw reading.mismatch(value, goType(schema), place);
      const items = schema.values?.() ?? { type: 'any' };
      const entries = Object.entries(value).map(([key, each]) => [
        key,
        each === null ? emptyValue(items) : read(items, each, reading, { ...place, path: `${place.path}.${key}` }),
      ]);
      return Object.fromEntries(entries) as unknown;
    }
    case 'array': {
      if (!Array.isArray(value)) throw reading.mismatch(value, goType(schema), place);
      const items = schema.items?.() ?? { type: 'any' };
      return value.map((each, index) =>
        each === null ? emptyValue(items) : read(items, each, reading, { ...place, path: `${place.path}[${index}]` }),
      );
    }
    case 'string':
      return readText(schema, value, reading, place);
    case 'integer':
      if (typeof value !== 'number' || !fits(value, schema.format))
        throw reading.mismatch(value, goType(schema), place);
      return value;
    case 'number':
      if (typeof value !== 'number') throw reading.mismatch(value, 'float64', place);
      return value;
    case 'boolean':
      if (typeof value !== 'boolean') throw reading.mismatch(value, 'bool', place);
      return value;
    case 'int-or-string':
      if (typeof value === 'string' || (typeof value === 'number' && fits(value, 'int32'))) return value;
      throw reading.mismatch(value, 'int32', place);
    case 'any':
      return value;
  }
}

const isObject = (value: unknown): value is Mutable =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fits(value: number, format: string | undefined): boolean {
  if (!Number.isInteger(value)) return false;
  return format === 'int32' ? value >= -(2 ** 31) && value < 2 ** 31 : value >= -(2 ** 63) && value < 2 ** 63;
}

function readText(schema: Schema, value: unknown, reading: Reading, place: Place): string {
  if (schema.format === 'quantity') {
    const text = typeof value === 'number' ? String(value) : value;
    const canonical = typeof text === 'string' ? canonicalQuantity(text) : undefined;
    if (canonical === undefined) throw new Mismatch(notAQuantity);
    return canonical;
  }
  if (typeof value !== 'string')
    throw reading.mismatch(value, schema.format === 'byte' ? '[]uint8' : goType(schema), place);
  if (schema.format === 'byte') return readBytes(value);
  if (schema.format === 'date-time')
    return schema.name?.endsWith('.MicroTime') === true ? canonicalMicroTime(value) : canonicalTime(value);
  return value;
}

const notAQuantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function readBytes(text: string): string {
  const bare = text.replaceAll(/[\r\n]/g, '');
  const wrong = /^[A-Za-z0-9+/]*/.exec(bare)?.[0].length ?? 0;
  const padding = bare.slice(wrong);
  const needed = (4 - (wrong % 4)) % 4;
  if (needed === 3 || padding !== '='.repeat(needed)) {
    const at = /^=*$/.test(padding) ? (padding.length < needed ? bare.length : wrong + needed) : wrong;
    throw new Mismatch(`illegal base64 data at input byte ${at}`);
  }
  return bare;
}

/** The first shape that it could be. What is unknown inside is dropped without a word, as there. */
function either(schema: Schema, shapes: readonly Schema[], value: unknown): unknown {
  const fitting = shapes.find((shape) =>
    shape.type === 'array'
      ? Array.isArray(value)
      : shape.type === 'boolean'
        ? typeof value === 'boolean'
        : isObject(value),
  );
  if (fitting !== undefined)
    return read(fitting, value, new Reading(nameOf(fitting)), { struct: nameOf(fitting), go: '', path: '' });
  if (schema.name?.endsWith('OrBool') === true) throw new Mismatch('boolean or JSON schema expected');
  return undefined;
}

/** How Go calls the type in its errors. */
function goType(schema: Schema): string {
  switch (schema.type) {
    case 'object': {
      const [version = '', name = ''] = (schema.name ?? '').split('.').slice(-2);
      return `${version}.${name}`;
    }
    case 'array':
      return `[]${goType(schema.items?.() ?? { type: 'any' })}`;
    case 'map':
      return `map[string]${goType(schema.values?.() ?? { type: 'any' })}`;
    case 'integer':
      return schema.format ?? 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    case 'string':
      return schema.format === 'byte' ? '[]uint8' : schema.format === 'quantity' ? 'resource.Quantity' : 'string';
    case 'int-or-string':
      return 'intstr.IntOrString';
    case 'any':
      return 'interface {}';
  }
}

/** What Go has where JSON says null. */
function emptyValue(schema: Schema): unknown {
  switch (schema.type) {
    case 'object':
      return struct(schema, {}, new Reading(nameOf(schema)), '', '');
    case 'string':
      return schema.format === 'quantity' ? '0' : schema.format === 'date-time' ? null : '';
    case 'integer':
    case 'number':
    case 'int-or-string':
      return 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}

/** As the field is written; undefined: not at all. */
function encode(schema: Schema, value: unknown): unknown {
  const isAlways = schema.written === 'always';
  if (schema.pointer === true) return value ?? (isAlways ? null : undefined);
  if (isStruct(schema)) {
    const empty = value ?? emptyValue(schema);
    return schema.written === 'unless zero' && empty === null ? undefined : empty;
  }
  // What is empty comes back from the store as if it had never been there.
  if (schema.type === 'array' || schema.type === 'map' || schema.format === 'byte')
    return isEmpty(value) ? (isAlways ? null : undefined) : value;
  if (value === undefined || value === '' || value === 0 || value === false)
    return isAlways ? emptyValue(schema) : undefined;
  return value;
}

/** Never empty in Go’s eyes. */
const isStruct = (schema: Schema): boolean =>
  schema.type === 'object' ||
  schema.type === 'int-or-string' ||
  schema.type === 'any' ||
  schema.format === 'quantity' ||
  schema.format === 'date-time';

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === '' ||
  (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0);
