import { fieldsOfTypes } from './types.ts';

/** A type as the table writes it, taken apart. */
export type FieldType =
  | { readonly kind: 'scalar'; readonly name: string; readonly as?: string }
  | { readonly kind: 'text' | 'own'; readonly name: string }
  | { readonly kind: 'struct'; readonly name: string }
  | { readonly kind: 'free' }
  | { readonly kind: 'any' }
  | { readonly kind: 'pointer'; readonly of: FieldType }
  | { readonly kind: 'list'; readonly of: FieldType; readonly as?: string }
  | { readonly kind: 'map'; readonly of: FieldType; readonly as?: string };

export type Field = { readonly key: string; readonly type: FieldType; readonly omitted: boolean };

/** What code of their own reads of some types. */
const more: Readonly<Record<string, string>> = {
  'v1alpha1.ClusterInlineManifest': 'name:string contents:string',
  'x509.PEMEncodedCertificateAndKeyText': 'crt:string key:string',
  'x509.PEMEncodedCertificateText': 'crt:string',
  'x509.PEMEncodedKeyText': 'key:string',
};

const known = new Map<string, readonly Field[]>();

/** The fields that a type has in a minor of Talos; undefined for a type that is no table row. */
export function fieldsOf(name: string, minor: number): readonly Field[] {
  const key = `${name}@${minor}`;
  const found = known.get(key) ?? parseRow(fieldsOfTypes[name] ?? more[name] ?? '', minor);
  known.set(key, found);
  return found;
}

export const isStruct = (name: string): boolean => Object.hasOwn(fieldsOfTypes, name) || Object.hasOwn(more, name);

function parseRow(row: string, minor: number): readonly Field[] {
  return row
    .split(' ')
    .filter((word) => word !== '')
    .flatMap((word) => {
      const [, key = '', from = '', to = '', type = '', omitted = ''] =
        /^([^[:]+)(?:\[(\d*)-(\d*)\])?:(.*?)(\??)$/.exec(word) ?? [];
      const there = minor >= Number(from || 0) && minor <= Number(to || 99);
      return there ? [{ key, type: parseType(type), omitted: omitted !== '' }] : [];
    });
}

export function parseType(text: string, as?: string): FieldType {
  const [, name, rest] = /^#([^#]+)#(.*)$/.exec(text) ?? [];
  if (name !== undefined) return parseType(rest ?? '', name);
  const named = as === undefined ? {} : { as };
  if (text.startsWith('*')) return { kind: 'pointer', of: parseType(text.slice(1)) };
  if (text.startsWith('[')) return { kind: 'list', of: parseType(text.slice(1)), ...named };
  if (text.startsWith('{string}')) return { kind: 'map', of: parseType(text.slice(8)), ...named };
  if (text.startsWith('$')) return { kind: 'text', name: text.slice(1) };
  if (text === '!v1alpha1.ClusterInlineManifests')
    return { kind: 'list', of: { kind: 'struct', name: 'v1alpha1.ClusterInlineManifest' } };
  if (text.startsWith('!')) return { kind: 'own', name: text.slice(1) };
  if (text === 'any') return { kind: 'any' };
  if (text.endsWith('.Unstructured')) return { kind: 'free' };
  if (text.includes('.')) return { kind: 'struct', name: text };
  return { kind: 'scalar', name: text, ...named };
}

const printed: Readonly<Record<string, string>> = {
  'x509.PEMEncodedCertificateAndKeyText': 'struct { Crt string "yaml:\\"crt\\""; Key string "yaml:\\"key\\"" }',
  'x509.PEMEncodedCertificateText': 'struct { Crt string "yaml:\\"crt\\"" }',
  'x509.PEMEncodedKeyText': 'struct { Key string "yaml:\\"key\\"" }',
};

/** How Go prints the type. */
export function goName(type: FieldType): string {
  switch (type.kind) {
    case 'scalar':
      return type.as ?? (type.name === 'duration' ? 'time.Duration' : type.name);
    case 'text':
    case 'own':
    case 'struct':
      return printed[type.name] ?? type.name;
    case 'free':
      return 'v1alpha1.Unstructured';
    case 'any':
      return 'interface {}';
    case 'pointer':
      return `*${goName(type.of)}`;
    case 'list':
      return type.as ?? `[]${goName(type.of)}`;
    case 'map':
      return type.as ?? `map[string]${goName(type.of)}`;
  }
}
