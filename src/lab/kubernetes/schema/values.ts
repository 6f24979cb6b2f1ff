import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../resource.ts';
import { invalidValue, notSupported, required, tooLong, tooMany, wrongType } from './field-errors.ts';
import { formats } from './formats.ts';
import { isRaw } from './structural.ts';
import type { RawSchema } from './structural.ts';

/** What OpenAPI has to say about a value of a custom resource. What an update does not change is not judged again. */
export function validateValue(raw: RawSchema, value: unknown, path: string, old: Old = nothing): readonly FieldError[] {
  if (old.is && isDeepStrictEqual(value, old.value)) return [];
  if (value === null && raw['nullable'] === true) return [];
  return [
    ...types(raw, value, path),
    ...combinations(raw, value, path),
    ...(typeof value === 'string' ? texts(raw, value, path) : []),
    ...(typeof value === 'number' ? numbers(raw, value, path) : []),
    ...(Array.isArray(value) ? lists(raw, value, path, old) : []),
    ...enums(raw, value, path),
    ...(isObject(value) ? objects(raw, value, path, old) : []),
  ];
}

/** What stood there before, if that can be told. */
export type Old = { readonly is: boolean; readonly value?: unknown };
const nothing: Old = { is: false };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const here = (path: string): string => (path === '' ? '' : `${path} `);

/** About no field in particular. */
const general = (detail: string): FieldError => invalidValue('<nil>', '', detail);

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'number';
  return typeof value;
}

function types(raw: RawSchema, value: unknown, path: string): readonly FieldError[] {
  const isIntOrString = raw['x-kubernetes-int-or-string'] === true;
  const { type, format } = raw;
  if (typeof type !== 'string' && !isIntOrString) return [];
  const kind = kindOf(value);
  const wanted = isIntOrString ? ['integer', 'string'] : [type];
  if (wanted.includes(kind) || (type === 'number' && kind === 'integer')) return [];
  const isSized = type === 'integer' && (format === 'int32' || format === 'int64') && kind === 'number';
  const [is, should] = isSized ? ['float64', format] : [kind, wanted.join(',')];
  return [wrongType(path, is, `${here(path)}in body must be of type ${should}: "${is}"`)];
}

function combinations(raw: RawSchema, value: unknown, path: string): readonly FieldError[] {
  const judge = (list: unknown): readonly (readonly FieldError[])[] =>
    Array.isArray(list) ? list.filter(isRaw).map((each) => validateValue(each, value, path)) : [];
  const errors: FieldError[] = [];
  const where = `"${path}"`;
  const any = judge(raw['anyOf']);
  if (any.length > 0 && any.every((each) => each.length > 0))
    errors.push(general(`${where} must validate at least one schema (anyOf)`), ...best(any));
  const one = judge(raw['oneOf']);
  const fitting = one.filter((each) => each.length === 0).length;
  if (one.length > 0 && fitting !== 1)
    errors.push(
      general(
        `${where} must validate one and only one schema (oneOf). Found ${fitting === 0 ? 'none valid' : `${fitting} valid alternatives`}`,
      ),
      ...(fitting === 0 ? best(one) : []),
    );
  const all = judge(raw['allOf']);
  if (all.some((each) => each.length > 0))
    errors.push(
      ...all.flat(),
      general(
        `${where} must validate all the schemas (allOf)${all.every((each) => each.length > 0) && all.length > 1 ? '. None validated' : ''}`,
      ),
    );
  const { not } = raw;
  if (isRaw(not) && validateValue(not, value, path).length === 0)
    errors.push(general(`${where} must not validate the schema (not)`));
  return errors;
}

/** The alternative that the value came closest to. */
const best = (alternatives: readonly (readonly FieldError[])[]): readonly FieldError[] =>
  alternatives.reduce((least, each) => (each.length < least.length ? each : least));

function texts(raw: RawSchema, value: string, path: string): readonly FieldError[] {
  const { maxLength, minLength, pattern, format, type } = raw;
  const length = Array.from(value).length;
  const errors: FieldError[] = [];
  if (typeof maxLength === 'number' && length > maxLength) errors.push(tooLong(path, maxLength));
  if (typeof minLength === 'number' && length < minLength)
    errors.push(invalidValue(path, value, `${here(path)}in body should be at least ${minLength} chars long`));
  if (typeof pattern === 'string' && !goPattern(pattern).test(value))
    errors.push(invalidValue(path, value, `${here(path)}in body should match '${pattern}'`));
  if (type === 'string' && typeof format === 'string' && formats[format]?.(value) === false)
    errors.push(wrongType(path, value, `${here(path)}in body must be of type ${format}: ${JSON.stringify(value)}`));
  return errors;
}

const patterns = new Map<string, RegExp>();

/** RE2 as far as JavaScript goes: `(?i)` at the start and `\z` are translated. */
export function goPattern(text: string): RegExp {
  let pattern = patterns.get(text);
  if (pattern === undefined) {
    const flags = /^\(\?([ims]+)\)/.exec(text)?.[1] ?? '';
    const body = text
      .replace(/^\(\?[ims]+\)/, '')
      .replaceAll('\\z', '$')
      .replaceAll('\\A', '^')
      .replaceAll('(?P<', '(?<');
    try {
      pattern = new RegExp(body, `u${flags}`);
    } catch {
      pattern = new RegExp(body, flags);
    }
    patterns.set(text, pattern);
  }
  return pattern;
}

function numbers(raw: RawSchema, value: number, path: string): readonly FieldError[] {
  const { minimum, maximum, multipleOf, type, format } = raw;
  const errors: FieldError[] = [];
  if (type === 'integer' && !isWhole(value, format))
    errors.push(
      general(
        `Checked value must be of type integer ${typeof format === 'string' ? `with format ${format}` : '(default format)'} in ${path}`,
      ),
    );
  if (typeof multipleOf === 'number' && value % multipleOf !== 0)
    errors.push(invalidValue(path, value, `${here(path)}in body should be a multiple of ${multipleOf}`));
  const [above, below] = [raw['exclusiveMinimum'] === true, raw['exclusiveMaximum'] === true];
  if (typeof maximum === 'number' && (below ? value >= maximum : value > maximum))
    errors.push(
      invalidValue(path, value, `${here(path)}in body should be less than ${below ? '' : 'or equal to '}${maximum}`),
    );
  if (typeof minimum === 'number' && (above ? value <= minimum : value < minimum))
    errors.push(
      invalidValue(path, value, `${here(path)}in body should be greater than ${above ? '' : 'or equal to '}${minimum}`),
    );
  return errors;
}

function isWhole(value: number, format: unknown): boolean {
  const bits = format === 'int32' ? 31 : 63;
  return Number.isInteger(value) && value >= -(2 ** bits) && value < 2 ** bits;
}

function enums(raw: RawSchema, value: unknown, path: string): readonly FieldError[] {
  const allowed = raw['enum'];
  if (!Array.isArray(allowed) || allowed.some((each) => isDeepStrictEqual(each, value))) return [];
  return [
    notSupported(
      path,
      value,
      allowed.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))),
    ),
  ];
}

function lists(raw: RawSchema, value: readonly unknown[], path: string, old: Old): readonly FieldError[] {
  const { items, minItems, maxItems } = raw;
  const errors: FieldError[] = [];
  if (isRaw(items)) {
    const before = oldItems(raw, old);
    for (const [index, each] of value.entries())
      errors.push(...validateValue(items, each, `${path}[${index}]`, before(each)));
  }
  if (typeof minItems === 'number' && value.length < minItems)
    errors.push(invalidValue(path, value.length, `${here(path)}in body should have at least ${minItems} items`));
  if (typeof maxItems === 'number' && value.length > maxItems) errors.push(tooMany(path, value.length, maxItems));
  if (
    raw['uniqueItems'] === true &&
    value.some((each, index) => value.slice(0, index).some((other) => isDeepStrictEqual(each, other)))
  )
    errors.push(invalidValue(path, value, `${here(path)}in body shouldn't contain duplicates`));
  return errors;
}

/** Which item an item was: only lists that are maps can tell. */
export function oldItems(raw: RawSchema, old: Old): (item: unknown) => Old {
  const keys = raw['x-kubernetes-list-map-keys'];
  if (!old.is || raw['x-kubernetes-list-type'] !== 'map' || !Array.isArray(keys) || !Array.isArray(old.value))
    return () => nothing;
  const keyOf = (item: unknown): string =>
    JSON.stringify((keys as string[]).map((key) => (isObject(item) ? item[key] : undefined)));
  const known = new Map(old.value.map((item: unknown) => [keyOf(item), item]));
  return (item) => (known.has(keyOf(item)) ? { is: true, value: known.get(keyOf(item)) } : nothing);
}

function objects(
  raw: RawSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  old: Old,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const names = Object.keys(value);
  const { minProperties, maxProperties } = raw;
  if (typeof minProperties === 'number' && names.length < minProperties)
    errors.push(
      invalidValue(path, names.length, `${here(path)}in body should have at least ${minProperties} properties`),
    );
  if (typeof maxProperties === 'number' && names.length > maxProperties)
    errors.push(tooMany(path, names.length, maxProperties));
  for (const name of Array.isArray(raw['required']) ? (raw['required'] as string[]) : [])
    if (!Object.hasOwn(value, name)) errors.push(required(child(path, name)));
  for (const name of names.sort()) {
    const schema = fieldOf(raw, name);
    if (schema !== undefined)
      errors.push(...validateValue(schema, value[name], child(path, name), oldField(old, name)));
  }
  return errors;
}

export const child = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

export const oldField = (old: Old, name: string): Old =>
  old.is && isObject(old.value) && Object.hasOwn(old.value, name) ? { is: true, value: old.value[name] } : nothing;

export function fieldOf(raw: RawSchema, name: string): RawSchema | undefined {
  const { properties, additionalProperties } = raw;
  if (isRaw(properties) && Object.hasOwn(properties, name))
    return isRaw(properties[name]) ? properties[name] : undefined;
  return isRaw(additionalProperties) ? additionalProperties : undefined;
}
