import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../../resource.ts';
import { quote } from '../../refusal.ts';
import { duplicate, forbiddenField, invalidValue, required, shown } from '../field-errors.ts';
import { isRaw } from '../structural.ts';
import type { RawSchema } from '../structural.ts';
import { child, fieldOf, oldField, oldItems } from '../values.ts';
import type { Old } from '../values.ts';
import { compile } from './compile.ts';
import { celValue } from './input.ts';

/** One of `x-kubernetes-validations`. */
export type Rule = {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
};

export const rulesOf = (raw: RawSchema): readonly Rule[] =>
  Array.isArray(raw['x-kubernetes-validations']) ? (raw['x-kubernetes-validations'] as Rule[]) : [];

const holding = new WeakMap<RawSchema, boolean>();

/** Whether there are rules anywhere below. */
export function hasRules(raw: RawSchema): boolean {
  let has = holding.get(raw);
  if (has === undefined) {
    const { items, properties, additionalProperties } = raw;
    const below = [items, additionalProperties, ...(isRaw(properties) ? Object.values(properties) : [])];
    has = rulesOf(raw).length > 0 || below.some((each) => isRaw(each) && hasRules(each));
    holding.set(raw, has);
  }
  return has;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Runs every rule of a value and of what is in it. What an update does not change is not judged again. */
export function validateRules(raw: RawSchema, value: unknown, path: string, old: Old): readonly FieldError[] {
  if (!hasRules(raw) || value === null || value === undefined) return [];
  if (old.is && isDeepStrictEqual(value, old.value)) return [];
  const own = rulesOf(raw).flatMap((rule) => runRule(rule, raw, value, path, old));
  const { items } = raw;
  if (Array.isArray(value)) {
    if (!isRaw(items)) return own;
    const before = oldItems(raw, old);
    return [...own, ...value.flatMap((each, index) => validateRules(items, each, `${path}[${index}]`, before(each)))];
  }
  if (!isObject(value)) return own;
  const fields = Object.keys(value)
    .sort()
    .flatMap((name) => {
      const schema = fieldOf(raw, name);
      if (schema === undefined) return [];
      const isProperty = isRaw(raw['properties']) && name in raw['properties'];
      return validateRules(
        schema,
        value[name],
        isProperty ? child(path, name) : `${path}[${name}]`,
        oldField(old, name),
      );
    });
  return [...own, ...fields];
}

const usesOldSelf = (rule: string): boolean => /\boldSelf\b/.test(rule);

function runRule(rule: Rule, raw: RawSchema, value: unknown, path: string, old: Old): readonly FieldError[] {
  const isTransition = usesOldSelf(rule.rule);
  if (isTransition && !old.is && rule.optionalOldSelf !== true) return [];
  const context = {
    self: celValue(raw, value),
    ...(isTransition && { oldSelf: old.is ? celValue(raw, old.value) : null }),
  };
  const typeName = typeof raw['type'] === 'string' ? raw['type'] : '';
  try {
    if (compile(rule.rule)(context) === true) return [];
  } catch (error) {
    const because = (error as Error).message.split('\n')[0] ?? '';
    return [
      invalidValue(path, typeName, `${inGoWords(because)} evaluating rule: ${(rule.message ?? rule.rule).trim()}`),
    ];
  }
  return [
    failed(
      rule,
      raw,
      value,
      path === '' && rule.fieldPath === undefined ? '<nil>' : path + (rule.fieldPath ?? ''),
      messageOf(rule, context),
    ),
  ];
}

const inGoWords = (message: string): string => message.replace(/^No such key: /, 'no such key: ');

function messageOf(rule: Rule, context: Readonly<Record<string, unknown>>): string {
  const fixed =
    rule.message === undefined || rule.message === '' ? `failed rule: ${rule.rule.trim()}` : rule.message.trim();
  if (rule.messageExpression === undefined || rule.messageExpression === '') return fixed;
  try {
    const text: unknown = compile(rule.messageExpression)(context);
    return typeof text === 'string' && text.trim() !== '' && !text.includes('\n') ? text.trim() : fixed;
  } catch {
    return fixed;
  }
}

function failed(rule: Rule, raw: RawSchema, value: unknown, place: string, detail: string): FieldError {
  const field = place.replace(/^\./, '');
  const hasParts = raw['type'] === 'object' || raw['type'] === 'array';
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbiddenField(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return hasParts ? { ...duplicate(field, value), message: `Duplicate value` } : duplicate(field, value);
    default:
      return {
        reason: 'FieldValueInvalid',
        field,
        message: hasParts
          ? `Invalid value: ${detail}`
          : `Invalid value: ${typeof value === 'string' ? quote(value) : shown(value)}: ${detail}`,
      };
  }
}
