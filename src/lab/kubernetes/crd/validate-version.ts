import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../resource.ts';
import { invalidValue, required } from '../schema/field-errors.ts';
import type { RawSchema } from '../schema/structural.ts';
import { fieldOf } from '../schema/values.ts';
import type { CrdColumn, CrdScale, CrdVersion } from './crd.ts';
import { parsePath } from './json-path.ts';
import { validateSchema } from './validate-schema.ts';

/** Schemas, subresources and columns. Where all versions have the same, the server speaks of it once and for all. */
export function validateVersionParts(versions: readonly CrdVersion[]): readonly FieldError[] {
  const together = <T>(
    part: (version: CrdVersion) => T,
    once: string,
    each: string,
    judge: (value: T, path: string, version: CrdVersion) => readonly FieldError[],
  ): readonly FieldError[] => {
    const [first] = versions;
    if (first === undefined) return [];
    if (versions.every((version) => isDeepStrictEqual(part(version), part(first))))
      return judge(part(first), once, first);
    return versions.flatMap((version, index) => judge(part(version), `spec.versions[${index}].${each}`, version));
  };
  return [
    ...together(
      ({ schema }) => schema?.openAPIV3Schema,
      'spec.validation.openAPIV3Schema',
      'schema.openAPIV3Schema',
      (schema, path) => (schema === undefined ? [] : validateSchema(schema, path)),
    ),
    ...together(
      ({ subresources }) => subresources?.scale,
      'spec.subresources.scale',
      'subresources.scale',
      (scale, path) => (scale === undefined ? [] : validateScale(scale, path)),
    ),
    ...together(
      ({ additionalPrinterColumns }) => additionalPrinterColumns,
      'spec.additionalPrinterColumns',
      'additionalPrinterColumns',
      (columns, path) => (columns ?? []).flatMap((column, index) => validateColumn(column, `${path}[${index}]`)),
    ),
    ...together(
      ({ selectableFields }) => selectableFields,
      'spec.selectableFields',
      'selectableFields',
      (fields, path, version) =>
        (fields ?? []).flatMap(({ jsonPath = '' }, index) =>
          validateSelectable(jsonPath, version.schema?.openAPIV3Schema ?? {}, `${path}[${index}].jsonPath`),
        ),
    ),
  ];
}

const notSimple = 'must be a simple json path starting with .';

const isSimple = (path: string): boolean => path.startsWith('.') && parsePath(path) !== undefined;

function validateScale(scale: CrdScale, path: string): readonly FieldError[] {
  const under = (
    field: 'specReplicasPath' | 'statusReplicasPath' | 'labelSelectorPath',
    roots: readonly string[],
    words: string,
  ): readonly FieldError[] => {
    const text = scale[field] ?? '';
    const place = `${path}.${field}`;
    if (text === '') return field === 'labelSelectorPath' ? [] : [required(place)];
    if (!isSimple(text)) return [invalidValue(place, text, notSimple)];
    return roots.some((root) => text.startsWith(root)) ? [] : [invalidValue(place, text, words)];
  };
  return [
    ...under('specReplicasPath', ['.spec.'], 'should be a json path under .spec'),
    ...under('statusReplicasPath', ['.status.'], 'should be a json path under .status'),
    ...under('labelSelectorPath', ['.spec.', '.status.'], 'should be a json path under either .spec or .status'),
  ];
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'];

function validateColumn(
  { name = '', type = '', format = '', jsonPath = '' }: CrdColumn,
  path: string,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  if (type === '') errors.push(required(`${path}.type`, `must be one of ${columnTypes.join(',')}`));
  else if (!columnTypes.includes(type))
    errors.push(invalidValue(`${path}.type`, type, `must be one of ${columnTypes.join(',')}`));
  if (format !== '' && !columnFormats.includes(format))
    errors.push(invalidValue(`${path}.format`, format, `must be one of ${columnFormats.toSorted().join(',')}`));
  if (jsonPath === '') errors.push(required(`${path}.JSONPath`));
  else if (!isSimple(jsonPath)) errors.push(invalidValue(`${path}.JSONPath`, jsonPath, notSimple));
  return errors;
}

function validateSelectable(jsonPath: string, schema: RawSchema, path: string): readonly FieldError[] {
  if (jsonPath === '') return [required(path)];
  const names = parsePath(jsonPath)?.map((step) => (typeof step === 'string' ? step : ''));
  if (!jsonPath.startsWith('.') || names === undefined) return [invalidValue(path, jsonPath, 'is an invalid path')];
  let field: RawSchema | undefined = schema;
  for (const name of names) field = field === undefined ? undefined : fieldOf(field, name);
  if (field === undefined) return [invalidValue(path, jsonPath, 'is an invalid path: does not refer to a valid field')];
  if (!['string', 'boolean', 'integer'].includes(String(field['type'])))
    return [
      invalidValue(
        path,
        jsonPath,
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      ),
    ];
  return [];
}
