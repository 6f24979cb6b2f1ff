import { contracts, type Contract } from '../config/contract.ts';
import { kindTable, typeTable } from './table.ts';

/** What a field of a machine configuration holds, as far as reading, merging and writing it depend on it. */
export type FieldType =
  | { readonly kind: 'string' | 'bool' | 'any' }
  | { readonly kind: 'integer'; readonly name: string }
  /** Text with a meaning of its own: an address, a size, a word of a list; see leaf.ts. */
  | { readonly kind: 'leaf'; readonly name: string }
  /** May be absent, and then differs from its zero value. */
  | { readonly kind: 'pointer'; readonly to: FieldType }
  | { readonly kind: 'list'; readonly of: FieldType; readonly name?: string }
  | { readonly kind: 'map'; readonly of: FieldType; readonly name?: string }
  | StructType;

export type StructType = {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
};

type Field = {
  readonly name: string;
  readonly type: FieldType;
  /** A patch replaces it whole where others of its kind are merged. */
  readonly replaced: boolean;
  /** Not written while it is empty. */
  readonly omitted: boolean;
};

export type DocumentType = { readonly kind: string; readonly named: boolean; readonly type: StructType };

/** Everything that one minor of Talos reads. */
export type Fields = {
  /** `version: v1alpha1`, the document without a kind. */
  readonly main: StructType;
  readonly documents: ReadonlyMap<string, DocumentType>;
};

const known = new Map<Contract, Fields>();

export function fieldsOf(contract: Contract): Fields {
  const before = known.get(contract);
  if (before !== undefined) return before;
  const types = new Types(contract);
  const documents = rows(kindTable).flatMap(([kind, rest]): readonly DocumentType[] => {
    const [range = '', name = '', named] = rest.split(' ');
    if (!within(range, contract)) return [];
    return [{ kind, named: named === 'named', type: types.struct(name) }];
  });
  const fields: Fields = {
    main: types.struct('v1alpha1.Config'),
    documents: new Map(documents.map((document) => [document.kind, document])),
  };
  known.set(contract, fields);
  return fields;
}

/** The lines of a table: a name, and what is behind its colon. */
const rows = (table: string): readonly (readonly [name: string, rest: string])[] =>
  table
    .replaceAll('\n  ', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(': ');
      return colon === -1 ? [line.trim().replace(/:$/, ''), ''] : [line.slice(0, colon).trim(), line.slice(colon + 2)];
    });

/** `1.12..` is 1.12 and later, `..1.11` until 1.11, `1.10..1.12` both; nothing is always. */
export function within(range: string, contract: Contract): boolean {
  const [from = '', to = ''] = range.split('..');
  const at = contracts.indexOf(contract);
  return (
    (from === '' || at >= contracts.indexOf(from as Contract)) && (to === '' || at <= contracts.indexOf(to as Contract))
  );
}

/** Lists and mappings are told apart by their names where Talos merges them in a way of its own; numbers are not. */
const withName = (type: FieldType, name: string): FieldType =>
  type.kind === 'list' || type.kind === 'map' || type.kind === 'leaf' ? { ...type, name } : type;

let typeRows: ReadonlyMap<string, string> | undefined;

class Types {
  readonly #contract: Contract;
  readonly #found = new Map<string, FieldType>();

  constructor(contract: Contract) {
    this.#contract = contract;
    typeRows ??= new Map(rows(typeTable));
  }

  struct(name: string): StructType {
    const type = this.type(name);
    if (type.kind !== 'struct') throw new Error(`The table of fields has no structure ${name}.`);
    return type;
  }

  type(written: string): FieldType {
    const before = this.#found.get(written);
    if (before !== undefined) return before;
    const type = this.#make(written);
    this.#found.set(written, type);
    return type;
  }

  #make(written: string): FieldType {
    if (written.startsWith('*')) return { kind: 'pointer', to: this.type(written.slice(1)) };
    if (written === '[]uint8') return { kind: 'leaf', name: 'bytes' };
    if (written.startsWith('[]')) return { kind: 'list', of: this.type(written.slice(2)) };
    if (written.startsWith('{string}')) return { kind: 'map', of: this.type(written.slice(8)) };
    if (written === 'string' || written === 'bool' || written === 'any') return { kind: written };
    if (/^u?int(8|16|32|64)?$/.test(written)) return { kind: 'integer', name: written };
    return this.#named(written);
  }

  #named(name: string): FieldType {
    const row = typeRows?.get(name);
    if (row === undefined) throw new Error(`The table of fields has no type ${name}.`);
    if (row === 'leaf') return { kind: 'leaf', name };
    if (!row.startsWith('struct')) return withName(this.#make(row), name);
    const fields = row
      .split(' ')
      .slice(1)
      .flatMap((field) => this.#fields(field));
    const free = fields.find((field) => field.name === '<');
    if (free) return withName(free.type, name);
    return { kind: 'struct', name, fields: new Map(fields.map((field) => [field.name, field])) };
  }

  #fields(written: string): readonly Field[] {
    const [, name = '', range, omitted, replaced, type = ''] =
      /^([^@?:]+)(?:@([^?:]+))?(\?)?:(!)?(.+)$/.exec(written) ?? [];
    if (!within(range ?? '', this.#contract)) return [];
    const inner = this.type(type);
    if (name === '<' && inner.kind === 'struct') return [...inner.fields.values()];
    return [{ name, type: inner, replaced: replaced !== undefined, omitted: omitted !== undefined }];
  }
}
