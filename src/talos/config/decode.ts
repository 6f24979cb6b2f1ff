import { nearest } from '../../model/nearest.ts';
import { Problem, type Position } from '../../model/problem.ts';
import { clip, formatPath, type Path, type ScalarTree, type Tree } from '../../spec/tree.ts';
import { isArgument, leafNamed, pemFields } from '../fields/leaf.ts';
import type { FieldType, StructType } from '../fields/types.ts';
import type { Fields, Value } from './document.ts';

/** Called for each thing that Talos would refuse. The message never repeats a value: it may be a secret. */
export type Complain = (problem: {
  readonly code: string;
  readonly message: string;
  readonly at: Position;
  readonly path: Path;
  readonly remedy: string;
}) => void;

/** Text as Talos reads it into its own types; undefined where it says nothing, which Talos takes as absent. */
export function decodeStruct(tree: Tree, type: StructType, path: Path, complain: Complain): Fields {
  if (tree.kind !== 'map') {
    wrong(tree, 'a mapping', path, complain);
    return {};
  }
  const fields: Record<string, Value> = {};
  for (const [key, { keyAt, value: child }] of tree.entries) {
    const field = type.fields.get(key);
    if (field === undefined) {
      unknownKey(key, keyAt, type, path, complain);
      continue;
    }
    const value = decode(child, field.type, [...path, key], complain);
    if (value !== undefined) fields[key] = value;
  }
  return fields;
}

function decode(tree: Tree, type: FieldType, path: Path, complain: Complain): Value | undefined {
  if (tree.kind === 'scalar' && tree.value === null) return undefined;
  switch (type.kind) {
    case 'pointer':
      return decode(tree, type.to, path, complain);
    case 'struct':
      return decodeStruct(tree, type, path, complain);
    case 'list':
      if (tree.kind !== 'list') return wrong(tree, 'a list', path, complain);
      return tree.items
        .filter((item) => keepsNothing(type.of) || item.kind !== 'scalar' || item.value !== null)
        .map((item, index) => decodeItem(item, type.of, [...path, index], complain));
    case 'map':
      return decodeMap(tree, type.of, path, complain);
    case 'any':
      return plain(tree);
    case 'leaf':
      return decodeLeaf(tree, type.name, path, complain);
    case 'string':
      return tree.kind === 'scalar' ? textOf(tree) : wrong(tree, 'text', path, complain);
    case 'bool':
      return decodeFlag(tree, path, complain);
    case 'integer':
      return decodeInteger(tree, type.name, path, complain);
  }
}

/** Items of a list that say nothing are dropped, unless Talos can keep a nothing of their type. */
const keepsNothing = (type: FieldType): boolean =>
  ['pointer', 'list', 'any'].includes(type.kind) || (type.kind === 'map' && type.name === undefined);

/** What a list or a mapping holds cannot be absent: nothing becomes its zero value. */
function decodeItem(tree: Tree, type: FieldType, path: Path, complain: Complain): Value {
  const value = decode(tree, type, path, complain);
  if (value !== undefined) return value;
  switch (type.kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'integer':
      return 0;
    case 'struct':
    case 'map':
      return {};
    case 'leaf':
    case 'pointer':
    case 'list':
    case 'any':
      return null;
  }
}

function decodeMap(tree: Tree, of: FieldType, path: Path, complain: Complain): Value | undefined {
  if (tree.kind !== 'map') return wrong(tree, 'a mapping', path, complain);
  const fields: Record<string, Value> = {};
  for (const [key, { value }] of tree.entries) fields[key] = decodeItem(value, of, [...path, key], complain);
  return fields;
}

function decodeLeaf(tree: Tree, name: string, path: Path, complain: Complain): Value | undefined {
  const leaf = leafNamed(name);
  const halves = pemFields[name];
  if (halves !== undefined) return decodePem(tree, name, halves, path, complain);
  if (isArgument(name) && tree.kind === 'list')
    return tree.items.map((item) =>
      item.kind === 'scalar' ? textOf(item) : (wrong(item, 'text', path, complain) ?? ''),
    );
  if (tree.kind !== 'scalar') return wrong(tree, leaf.wants, path, complain);
  const text = textOf(tree);
  // Talos takes a duration from text alone, and 30 without a unit is none.
  if (name === 'time.Duration' && typeof tree.value === 'number') return wrong(tree, leaf.wants, path, complain);
  if (!leaf.accepts(text)) return wrong(tree, leaf.wants, path, complain);
  return name === 'network.PortRange' && typeof tree.value === 'number' ? tree.value : text;
}

function decodePem(
  tree: Tree,
  name: string,
  halves: readonly string[],
  path: Path,
  complain: Complain,
): Value | undefined {
  const { wants, accepts } = leafNamed(name);
  if (tree.kind !== 'map') return wrong(tree, wants, path, complain);
  const fields: Record<string, Value> = {};
  for (const [key, { keyAt, value }] of tree.entries) {
    const text = value.kind === 'scalar' ? textOf(value) : undefined;
    if (!halves.includes(key)) {
      complain({
        code: 'unknown-key',
        message: `There is no "${clip(key)}" here.`,
        at: keyAt,
        path: [...path, key],
        remedy: `Known are: ${halves.join(', ')}.`,
      });
    } else if (text === undefined || !(accepts(text) || (key === 'key' && text === '******'))) {
      wrong(value, 'base64', [...path, key], complain);
    } else fields[key] = text;
  }
  return fields;
}

const flags: Readonly<Record<string, boolean>> = {
  y: true,
  Y: true,
  yes: true,
  on: true,
  n: false,
  N: false,
  no: false,
  off: false,
};

function decodeFlag(tree: Tree, path: Path, complain: Complain): Value | undefined {
  if (tree.kind === 'scalar') {
    if (typeof tree.value === 'boolean') return tree.value;
    const flag = typeof tree.value === 'string' ? flags[tree.value] : undefined;
    if (flag !== undefined) return flag;
  }
  return wrong(tree, 'true or false', path, complain);
}

const ranges: Readonly<Record<string, readonly [low: bigint, high: bigint]>> = {
  uint8: [0n, 255n],
  uint16: [0n, 65_535n],
  uint32: [0n, 4_294_967_295n],
  uint64: [0n, 18_446_744_073_709_551_615n],
  uint: [0n, 18_446_744_073_709_551_615n],
  int: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
  int32: [-2_147_483_648n, 2_147_483_647n],
  int64: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
};

function decodeInteger(tree: Tree, name: string, path: Path, complain: Complain): Value | undefined {
  const [low, high] = ranges[name] ?? [0n, 0n];
  const whole = tree.kind === 'scalar' ? wholeNumber(tree) : undefined;
  if (whole !== undefined && BigInt(whole) >= low && BigInt(whole) <= high) return whole;
  return wrong(tree, low === 0n ? `a whole number from 0 to ${high}` : 'a whole number', path, complain);
}

/** As Go reads it: 0644 is octal. */
function wholeNumber({ value, written }: ScalarTree): number | undefined {
  if (typeof value !== 'number') return undefined;
  if (written !== undefined && /^[-+]?0[0-7]+$/.test(written)) return Number.parseInt(written, 8);
  return Number.isSafeInteger(value) ? value : undefined;
}

const textOf = ({ value, written }: ScalarTree): string => written ?? (value === null ? '' : String(value));

function plain(tree: Tree): Value {
  switch (tree.kind) {
    case 'list':
      return tree.items.map(plain);
    case 'map':
      return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, plain(value)]));
    case 'scalar':
      return typeof tree.value === 'number' ? (wholeNumber(tree) ?? tree.value) : tree.value;
  }
}

function wrong(tree: Tree, wants: string, path: Path, complain: Complain): undefined {
  const message = `${formatPath(path)} must be ${wants}.`;
  complain({ code: 'wrong-type', message, at: tree.at, path, remedy: `Write ${wants}.` });
  return undefined;
}

function unknownKey(key: string, at: Position, type: StructType, path: Path, complain: Complain): void {
  const names = [...type.fields.keys()];
  const meant = nearest(key, names);
  const where = path.length === 0 ? '' : ` in ${formatPath(path)}`;
  complain({
    code: 'unknown-key',
    message: `There is no "${clip(key)}"${where}.`,
    at,
    path: [...path, key],
    remedy: meant === undefined ? `Known are: ${names.join(', ')}.` : `Did you mean "${meant}"?`,
  });
}

export const problemFrom = (given: Parameters<Complain>[0]): Problem =>
  new Problem(given.code, given.message, { at: given.at, path: formatPath(given.path), remedy: given.remedy });
