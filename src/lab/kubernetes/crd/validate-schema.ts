import type { FieldError } from '../resource.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../schema/field-errors.ts';
import { prune } from '../schema/prune.ts';
import { isRaw, structuralSchema } from '../schema/structural.ts';
import type { RawSchema } from '../schema/structural.ts';
import { goPattern, validateValue } from '../schema/values.ts';
import { validateRules } from './validate-rule.ts';

/** Whether a schema is structural, and whether what it says can be kept. */
export function validateSchema(schema: RawSchema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const type = schema['type'] ?? '';
  if (schema['nullable'] === true)
    errors.push(forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root'));
  if (type === '') errors.push(required(`${path}.type`, 'must not be empty at the root'));
  else if (type !== 'object') errors.push(invalidValue(`${path}.type`, type, 'must be object at the root'));
  errors.push(...metadata(schema, path), ...validateNode(schema, path, true));
  if (isRaw(schema['default'])) errors.push(...unnamed(schema['default'], `${path}.default`));
  return errors;
}

/** A whole object that does not say what it is. */
const unnamed = (value: RawSchema, path: string): readonly FieldError[] =>
  ['apiVersion', 'kind'].filter((name) => value[name] === undefined).map((name) => required(`${path}.${name}`));

function metadata(schema: RawSchema, path: string): readonly FieldError[] {
  const meta = fieldsOf(schema)['metadata'];
  if (!isRaw(meta)) return [];
  const isPlain =
    Object.keys(meta).every((key) => ['type', 'properties', 'description'].includes(key)) &&
    Object.keys(fieldsOf(meta)).every((key) => key === 'name' || key === 'generateName');
  if (isPlain) return [];
  return [
    forbiddenField(
      `${path}.properties[metadata]`,
      'must not specify anything other than name and generateName, but metadata is implicitly specified',
    ),
  ];
}

const fieldsOf = (schema: RawSchema): RawSchema => (isRaw(schema['properties']) ? schema['properties'] : {});
const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** One schema that says what type something is, and those below it. */
function validateNode(schema: RawSchema, path: string, isRoot = false): readonly FieldError[] {
  const { type, items, additionalProperties } = schema;
  const errors: FieldError[] = [...forbidden(schema, path)];
  if (typeof type === 'string' && type !== '' && !types.includes(type))
    errors.push(notSupported(`${path}.type`, type, types));
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    errors.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  errors.push(...embedded(schema, path), ...listType(schema, path), ...mapType(schema, path));
  if (type === 'array' && items === undefined) errors.push(required(`${path}.items`, 'must be specified'));
  if (Array.isArray(items))
    errors.push(forbiddenField(`${path}.items`, 'items must be a schema object and not an array'));
  if (isRaw(items))
    errors.push(...typed(items, `${path}.items`, 'array items'), ...validateNode(items, `${path}.items`));
  if (isRaw(additionalProperties)) {
    if (Object.keys(fieldsOf(schema)).length > 0)
      errors.push(
        forbiddenField(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
      );
    errors.push(
      ...typed(additionalProperties, `${path}.additionalProperties`, 'object fields'),
      ...validateNode(additionalProperties, `${path}.additionalProperties`),
    );
  }
  for (const [name, field] of Object.entries(fieldsOf(schema)).sort(byName)) {
    if (!isRaw(field)) continue;
    const place = `${path}.properties[${name}]`;
    errors.push(...typed(field, place, 'object fields'), ...validateNode(field, place));
  }
  errors.push(...alternatives(schema, path), ...pattern(schema, path), ...fallback(schema, path));
  errors.push(...validateRules(schema, path, isRoot));
  return errors;
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function typed(schema: RawSchema, path: string, what: string): readonly FieldError[] {
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['$ref'] !== undefined;
  if ((schema['type'] ?? '') !== '' || isOpen) return [];
  return [required(`${path}.type`, `must not be empty for specified ${what}`)];
}

const unsupported = ['$ref', 'definitions', 'dependencies', 'id', '$schema', 'patternProperties', 'additionalItems'];

function forbidden(schema: RawSchema, path: string): readonly FieldError[] {
  const errors = unsupported
    .filter((key) => schema[key] !== undefined)
    .map((key) => forbiddenField(`${path}.${key}`, `${key} is not supported`));
  if (schema['uniqueItems'] === true)
    errors.push(
      forbiddenField(
        `${path}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    );
  return errors;
}

function embedded(schema: RawSchema, path: string): readonly FieldError[] {
  if (schema['x-kubernetes-embedded-resource'] !== true) return [];
  const errors: FieldError[] = [];
  if (Object.keys(fieldsOf(schema)).length === 0 && schema['x-kubernetes-preserve-unknown-fields'] !== true)
    errors.push(
      required(
        `${path}.properties`,
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
  if (schema['type'] !== 'object')
    errors.push(
      invalidValue(`${path}.type`, schema['type'] ?? '', 'must be object if x-kubernetes-embedded-resource is true'),
    );
  return errors;
}

function listType(schema: RawSchema, path: string): readonly FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'];
  if (type === undefined) return [];
  if (type !== 'atomic' && type !== 'set' && type !== 'map')
    return [notSupported(`${path}.x-kubernetes-list-type`, type, ['atomic', 'set', 'map'])];
  if (schema['type'] !== 'array')
    return [invalidValue(`${path}.type`, schema['type'] ?? '', 'must be array if x-kubernetes-list-type is specified')];
  if (type !== 'map') return [];
  if (!Array.isArray(keys) || keys.length === 0)
    return [required(`${path}.x-kubernetes-list-map-keys`, 'must not be empty if x-kubernetes-list-type is map')];
  return mapKeys(schema, keys as string[], path);
}

function mapKeys(schema: RawSchema, keys: readonly string[], path: string): readonly FieldError[] {
  const { items } = schema;
  if (!isRaw(items)) return [];
  if (items['type'] !== 'object')
    return [
      invalidValue(
        `${path}.items.type`,
        items['type'] ?? '',
        "must be object if parent array's x-kubernetes-list-type is map",
      ),
    ];
  const fields = fieldsOf(items);
  if (keys.some((key) => fields[key] === undefined))
    return [invalidValue(`${path}.x-kubernetes-list-map-keys`, keys, 'entries must all be names of item properties')];
  const needed = Array.isArray(items['required']) ? (items['required'] as string[]) : [];
  return keys.flatMap((key) => {
    const field = fields[key];
    if (needed.includes(key) || (isRaw(field) && field['default'] !== undefined)) return [];
    return [
      required(
        `${path}.items.properties[${key}].default`,
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      ),
    ];
  });
}

function mapType(schema: RawSchema, path: string): readonly FieldError[] {
  const type = schema['x-kubernetes-map-type'];
  if (type === undefined || type === 'atomic' || type === 'granular') return [];
  return [notSupported(`${path}.x-kubernetes-map-type`, type, ['atomic', 'granular'])];
}

const structure = [
  'type',
  'title',
  'description',
  'default',
  'additionalProperties',
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
];

/** Below anyOf and its like a schema judges values, and may not say what they are. */
function alternatives(schema: RawSchema, path: string): readonly FieldError[] {
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const below = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((key) => {
    const list = schema[key];
    return Array.isArray(list)
      ? list.filter(isRaw).map((each, index) => [each, `${path}.${key}[${index}]`] as const)
      : [];
  });
  const { not } = schema;
  const all = isRaw(not) ? [...below, [not, `${path}.not`] as const] : below;
  return all.flatMap(([each, place]) =>
    isIntOrString && isRaw(each) && Object.keys(each).join() === 'type' ? [] : judging(each, place, schema, path),
  );
}

function judging(schema: RawSchema, place: string, owner: RawSchema, path: string): readonly FieldError[] {
  const errors = structure
    .filter((key) => schema[key] !== undefined && schema[key] !== '' && schema[key] !== false)
    .map((key) =>
      forbiddenField(
        `${place}.${key}`,
        key === 'type' || key === 'title' || key === 'description'
          ? 'must be empty to be structural'
          : 'must be undefined to be structural',
      ),
    );
  for (const [name, field] of Object.entries(fieldsOf(schema)).sort(byName)) {
    const known = fieldsOf(owner)[name];
    if (known === undefined && owner['x-kubernetes-preserve-unknown-fields'] !== true)
      errors.push(required(`${path}.properties[${name}]`, `because it is defined in ${place}.properties[${name}]`));
    else if (isRaw(field) && isRaw(known))
      errors.push(...judging(field, `${place}.properties[${name}]`, known, `${path}.properties[${name}]`));
  }
  return errors;
}

function pattern(schema: RawSchema, path: string): readonly FieldError[] {
  const text = schema['pattern'];
  if (typeof text !== 'string') return [];
  try {
    goPattern(text);
    return [];
  } catch {
    const reason = (/\[[^\]]*$/.test(text) ? 'missing closing ]' : 'missing closing )') + `: \`${text}\``;
    return [
      invalidValue(
        `${path}.pattern`,
        text,
        `must be a valid regular expression, but isn't: error parsing regexp: ${reason}`,
      ),
    ];
  }
}

function fallback(schema: RawSchema, path: string): readonly FieldError[] {
  if (schema['default'] === undefined) return [];
  const value = structuredClone(schema['default']);
  const place = `${path}.default`;
  if (isRaw(value)) {
    const shape = { ...structuralSchema(schema), embedded: schema['x-kubernetes-embedded-resource'] === true };
    const wrapped = { value };
    const holder = { type: 'object' as const, property: (name: string) => (name === 'value' ? shape : undefined) };
    if (prune(holder, wrapped).length > 0)
      return [invalidValue(place, schema['default'], 'must not have unknown fields')];
  }
  return validateValue(schema, value, '').map((error) => ({
    ...error,
    field: error.field === '' ? place : error.field === '<nil>' ? error.field : `${place}.${error.field}`,
    message: error.field === '' ? error.message.replace(': in body', ':  in body') : error.message,
  }));
}
