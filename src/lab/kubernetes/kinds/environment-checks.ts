import type { FieldError } from '../resource.ts';
import { complain, invalidValue, required } from './errors.ts';
import { isTree, text, type Tree, tree } from './tree.ts';

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];
const fieldPaths =
  /^(metadata\.(name|namespace|uid|labels\['.*'\]|annotations\['.*'\])|spec\.(nodeName|serviceAccountName)|status\.(hostIPs?|podIPs?))$/;

export function checkEnvironment(field: string, variables: readonly Tree[]): readonly FieldError[] {
  return variables.flatMap(({ name, value, valueFrom }, at) => {
    const of = `${field}[${at}]`;
    const wrong: FieldError[] =
      text(name) === '' ? [required(`${of}.name`)] : [...complain(`${of}.name`, name, complaintsAbout(text(name)))];
    if (isTree(valueFrom)) wrong.push(...checkSource(`${of}.valueFrom`, valueFrom, text(value)));
    return wrong;
  });
}

const complaintsAbout = (name: string): readonly string[] =>
  /^[\x20-\x3c\x3e-\x7e]+$/.test(name)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];

function checkSource(field: string, source: Tree, value: string): readonly FieldError[] {
  const given = sources.filter((name) => isTree(source[name]));
  const path = text(tree(source['fieldRef'])['fieldPath']);
  const wrong: FieldError[] = [];
  if (isTree(source['fieldRef']) && path === '') wrong.push(required(`${field}.fieldRef.fieldPath`));
  else if (path !== '' && !fieldPaths.test(path)) {
    wrong.push(
      invalidValue(
        `${field}.fieldRef.fieldPath`,
        path,
        `error converting fieldPath: field label not supported: ${path}`,
      ),
    );
  }
  for (const name of ['configMapKeyRef', 'secretKeyRef']) {
    const reference = source[name];
    if (!isTree(reference)) continue;
    if (text(reference['name']) === '') wrong.push(required(`${field}.${name}.name`));
    if (text(reference['key']) === '') wrong.push(required(`${field}.${name}.key`));
  }
  if (given.length === 0) {
    wrong.push(
      invalidValue(
        field,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    );
  } else if (value !== '') {
    wrong.push(invalidValue(field, '', 'may not be specified when `value` is not empty'));
  } else if (given.length > 1) {
    wrong.push(invalidValue(field, '', 'may not have more than one field specified at a time'));
  }
  return wrong;
}
