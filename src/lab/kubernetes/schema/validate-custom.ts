import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError } from '../resource.ts';
import { hasRules, validateRules } from './cel/rules.ts';
import { validateKubernetesTypes } from './list-types.ts';
import type { Schema } from './schema.ts';
import { validateValue } from './values.ts';

const blocking = new Set<FieldError['reason']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Everything that the schema of a custom resource says about an object; `between` is told after the schema and before its rules. */
export function validateCustom(
  schema: Schema,
  object: KubeObject,
  old?: KubeObject,
  between: readonly FieldError[] = [],
): readonly FieldError[] {
  const { raw } = schema;
  if (raw === undefined) return between;
  const before = old === undefined ? { is: false } : { is: true, value: old };
  const errors = [...validateValue(raw, object, '', before), ...validateKubernetesTypes(raw, object, ''), ...between];
  if (!hasRules(raw)) return errors;
  if (errors.some(({ reason }) => blocking.has(reason))) return [...errors, unchecked];
  return [...errors, ...validateRules(raw, object, '', before)];
}

const unchecked: FieldError = {
  reason: 'FieldValueInvalid',
  field: '<nil>',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};
