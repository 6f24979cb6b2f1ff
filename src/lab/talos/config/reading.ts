import type { Node } from './yaml-node.ts';
import type { FieldType } from './fields/table.ts';

/** A struct as it was read: fields that were given, and are not null. */
export type Values = { readonly [key: string]: unknown };

/** What goes on while one document is read. */
export type Reading = { readonly minor: number; readonly errors: string[] };

/** Nothing was read: a list leaves such an item out. */
export const absent: unique symbol = Symbol('absent');

export const fail = (reading: Reading, node: Node, words: string): typeof absent => {
  reading.errors.push(`line ${node.line}: ${words}`);
  return absent;
};

export type Decode = (node: Node, type: FieldType, reading: Reading) => unknown;
