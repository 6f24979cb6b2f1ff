import { fieldsByNumber } from '../../../wire/kubernetes/numbers.ts';
import type { FieldNote, Scalar, TypeRef } from '../../../wire/kubernetes/notation.ts';
import { packages, typeNote } from '../../../wire/kubernetes/types.ts';
import type { Mutable } from '../api.ts';

/** Clients written in Go send built-in kinds as protobuf; they are read here, and answered in JSON, which all of them take. */
export function decodeProtobuf(body: Buffer): Mutable {
  if (!body.subarray(0, magic.length).equals(magic))
    throw new Error('provided data does not appear to be a protobuf message');
  const { 1: type, 2: raw } = lastOf(body.subarray(magic.length));
  const { 1: version, 2: kind } = lastOf(bytesOf(type));
  const [apiVersion, named] = [bytesOf(version).toString(), bytesOf(kind).toString()];
  return { kind: named, apiVersion, ...decodeStruct(bytesOf(raw), typeOf(apiVersion, named)) };
}

const magic = Buffer.from('k8s\0');

function typeOf(apiVersion: string, kind: string): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const homes = Object.entries(packages).filter((each) => each[1].group === group && each[1].version === version);
  // Options of a request are of whichever group is asked.
  const found = [...homes.map(([home]) => home), 'meta'].find((home) => typeNote(`${home}.${kind}`) !== undefined);
  if (found === undefined) throw new Error(`no kind "${kind}" is registered for version "${apiVersion}"`);
  return `${found}.${kind}`;
}

type Value = bigint | Buffer;
type Entry = { readonly number: number; readonly value: Value };

function entriesOf(bytes: Buffer): readonly Entry[] {
  const entries: Entry[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('unexpected EOF');
    return bytes.subarray(at, (at += length));
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    const value = kind === 0 ? varint() : take(kind === 2 ? Number(varint()) : kind === 1 ? 8 : 4);
    entries.push({ number: tag >> 3, value });
  }
  return entries;
}

const lastOf = (bytes: Buffer): Readonly<Record<number, Value>> =>
  Object.fromEntries(entriesOf(bytes).map(({ number, value }) => [number, value]));

const bytesOf = (value: Value | undefined): Buffer => (Buffer.isBuffer(value) ? value : Buffer.alloc(0));
const numberOf = (value: Value | undefined): number =>
  typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : 0;

function decodeStruct(bytes: Buffer, name: string, path = '', into: Mutable = {}): Mutable {
  const note = typeNote(name);
  const fields = new Map((note?.kind === 'struct' ? note.fields : []).map((field) => [field.name, field]));
  const numbers = fieldsByNumber(name);
  for (const { number, value } of entriesOf(bytes)) {
    const here = `${path}${number}`;
    const field = fields.get(numbers[here] ?? '');
    if (field !== undefined) put(into, field, value);
    else if (Object.keys(numbers).some((each) => each.startsWith(`${here}.`)))
      decodeStruct(bytesOf(value), name, `${here}.`, into);
  }
  return into;
}

function put(into: Mutable, { name, type, pointer }: FieldNote, value: Value): void {
  switch (type.kind) {
    case 'list':
      into[name] = [...((into[name] as unknown[] | undefined) ?? []), decode(type.of, value)];
      return;
    case 'map': {
      const entry = lastOf(bytesOf(value));
      const known = (into[name] as Mutable | undefined) ?? {};
      into[name] = { ...known, [bytesOf(entry[1]).toString()]: decodeInMap(type.of, entry[2]) };
      return;
    }
    default: {
      const decoded = decode(type, value);
      // What is no pointer is always sent; empty, it is as good as absent.
      const isEmpty = decoded === '' || decoded === 0 || decoded === false;
      if (decoded !== undefined && (pointer || !isEmpty)) into[name] = decoded;
    }
  }
}

/** A list in a map is a message of its own. */
const decodeInMap = (type: TypeRef, value: Value | undefined): unknown =>
  type.kind === 'list'
    ? entriesOf(bytesOf(value)).map((each) => decode(type.of, each.value))
    : decode(type, value ?? Buffer.alloc(0));

function decode(type: TypeRef, value: Value): unknown {
  if (type.kind === 'scalar') return decodeScalar[type.scalar](value);
  if (type.kind !== 'named') return undefined;
  const note = typeNote(type.name);
  return note?.kind === 'struct' ? decodeStruct(bytesOf(value), type.name) : bytesOf(value).toString();
}

const json = (value: Value): unknown => {
  const text = bytesOf(lastOf(bytesOf(value))[1]).toString();
  return text === '' ? undefined : (JSON.parse(text) as unknown);
};

const decodeScalar: Readonly<Record<Scalar, (value: Value) => unknown>> = {
  string: (value) => bytesOf(value).toString(),
  bool: (value) => numberOf(value) !== 0,
  int32: numberOf,
  int64: numberOf,
  double: (value) => bytesOf(value).readDoubleLE(),
  bytes: (value) => bytesOf(value).toString('base64'),
  time: (value) => timeOf(value)?.replace(/\.\d+Z$/, 'Z'),
  microtime: (value) => {
    const nanos = numberOf(lastOf(bytesOf(value))[2]);
    return timeOf(value)?.replace(/\.\d+Z$/, `.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`);
  },
  quantity: (value) => bytesOf(lastOf(bytesOf(value))[1]).toString(),
  intstr: (value) => {
    const { 1: kind, 2: number, 3: text } = lastOf(bytesOf(value));
    return numberOf(kind) === 0 ? numberOf(number) : bytesOf(text).toString();
  },
  raw: json,
  json,
  fields: json,
};

/** A time that is none has no seconds. */
function timeOf(value: Value): string | undefined {
  const { 1: seconds } = lastOf(bytesOf(value));
  return seconds === undefined ? undefined : new Date(numberOf(seconds) * 1000).toISOString();
}
