import { quote } from '../refusal.ts';
import type { FieldError } from '../resource.ts';

/** What stands behind `Invalid value: `; JSON for what has parts, as Go writes it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (value === undefined || value === null) return 'null';
  return JSON.stringify(value).replaceAll(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

export const required = (field: string, detail = ''): FieldError => ({
  reason: 'FieldValueRequired',
  field,
  message: detail === '' ? 'Required value' : `Required value: ${detail}`,
});

export const invalidValue = (field: string, value: unknown, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${shown(value)}: ${detail}`,
});

export const wrongType = (field: string, value: unknown, detail: string): FieldError => ({
  reason: 'FieldValueTypeInvalid',
  field,
  message: `Invalid value: ${shown(value)}: ${detail}`,
});

export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${shown(value)}: supported values: ${supported.map(quote).join(', ')}`,
});

export const duplicate = (field: string, value: unknown): FieldError => ({
  reason: 'FieldValueDuplicate',
  field,
  message: `Duplicate value: ${shown(value)}`,
});

export const forbiddenField = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${detail}`,
});

export const tooLong = (field: string, most: number): FieldError => ({
  reason: 'FieldValueTooLong',
  field,
  message: `Too long: may not be more than ${most} bytes`,
});

export const tooMany = (field: string, given: number, most: number): FieldError => ({
  reason: 'FieldValueTooMany',
  field,
  message: `Too many: ${given}: must have at most ${most} items`,
});
