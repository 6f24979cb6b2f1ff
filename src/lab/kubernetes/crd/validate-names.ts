import type { FieldError } from '../resource.ts';
import { invalidValue, required } from '../schema/field-errors.ts';
import type { CrdNames } from './crd.ts';
import { labelProblem } from './labels.ts';

export function validateNames(names: CrdNames): readonly FieldError[] {
  const { plural = '', singular = '', kind = '', listKind = '', shortNames = [], categories = [] } = names;
  const errors = [
    ...label('spec.names.plural', plural),
    ...label('spec.names.singular', singular),
    ...mixed('spec.names.kind', kind),
    ...mixed('spec.names.listKind', listKind),
    ...shortNames.flatMap((each, index) => label(`spec.names.shortNames[${index}]`, each)),
  ];
  if (kind !== '' && kind === listKind)
    errors.push(invalidValue('spec.names.listKind', listKind, 'kind and listKind may not be the same'));
  return [...errors, ...categories.flatMap((each, index) => label(`spec.names.categories[${index}]`, each))];
}

function label(field: string, text: string): readonly FieldError[] {
  if (text === '') return [required(field)];
  const problem = labelProblem(text);
  return problem === undefined ? [] : [invalidValue(field, text, problem)];
}

function mixed(field: string, text: string): readonly FieldError[] {
  if (text === '') return [required(field)];
  const problem = labelProblem(text.toLowerCase());
  return problem === undefined
    ? []
    : [invalidValue(field, text, `may have mixed case, but should otherwise match: ${problem}`)];
}
