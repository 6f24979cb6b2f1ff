import type { Path } from '../../spec/tree.ts';
import type { Fields, Value } from '../config/document.ts';
import type { FieldType, StructType } from '../fields/types.ts';
import type { Deletion } from './deletions.ts';
import { fieldsIn } from './merge.ts';

/** What was to be deleted is not there. */
export class NothingToDelete extends Error {}

type Item = Deletion['item'];

/** The structure without what the path names. A field that is empty counts as there; its parents must be. */
export function deleteIn(type: StructType, fields: Fields, path: Path, item: Item): Fields {
  return fieldsIn(remove(type, fields, path, item));
}

function remove(type: FieldType, value: Value | undefined, path: Path, item: Item): Value {
  switch (type.kind) {
    case 'pointer':
      if (value === undefined || value === null) throw new NothingToDelete();
      return remove(type.to, value, path, item);
    case 'struct':
      return removeField(type, fieldsIn(value), path, item);
    case 'map':
      return removeKey(value, path, item, type.of);
    case 'any':
      if (Array.isArray(value)) throw new NothingToDelete();
      return removeKey(value, path, item, type);
    case 'list':
      return removeItem(type.of, value, path, item);
    case 'leaf':
    case 'string':
    case 'bool':
    case 'integer':
      throw new NothingToDelete();
  }
}

function removeField(type: StructType, fields: Fields, [step, ...rest]: Path, item: Item): Value {
  const key = String(step);
  const field = type.fields.get(key);
  if (field === undefined) throw new NothingToDelete();
  const { [key]: value, ...others } = fields;
  return rest.length === 0 ? others : { ...fields, [key]: remove(field.type, value, rest, item) };
}

function removeKey(value: Value | undefined, [step, ...rest]: Path, item: Item, of: FieldType): Value {
  const key = String(step);
  const fields = fieldsIn(value);
  const { [key]: before, ...others } = fields;
  if (before === undefined || (rest.length > 0 && of.kind === 'struct')) throw new NothingToDelete();
  return rest.length === 0 ? others : { ...fields, [key]: remove(of, before, rest, item) };
}

function removeItem(of: FieldType, value: Value | undefined, path: Path, item: Item): Value {
  const struct = of.kind === 'pointer' ? of.to : of;
  if (path.length !== 1 || item === undefined || struct.kind !== 'struct') throw new NothingToDelete();
  const items = Array.isArray(value) ? (value as readonly Value[]) : [];
  const field = struct.fields.get(item.key);
  // Talos compares the words of a field, and numbers and flags have none.
  const hasWords = field !== undefined && wordsOf(field.type);
  const at = hasWords ? items.findIndex((one) => one !== null && textOf(fieldsIn(one)[item.key]) === item.value) : -1;
  if (at === -1) throw new NothingToDelete();
  return items.toSpliced(at, 1);
}

const wordsOf = (type: FieldType): boolean =>
  type.kind === 'string' || type.kind === 'leaf' || (type.kind === 'pointer' && type.to.kind === 'leaf');

const textOf = (value: Value | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
