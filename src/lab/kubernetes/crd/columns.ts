import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Column } from '../resource.ts';
import { columnsByDefault } from '../http/default-columns.ts';
import { age } from './age.ts';
import type { CrdColumn } from './crd.ts';
import { parsePath, valuesAt } from './json-path.ts';

const ageColumn: CrdColumn = {
  name: 'Age',
  type: 'date',
  description: columnsByDefault[1]?.description ?? '',
  jsonPath: '.metadata.creationTimestamp',
};

/** Its name, and what the author of the definition wants to see; nothing said: its age. */
export function customColumns(columns: readonly CrdColumn[] | undefined): readonly Column[] {
  const wanted = columns === undefined || columns.length === 0 ? [ageColumn] : columns;
  return [...columnsByDefault.slice(0, 1), ...wanted.map(columnOf)];
}

function columnOf({
  name = '',
  type = 'string',
  format = '',
  description = '',
  priority = 0,
  jsonPath = '',
}: CrdColumn): Column {
  const steps = parsePath(jsonPath) ?? [];
  const text = description === '' ? `What is at ${jsonPath}.` : description;
  return {
    name,
    type: type as Column['type'],
    ...(format !== '' && { format }),
    description: text,
    priority,
    value: (object, now) => cell(type, valuesAt(steps, object), now),
  };
}

function cell(type: string, values: readonly unknown[], now: Date): unknown {
  if (values.length === 0) return null;
  const [first] = values;
  switch (type) {
    case 'integer':
      return typeof first === 'number' ? Math.trunc(first) : null;
    case 'number':
      return typeof first === 'number' ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'date':
      return typeof first === 'string' ? age(first, now) : null;
    default:
      return values.map(text).join(',');
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A field that selectors may name, as they compare it. */
export function selectable(
  fields: readonly { readonly jsonPath?: string }[] | undefined,
): Readonly<Record<string, (object: KubeObject) => string>> {
  return Object.fromEntries(
    (fields ?? []).map(({ jsonPath = '' }) => {
      const steps = parsePath(jsonPath) ?? [];
      return [jsonPath.replace(/^\./, ''), (object: KubeObject) => valuesAt(steps, object).map(text).join(',')];
    }),
  );
}
