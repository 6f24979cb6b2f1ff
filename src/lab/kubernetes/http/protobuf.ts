import { fieldNumbers } from '../../../wire/kubernetes/protobuf.ts';
import { packages } from '../../../wire/kubernetes/types.ts';
import type { Mutable } from '../api.ts';
import { builtinSchema } from '../schema/builtin.ts';
import type { Schema } from '../schema/schema.ts';
import { ProtobufReader } from './protobuf-reader.ts';

const magic = Buffer.from('k8s\0');

/** What an envelope holds: what it is, and its bytes. */
export type Envelope = { readonly apiVersion: string; readonly kind: string; readonly raw: Buffer };

/** Undefined: it does not begin as all of them do. */
export function openEnvelope(body: Buffer): Envelope | undefined {
  if (!body.subarray(0, 4).equals(magic)) return undefined;
  let [apiVersion, kind, raw] = ['', '', Buffer.alloc(0)];
  for (const { number, bytes } of new ProtobufReader(body.subarray(4)).fields()) {
    if (number === 2) raw = Buffer.from(bytes);
    if (number !== 1) continue;
    for (const field of new ProtobufReader(bytes).fields()) {
      if (field.number === 1) apiVersion = field.bytes.toString();
      if (field.number === 2) kind = field.bytes.toString();
    }
  }
  return { apiVersion, kind, raw };
}

/** Bytes of a message as the JSON of its type. */
export function fromProtobuf(schema: Schema, bytes: Buffer, type = schema.name ?? ''): Mutable {
  const object: Mutable = {};
  read(object, schema, bytes, type);
  return object;
}

function read(object: Mutable, schema: Schema, message: Buffer, type: string): void {
  const numbers = fieldNumbers(type);
  if (numbers === undefined) throw new Error(`Nobody wrote down the numbers of ${type}.`);
  for (const field of new ProtobufReader(message).fields()) {
    const known = numbers.get(field.number);
    if (known === undefined) continue;
    if ('inlined' in known) {
      read(object, schema, field.bytes, known.inlined);
      continue;
    }
    const property = schema.property?.(known.name);
    if (property === undefined) continue;
    add(object, known.name, property, field);
  }
}

type Field = ReturnType<ProtobufReader['fields']> extends Iterable<infer Each> ? Each : never;

function add(object: Mutable, name: string, schema: Schema, field: Field): void {
  if (schema.type === 'array') {
    const items = schema.items?.() ?? { type: 'any' };
    const list = (object[name] ??= []) as unknown[];
    list.push(valueOf(items, field));
    return;
  }
  if (schema.type === 'map') {
    const map = (object[name] ??= {}) as Mutable;
    const [key, value] = entryOf(schema.values?.() ?? { type: 'any' }, field.bytes);
    map[key] = value;
    return;
  }
  object[name] = valueOf(schema, field);
}

function entryOf(values: Schema, bytes: Buffer): readonly [string, unknown] {
  let key = '';
  let value: unknown = emptyOf(values);
  for (const field of new ProtobufReader(bytes).fields()) {
    if (field.number === 1) key = field.bytes.toString();
    else if (values.type === 'array') value = itemsOf(values, field.bytes);
    else value = valueOf(values, field);
  }
  return [key, value];
}

const emptyOf = (schema: Schema): unknown =>
  schema.type === 'string' ? '' : schema.type === 'array' ? [] : schema.type === 'boolean' ? false : {};

/** A list inside of a map is a message with its items. */
function itemsOf(schema: Schema, bytes: Buffer): readonly unknown[] {
  const items = schema.items?.() ?? { type: 'string' };
  return [...new ProtobufReader(bytes).fields()].map((field) => valueOf(items, field));
}

function valueOf(schema: Schema, field: Field): unknown {
  switch (schema.type) {
    case 'boolean':
      return field.value !== 0n;
    case 'integer':
      return Number(BigInt.asIntN(64, field.value));
    case 'number':
      return field.bytes.length === 8 ? field.bytes.readDoubleLE() : Number(field.value);
    case 'int-or-string':
      return intOrString(field.bytes);
    case 'string':
      return textOf(schema, field.bytes);
    case 'any':
      return rawOf(field.bytes);
    default:
      return fromProtobuf(schema, field.bytes);
  }
}

function textOf({ format, name }: Schema, bytes: Buffer): string | null {
  if (format === 'byte') return bytes.toString('base64');
  if (format === 'date-time') return timeOf(bytes, name?.endsWith('MicroTime') === true);
  if (format !== 'quantity') return bytes.toString();
  for (const field of new ProtobufReader(bytes).fields()) return field.bytes.toString();
  return '0';
}

function timeOf(bytes: Buffer, isMicro: boolean): string | null {
  let [seconds, nanos] = [0, 0];
  for (const field of new ProtobufReader(bytes).fields()) {
    const value = Number(BigInt.asIntN(64, field.value));
    if (field.number === 1) seconds = value;
    else nanos = value;
  }
  if (bytes.length === 0) return null;
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  return isMicro ? `${text}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z` : `${text}Z`;
}

function intOrString(bytes: Buffer): number | string {
  let [isText, number, text] = [false, 0, ''];
  for (const field of new ProtobufReader(bytes).fields()) {
    if (field.number === 1) isText = field.value === 1n;
    else if (field.number === 2) number = Number(BigInt.asIntN(32, field.value));
    else text = field.bytes.toString();
  }
  return isText ? text : number;
}

/** Whatever may be anything is JSON, one level down. */
function rawOf(bytes: Buffer): unknown {
  for (const field of new ProtobufReader(bytes).fields())
    if (field.number === 1) return JSON.parse(field.bytes.toString()) as unknown;
  return null;
}

/** Under which name the shape of a kind is written down. */
export function schemaOfKind(apiVersion: string, kind: string): Schema | undefined {
  if (kind === 'DeleteOptions') return builtinSchema('meta.DeleteOptions');
  const [version, group = ''] = apiVersion.split('/').toReversed();
  const home = Object.keys(packages).find((name) => {
    const each = packages[name];
    return each?.group === group && each.version === version && each.types[kind] !== undefined;
  });
  return home === undefined ? undefined : builtinSchema(`${home}.${kind}`);
}
