import { AsWritten, goYaml, type YamlValue } from '../state/go-yaml.ts';
import { inKeyOrder } from '../state/specs/key-order.ts';
import { fieldsOf, isStruct, type FieldType } from './fields/table.ts';
import type { Node } from './yaml-node.ts';

/** Keys that no type has, nested as they were written; undefined when there are none. */
export function unknownKeys(node: Node, type: FieldType, minor: number): string | undefined {
  const found = unknown(node, type, minor);
  return found === undefined ? undefined : `unknown keys found during decoding:\n${goYaml(found)}`;
}

function unknown(node: Node, type: FieldType, minor: number): YamlValue | undefined {
  if (type.kind === 'pointer') return unknown(node, type.of, minor);
  if (type.kind === 'any' || type.kind === 'free') return undefined;
  if (node.kind === 'list') {
    if (type.kind !== 'list') return undefined;
    const found = node.items.flatMap((item) => unknown(item, type.of, minor) ?? []);
    return found.length === 0 ? undefined : found;
  }
  if (node.kind === 'scalar') return undefined;
  const found = node.entries.flatMap(([key, value]): (readonly [string, YamlValue])[] => {
    const name = key.kind === 'scalar' ? key.text : '';
    const of = memberOf(type, name, minor);
    const inner = of === 'unknown' ? valueOf(value) : of === 'anything' ? undefined : unknown(value, of, minor);
    return inner === undefined ? [] : [[name, inner]];
  });
  return found.length === 0 ? undefined : new Map(inKeyOrder(found));
}

function memberOf(type: FieldType, key: string, minor: number): FieldType | 'unknown' | 'anything' {
  if (type.kind === 'map') return type.of;
  const name = type.kind === 'struct' || type.kind === 'own' ? type.name : undefined;
  if (name === undefined || !isStruct(name)) return 'anything';
  return fieldsOf(name, minor).find((field) => field.key === key)?.type ?? 'unknown';
}

/** Written back as it stood: a flow collection stays one. */
function valueOf(node: Node): YamlValue {
  if (node.kind === 'scalar') return node.quote === '|' ? node.text : new AsWritten(scalarText(node));
  if (node.flow) return new AsWritten(flowText(node));
  if (node.kind === 'list') return node.items.map(valueOf);
  return new Map(node.entries.map(([key, value]) => [new AsWritten(flowText(key)), valueOf(value)]));
}

const scalarText = (node: Extract<Node, { kind: 'scalar' }>): string => {
  if (node.quote === "'") return `'${node.text.replaceAll("'", "''")}'`;
  if (node.quote === '"') return JSON.stringify(node.text);
  return node.text;
};

function flowText(node: Node): string {
  if (node.kind === 'scalar') return scalarText(node);
  if (node.kind === 'list') return `[${node.items.map(flowText).join(', ')}]`;
  return `{${node.entries.map(([key, value]) => `${flowText(key)}: ${flowText(value)}`).join(', ')}}`;
}
