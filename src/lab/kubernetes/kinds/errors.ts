import { quote } from '../refusal.ts';
import type { FieldError } from '../resource.ts';

/** What is wrong with one field, in the API server’s words. */
export const required = (field: string, because = ''): FieldError => ({
  reason: 'FieldValueRequired',
  field,
  message: because === '' ? 'Required value' : `Required value: ${because}`,
});

export const invalidValue = (field: string, value: unknown, because: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${shown(value)}: ${because}`,
});

export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${shown(value)}: supported values: ${supported.map(quote).join(', ')}`,
});

export const forbiddenField = (field: string, because: string): FieldError => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${because}`,
});

export const duplicate = (field: string, value: unknown): FieldError => ({
  reason: 'FieldValueDuplicate',
  field,
  message: `Duplicate value: ${shown(value)}`,
});

export const notThere = (field: string, value: unknown): FieldError => ({
  reason: 'FieldValueNotFound',
  field,
  message: `Not found: ${shown(value)}`,
});

const shown = (value: unknown): string =>
  value === undefined ? 'null' : typeof value === 'string' ? quote(value) : JSON.stringify(value);

export const atLeastZero = 'must be greater than or equal to 0';
export const portRange = 'must be between 1 and 65535, inclusive';
export const immutable = 'field is immutable';

export function nonNegative(field: string, value: unknown): readonly FieldError[] {
  return typeof value === 'number' && value < 0 ? [invalidValue(field, value, atLeastZero)] : [];
}

export function oneOf(field: string, value: unknown, supported: readonly string[]): readonly FieldError[] {
  return value === undefined || supported.some((each) => each === value) ? [] : [notSupported(field, value, supported)];
}

export const isPort = (value: unknown): boolean => typeof value === 'number' && value >= 1 && value <= 65_535;

export const complain = (field: string, value: unknown, complaints: readonly string[]): readonly FieldError[] =>
  complaints.map((because) => invalidValue(field, value, because));
