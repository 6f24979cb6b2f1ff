import type { FieldError } from '../resource.ts';
import { compileProblem } from '../schema/cel/compile.ts';
import type { Subject } from '../schema/cel/compile.ts';
import { resourceSchema } from '../schema/cel/fields.ts';
import { rulesOf } from '../schema/cel/rules.ts';
import type { Rule } from '../schema/cel/rules.ts';
import { invalidValue, notSupported, required } from '../schema/field-errors.ts';
import type { RawSchema } from '../schema/structural.ts';

/** The rules of one schema; those of a whole object know what every object has. */
export function validateRules(schema: RawSchema, path: string, isRoot: boolean): readonly FieldError[] {
  const rules = rulesOf(schema);
  if (rules.length === 0) return [];
  const self = isRoot || schema['x-kubernetes-embedded-resource'] === true ? resourceSchema(schema) : schema;
  return rules.flatMap((rule, index) =>
    validateRule(rule, `${path}.x-kubernetes-validations[${index}]`, {
      self,
      oldSelf: rule.optionalOldSelf === true ? undefined : self,
    }),
  );
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

function validateRule(rule: Rule, path: string, subject: Subject): readonly FieldError[] {
  const { rule: text, message, messageExpression, reason, fieldPath } = rule;
  const errors: FieldError[] = [];
  if (text.trim() === '') return [required(`${path}.rule`, 'rule is not specified')];
  if (message !== undefined && message !== '' && message.trim() === '')
    errors.push(invalidValue(`${path}.message`, message, 'must be non-empty if specified'));
  else if (message?.trim().includes('\n') === true)
    errors.push(invalidValue(`${path}.message`, message, 'must not contain line breaks'));
  else if (text.trim().includes('\n') && (message ?? '') === '')
    errors.push(required(`${path}.message`, 'message must be specified if rule contains line breaks'));
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(`${path}.reason`, reason, reasons));
  if (fieldPath !== undefined && fieldPath !== '' && !fieldPath.startsWith('.') && !fieldPath.startsWith('['))
    errors.push(invalidValue(`${path}.fieldPath`, fieldPath, 'must be a valid path'));
  if (errors.length > 0) return errors;
  const problem = compileProblem(text, subject);
  if (problem !== undefined) errors.push(invalidValue(`${path}.rule`, inGo(rule), problem));
  const unsaid = messageExpression === undefined || messageExpression === '';
  const unsayable = unsaid ? undefined : compileProblem(messageExpression, subject, 'string');
  if (unsayable !== undefined) errors.push(invalidValue(`${path}.messageExpression`, inGo(rule), unsayable));
  return errors;
}

const inGo = (rule: Rule): unknown => ({
  Rule: rule.rule,
  Message: rule.message ?? '',
  MessageExpression: rule.messageExpression ?? '',
  Reason: rule.reason ?? null,
  FieldPath: rule.fieldPath ?? '',
  OptionalOldSelf: rule.optionalOldSelf ?? null,
});
