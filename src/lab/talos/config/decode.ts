import { readOwn } from './decode-own.ts';
import { readText } from './decode-scalars.ts';
import { fieldsOf, goName, type FieldType } from './fields/table.ts';
import { parseDuration } from './go/numbers.ts';
import { absent, fail, type Reading, type Values } from './reading.ts';
import { tagOf, type ListNode, type MapNode, type Node, type ScalarNode } from './yaml-node.ts';

/** Reads a node as a type; null where null is a value of it. */
export function decode(node: Node, type: FieldType, reading: Reading): unknown {
  if (node.kind !== 'scalar' && isText(type))
    return fail(reading, node, `cannot construct ${tagOf(node)} into ${goName(type)} (TextUnmarshaler)`);
  if (node.kind === 'scalar' && node.tag === '!!null') return nullable(type) ? null : absent;
  const target = type.kind === 'pointer' ? type.of : type;
  if (target.kind === 'own') return readOwn(target.name, node, reading, decode);
  if (node.kind === 'scalar') return scalar(node, target, reading);
  if (node.kind === 'map') return mapping(node, target, reading);
  return sequence(node, target, reading);
}

const isText = (type: FieldType): boolean => (type.kind === 'pointer' ? isText(type.of) : type.kind === 'text');
const nullable = ({ kind }: FieldType): boolean => ['pointer', 'list', 'map', 'any'].includes(kind);

const mismatch = (reading: Reading, node: Node, type: FieldType): typeof absent => {
  const value =
    node.kind === 'scalar' ? ` \`${node.text.length > 10 ? `${node.text.slice(0, 7)}...` : node.text}\`` : '';
  return fail(reading, node, `cannot construct ${tagOf(node)}${value} into ${goName(type)}`);
};

function scalar(node: ScalarNode, type: FieldType, reading: Reading): unknown {
  if (type.kind === 'any') return typeof node.value === 'bigint' ? Number(node.value) : node.value;
  if (type.kind === 'text') {
    const found = readText(type.name, node.text);
    if ('fault' in found) return fail(reading, node, found.fault);
    return found.value === undefined ? null : found.value;
  }
  if (type.kind !== 'scalar') return mismatch(reading, node, type);
  const read = readScalar(node, type.name);
  return read ?? mismatch(reading, node, type);
}

const truths = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);

const bits: Readonly<Record<string, number>> = { '': 64, '8': 8, '16': 16, '32': 32, '64': 64 };

function readScalar({ value, text }: ScalarNode, name: string): unknown {
  if (name === 'string') return text;
  if (name === 'bool')
    return typeof value === 'boolean' ? value : typeof value === 'string' ? truths.get(value) : undefined;
  if (name === 'duration') {
    if (value === 0n) return 0n;
    return typeof value === 'string' ? parseDuration(value) : undefined;
  }
  if (name.startsWith('float'))
    return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
  const whole =
    typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 64 ? BigInt(value) : value;
  if (typeof whole !== 'bigint') return undefined;
  const [, unsigned, size = ''] = /^(u?)int(\d*)$/.exec(name) ?? [];
  const width = bits[size] ?? 64;
  const fits = unsigned === 'u' ? BigInt.asUintN(width, whole) === whole : BigInt.asIntN(width, whole) === whole;
  return fits ? whole : undefined;
}

function sequence(node: ListNode, type: FieldType, reading: Reading): unknown {
  if (type.kind !== 'list' && type.kind !== 'any') return mismatch(reading, node, type);
  const of: FieldType = type.kind === 'list' ? type.of : type;
  return node.items.map((item) => decode(item, of, reading)).filter((item) => item !== absent);
}

function mapping(node: MapNode, type: FieldType, reading: Reading): unknown {
  if (twice(node, reading)) return absent;
  if (type.kind === 'struct') return struct(node, type.name, reading);
  if (type.kind !== 'map' && type.kind !== 'any' && type.kind !== 'free') return mismatch(reading, node, type);
  const of: FieldType = type.kind === 'map' ? type.of : { kind: 'any' };
  const pairs = node.entries.flatMap(([key, item]) => {
    if (key.kind !== 'scalar' || key.tag === '!!null') return [];
    const value = decode(item, of, reading);
    return [[key.text, value === absent ? zeroOf(of) : value] as const];
  });
  return Object.fromEntries(pairs);
}

/** A map keeps the key of a value that was null. */
const zeroOf = (type: FieldType): unknown => (type.kind === 'scalar' && type.name === 'string' ? '' : null);

function twice(node: MapNode, reading: Reading): boolean {
  const before = reading.errors.length;
  node.entries.forEach(([first], at) => {
    for (const [other] of node.entries.slice(at + 1))
      if (first.kind === 'scalar' && other.kind === 'scalar' && first.text === other.text)
        fail(reading, other, `mapping key ${JSON.stringify(other.text)} already defined at line ${first.line}`);
  });
  return reading.errors.length > before;
}

function struct(node: MapNode, name: string, reading: Reading): Values {
  const fields = fieldsOf(name, reading.minor);
  const pairs = node.entries.flatMap(([key, item]) => {
    const field = key.kind === 'scalar' ? fields.find((each) => each.key === key.text) : undefined;
    if (field === undefined) return [];
    const value = decode(item, field.type, reading);
    return value === absent || value === null ? [] : [[field.key, value] as const];
  });
  return Object.fromEntries(pairs);
}
