import type { Schema } from '../schema/schema.ts';
import { type Element, field, printed } from './element.ts';
import { anything, elementOf, fieldOf, isMap, itemsOf, shapeOf } from './shape.ts';

/** Everything that keeps a configuration from being of its type, in the server’s words. */
export function wrongWith(schema: Schema, value: unknown): readonly string[] {
  return check(schema, value).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
}

type Wrong = { readonly path: string; readonly message: string };

function check(schema: Schema, value: unknown): readonly Wrong[] {
  const shape = shapeOf(schema, value);
  if (value === null) return [];
  switch (shape.kind) {
    case 'scalar':
      return checkScalar(shape.scalar, value);
    case 'list':
      if (!Array.isArray(value)) return [{ path: '', message: `expected list, got ${goValue(value)}` }];
      return shape.atomic ? checkAtomic(schema, value) : checkItems(schema, value);
    case 'map':
      if (!isMap(value)) return [{ path: '', message: `expected map, got ${goValue(value)}` }];
      return checkFields(schema, value);
  }
}

function checkScalar(scalar: 'numeric' | 'string' | 'boolean' | 'untyped', value: unknown): readonly Wrong[] {
  const wrong = (message: string): readonly Wrong[] => [{ path: '', message }];
  switch (scalar) {
    case 'numeric':
      return typeof value === 'number' ? [] : wrong(`expected numeric (int or float), got ${goType(value)}`);
    case 'string':
      return typeof value === 'string'
        ? []
        : wrong(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong(`expected boolean, got ${goValue(value)}`);
    case 'untyped':
      return typeof value === 'object' ? wrong(`expected any scalar, got ${goValue(value)}`) : [];
  }
}

const checkAtomic = (schema: Schema, items: readonly unknown[]): readonly Wrong[] =>
  items.flatMap((item, at) => under(`i:${at}`, check(itemsOf(schema) ?? anything, item)));

function checkItems(schema: Schema, items: readonly unknown[]): readonly Wrong[] {
  const wrong: Wrong[] = [];
  const seen = new Set<Element>();
  for (const [at, item] of items.entries()) {
    const found = elementOf(schema, item);
    if ('wrong' in found) return [...wrong, { path: '', message: `element ${at}: ${found.wrong}` }];
    if (seen.has(found.element)) {
      wrong.push({ path: '', message: `duplicate entries for key ${printed(found.element)}` });
    }
    seen.add(found.element);
    wrong.push(...under(found.element, check(itemsOf(schema) ?? anything, item)));
  }
  return wrong;
}

function checkFields(schema: Schema, fields: Readonly<Record<string, unknown>>): readonly Wrong[] {
  const wrong: Wrong[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const below = fieldOf(schema, name);
    if (below === undefined) return [...wrong, { path: `.${name}`, message: 'field not declared in schema' }];
    wrong.push(...under(field(name), check(below, value)));
  }
  return wrong;
}

const under = (element: Element, wrong: readonly Wrong[]): readonly Wrong[] =>
  wrong.map(({ path, message }) => ({ path: printed(element) + path, message }));

/** What Go calls the type of a value that came from JSON. */
function goType(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  if (Array.isArray(value)) return '[]interface {}';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'map[string]interface {}';
}

/** `%#v` */
function goSyntax(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (isMap(value)) {
    const entries = Object.keys(value).sort();
    return `map[string]interface {}{${entries.map((key) => `${JSON.stringify(key)}:${goSyntax(value[key])}`).join(', ')}}`;
  }
  return value === null ? 'interface {}(nil)' : JSON.stringify(value);
}

/** `%v` of the pointer that values are held by. */
function goValue(value: unknown): string {
  return `&{${goPlain(value)}}`;
}

/** `%v` */
export function goPlain(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goPlain).join(' ')}]`;
  if (isMap(value)) {
    const keys = Object.keys(value).sort();
    return `map[${keys.map((key) => `${key}:${goPlain(value[key])}`).join(' ')}]`;
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '<nil>';
}
