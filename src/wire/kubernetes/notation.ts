/**
 * How built-in types are written down: one line per field, `name type and what else is true`.
 *
 *     containers! []Container by=name merge
 *     replicas *int32
 *
 * `!` is required and always written out; `*` may be absent apart from being empty; `[]` is a list, `{}` a map by text.
 * Types of another package carry its name: `core.PodSpec`. A line that begins with `@` is about the type itself.
 */
export type Types = Readonly<Record<string, string>>;

export type Scalar = (typeof scalars)[number];

const scalars = [
  'string',
  'bool',
  'int32',
  'int64',
  'double',
  /** Base64 on the wire. */
  'bytes',
  /** Whole seconds. */
  'time',
  'microtime',
  'quantity',
  'intstr',
  /** Any object. */
  'raw',
  /** Any value. */
  'json',
  /** A set of fields, as in managedFields. */
  'fields',
] as const;

export type TypeRef =
  | { readonly kind: 'list' | 'map'; readonly of: TypeRef }
  | { readonly kind: 'scalar'; readonly scalar: Scalar }
  /** With its package: `core.Container`. */
  | { readonly kind: 'named'; readonly name: string };

export type FieldNote = {
  readonly name: string;
  readonly type: TypeRef;
  readonly pointer: boolean;
  readonly required: boolean;
  /** Empty values are left out when it is written; a struct that is no pointer never is empty. */
  readonly omitEmpty: boolean;
  /** Left out even though it is a struct. */
  readonly omitZero: boolean;
  /** A list or map without anything in it is told apart from none. */
  readonly kept: boolean;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  /** Besides the empty values that follow from the type. */
  readonly default?: unknown;
};

export type TypeNote =
  | {
      readonly kind: 'struct';
      readonly fields: readonly FieldNote[];
      readonly atomic: boolean;
      /** Has apiVersion and kind, and is known by them. */
      readonly typed: boolean;
    }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'either'; readonly of: readonly TypeRef[] };

/** Reads one type. `home` is the package that it stands in. */
export function readType(text: string, home: string): TypeNote {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const first = lines[0] ?? '';
  if (first.startsWith('@enum ')) return { kind: 'enum', values: alternatives(lines.join(' ').slice('@enum '.length)) };
  if (first.startsWith('@either ')) {
    return { kind: 'either', of: alternatives(first.slice('@either '.length)).map((each) => readRef(each, home)) };
  }
  const marks = first.startsWith('@') ? first.split(' ') : [];
  const isKind = marks.includes('@kind');
  const typed = isKind || marks.includes('@typed');
  const own = lines.slice(marks.length === 0 ? 0 : 1);
  const shared = [
    ...(typed ? ['kind string', 'apiVersion string'] : []),
    ...(isKind ? ['metadata meta.ObjectMeta'] : []),
  ];
  return {
    kind: 'struct',
    fields: [...shared, ...own].map((line) => readField(line, home)),
    atomic: marks.includes('@atomic'),
    typed,
  };
}

/** Whether a `…List` of it exists that is not written down: nothing about it is special. */
export const hasPlainList = (text: string): boolean => /^\s*@kind @list/.test(text);

/** Such a list. */
export const plainList = (kind: string): string => `
    @typed
    metadata meta.ListMeta
    items! []${kind}`;

const alternatives = (text: string): readonly string[] =>
  text.split('|').map((each) => (each.trim() === '""' ? '' : each.trim()));

function readField(line: string, home: string): FieldNote {
  const [terms = '', fallback] = line.split(' = ');
  const [label = '', type = '', ...marks] = terms.split(' ');
  const always = label.endsWith('!');
  const by = after(marks, 'by=')?.split(',');
  const mergeKey = after(marks, 'merge=') ?? (marks.includes('merge') ? by?.[0] : undefined);
  const strategy = [
    ...(marks.some((mark) => mark === 'merge' || mark.startsWith('merge=')) ? (['merge'] as const) : []),
    ...(['retainKeys', 'replace'] as const).filter((mark) => marks.includes(mark)),
  ];
  const ref = readRef(type.replace(/^\*/, ''), home);
  const isList = ref.kind === 'list' || (ref.kind === 'scalar' && ref.scalar === 'bytes');
  const shape = by === undefined ? (['atomic', 'set'] as const).find((mark) => marks.includes(mark)) : 'map';
  const mapType = (['atomic', 'granular'] as const).find((mark) => marks.includes(mark));
  return {
    name: always ? label.slice(0, -1) : label,
    type: ref,
    pointer: type.startsWith('*'),
    required: always || marks.includes('required'),
    omitEmpty: !always && !marks.includes('written'),
    omitZero: marks.includes('omitzero'),
    kept: marks.includes('kept'),
    ...(isList && shape !== undefined && { listType: shape }),
    ...(by !== undefined && { listMapKeys: by }),
    ...(!isList && mapType !== undefined && { mapType }),
    ...(strategy.length > 0 && { patchStrategy: strategy }),
    ...(mergeKey !== undefined && { patchMergeKey: mergeKey }),
    ...(fallback !== undefined && { default: JSON.parse(fallback) as unknown }),
  };
}

const after = (marks: readonly string[], start: string): string | undefined =>
  marks.find((mark) => mark.startsWith(start))?.slice(start.length);

function readRef(text: string, home: string): TypeRef {
  if (text.startsWith('[]')) return { kind: 'list', of: readRef(text.slice(2), home) };
  if (text.startsWith('{}')) return { kind: 'map', of: readRef(text.slice(2), home) };
  const scalar = scalars.find((each) => each === text);
  if (scalar !== undefined) return { kind: 'scalar', scalar };
  return { kind: 'named', name: text.includes('.') ? text : `${home}.${text}` };
}
