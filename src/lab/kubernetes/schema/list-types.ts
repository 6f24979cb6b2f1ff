import type { FieldError } from '../resource.ts';
import { duplicate, invalidValue, required } from './field-errors.ts';
import { isRaw } from './structural.ts';
import type { RawSchema } from './structural.ts';
import { child, fieldOf } from './values.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Items that stand twice in a set or a map, and resources inside of a resource that are none. */
export function validateKubernetesTypes(raw: RawSchema, value: unknown, path: string): readonly FieldError[] {
  const { items } = raw;
  if (Array.isArray(value)) {
    const inner = isRaw(items)
      ? value.flatMap((each, index) => validateKubernetesTypes(items, each, `${path}[${index}]`))
      : [];
    return [...repeated(raw, value, path), ...inner];
  }
  if (!isObject(value)) return [];
  const own = raw['x-kubernetes-embedded-resource'] === true ? embedded(value, path) : [];
  const fields = Object.keys(value)
    .sort()
    .flatMap((name) => {
      const schema = fieldOf(raw, name);
      return schema === undefined ? [] : validateKubernetesTypes(schema, value[name], child(path, name));
    });
  return [...own, ...fields];
}

function repeated(raw: RawSchema, list: readonly unknown[], path: string): readonly FieldError[] {
  const type = raw['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const keys = (raw['x-kubernetes-list-map-keys'] ?? []) as readonly string[];
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const where = `${path}[${index}]`;
    if (type === 'map' && !isObject(item))
      return [invalidValue(where, item, 'must be an object for an array of list-type map')];
    const key =
      type === 'map' && isObject(item)
        ? Object.fromEntries(keys.filter((name) => name in item).map((name) => [name, item[name]]))
        : item;
    const text = JSON.stringify(key);
    if (seen.has(text)) return [duplicate(where, key)];
    seen.add(text);
    return [];
  });
}

function embedded(value: Readonly<Record<string, unknown>>, path: string): readonly FieldError[] {
  return ['apiVersion', 'kind'].flatMap((name) => {
    const given = value[name];
    if (given === undefined || given === '') return [required(child(path, name))];
    return [];
  });
}
