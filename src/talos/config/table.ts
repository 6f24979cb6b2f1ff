import type { Role } from '../../model/machine.ts';
import { formatPath } from '../../spec/tree.ts';
import type { Provenance } from '../patch/patch.ts';
import { isWithin, type Span } from './contract.ts';
import type { ConfigDocument, Fields, Value } from './document.ts';
import { documentPath } from './identity.ts';
import type { NodeIntent } from './intent.ts';

/** Why something is written: the part of the file that decides it, or whose default it is. */
type Because = string | ((intent: NodeIntent) => string);

/** A field of the v1alpha1 document, and from which contract to which it stands there. */
export type FieldRow = Span & {
  readonly path: string;
  readonly role?: Role;
  readonly because: Because;
  /** Undefined: not written. */
  readonly value: (intent: NodeIntent) => Value | undefined;
};

/** A kind of document; of some there are several, each with its name. */
export type DocumentRow = Span & {
  readonly kind: string;
  readonly role?: Role;
  readonly because: Because;
  /** What follows the kind, the name first. */
  readonly documents: (intent: NodeIntent) => readonly Fields[];
};

export type Written = { readonly documents: readonly ConfigDocument[]; readonly because: Provenance };

const applies = (row: Span & { readonly role?: Role }, intent: NodeIntent): boolean =>
  (row.role ?? intent.role) === intent.role && isWithin(intent.contract, row);

const reason = (because: Because, intent: NodeIntent): string =>
  typeof because === 'string' ? because : because(intent);

/** One document, its keys in the order of the rows. */
export function writeFields(rows: readonly FieldRow[], intent: NodeIntent): Written {
  const document: Writable = {};
  const because = new Map<string, string>();
  for (const row of rows) {
    const value = applies(row, intent) ? row.value(intent) : undefined;
    if (value === undefined) continue;
    put(document, row.path.split('.'), value);
    because.set(row.path, reason(row.because, intent));
  }
  return { documents: [document], because };
}

type Writable = { [key: string]: Value | Writable };

function put(target: Writable, [key = '', ...rest]: readonly string[], value: Value): void {
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}) as Writable, rest, value);
}

/** Every document that the intent asks for, in the order of the rows. */
export function writeDocuments(rows: readonly DocumentRow[], intent: NodeIntent): Written {
  const because = new Map<string, string>();
  const documents = rows.flatMap((row) => {
    if (!applies(row, intent)) return [];
    return row.documents(intent).map((fields): ConfigDocument => {
      const document = { apiVersion: 'v1alpha1', kind: row.kind, ...fields };
      because.set(formatPath(documentPath(document)), reason(row.because, intent));
      return document;
    });
  });
  return { documents, because };
}

/** Fields that are there, without those that are undefined. */
export const present = (fields: { readonly [key: string]: Value | undefined }): Fields =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== undefined));

/** Nothing, where there is nothing to say. */
export const unlessEmpty = <T extends readonly Value[] | Fields>(value: T): T | undefined =>
  (Array.isArray(value) ? value.length : Object.keys(value).length) === 0 ? undefined : value;
