import type { EffectiveValue, Explained, Explanation } from '../../engine.ts';
import type { Position } from '../../model/problem.ts';
import type { Terminal } from '../terminal.ts';
import { wrap } from './wrap.ts';

/** For programs: the whole of it, as plain fields. */
export function explainedJson({ explanation, documents }: Explained): Record<string, unknown> {
  const { description, default: fallback, fields, ...rest } = explanation;
  return {
    ...rest,
    description: description ?? null,
    ...defaultJson(fallback),
    fields: fields.map((field) => ({
      name: field.name,
      description: field.description ?? null,
      type: field.type,
      required: field.required,
      ...defaultJson(field.default),
    })),
    documents: documents.map(({ name, values }) => ({ name, values: values.map(valueJson) })),
  };
}

const defaultJson = (fallback: Explanation['default']): Record<string, unknown> => ({
  default: fallback !== undefined && 'value' in fallback ? fallback.value : null,
  derived: fallback !== undefined && 'derived' in fallback ? fallback.derived : null,
});

function valueJson({ path, value, hidden, origin }: EffectiveValue): Record<string, unknown> {
  const at = origin.kind === 'written' || origin.kind === 'derived' ? origin.at : undefined;
  return {
    path,
    value: value ?? null,
    hidden,
    origin: origin.kind,
    file: at?.file ?? null,
    line: at?.line ?? null,
    column: at?.column ?? null,
    ...(origin.kind === 'derived' ? { how: origin.how, from: origin.from ?? null } : {}),
  };
}

/** For people, as wide as their terminal. */
export function explainedText(explained: Explained, terminal: Terminal): string {
  const { explanation, kinds, documents, reading } = explained;
  const isRoot = explanation.path === '';
  const sections = [
    headingSection(explanation, terminal),
    factsSection(explanation, terminal),
    fieldsSection(explanation, terminal),
    rulesSection(explanation, terminal),
    ...(isRoot && reading === undefined ? [kindsSection(explanation, kinds, terminal)] : []),
    ...documents.map(({ name, values }) => valuesSection(`${explanation.kind} ${name}`, explanation, values, terminal)),
    ...(reading !== undefined && documents.length === 0 ? [`There is no ${explanation.kind} in what was given.`] : []),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function headingSection({ kind, path, description }: Explanation, { paint, columns }: Terminal): string {
  const title = path === '' ? paint('bold', kind) : `${paint('bold', path)} ${paint('dim', `of a ${kind}`)}`;
  return [title, ...(description === undefined ? [] : wrap(description, columns - 2).map((line) => `  ${line}`))].join(
    '\n',
  );
}

function factsSection(explanation: Explanation, terminal: Terminal): string {
  const { type, required, default: fallback, examples, path } = explanation;
  if (path === '') return '';
  const rows: (readonly [string, string])[] = [['it is', type]];
  if (required) rows.push(['required', 'yes']);
  if (fallback !== undefined)
    rows.push(['default', isOfItsFields(explanation) ? 'those of its fields' : defaultText(fallback)]);
  if (examples.length > 0) rows.push(['for example', examples.join(', ')]);
  return listed(rows, terminal, 'dim');
}

const isOfItsFields = ({ default: fallback, fields, isCollection }: Explanation): boolean =>
  fallback !== undefined && isEmpty(fallback) && fields.length > 0 && !isCollection;

const defaultText = (fallback: NonNullable<Explanation['default']>): string =>
  'derived' in fallback ? fallback.derived : plain(fallback.value);

function rulesSection({ rules: messages }: Explanation, { paint, columns }: Terminal): string {
  if (messages.length === 0) return '';
  const lines = messages.flatMap((message) =>
    wrap(message, columns - 4).map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`),
  );
  return [paint('bold', 'Rules'), ...lines].join('\n');
}

function fieldsSection(explanation: Explanation, terminal: Terminal): string {
  if (explanation.fields.length === 0) return '';
  const rows = explanation.fields.map(({ name, description, required, default: fallback }) => {
    const more = required
      ? 'Required.'
      : fallback === undefined || isEmpty(fallback)
        ? ''
        : `Default: ${defaultText(fallback)}.`;
    return [name, [description, more].filter(Boolean).join(' ')] as const;
  });
  return `${terminal.paint('bold', explanation.isCollection ? 'Fields of each' : 'Fields')}\n${listed(rows, terminal, 'cyan')}`;
}

/** A mapping or list that is there but empty says nothing to a reader. */
const isEmpty = (fallback: NonNullable<Explanation['default']>): boolean =>
  'value' in fallback &&
  typeof fallback.value === 'object' &&
  fallback.value !== null &&
  Object.keys(fallback.value).length === 0;

function kindsSection({ kind: shown }: Explanation, kinds: Explained['kinds'], terminal: Terminal): string {
  const rows = kinds.filter(({ kind }) => kind !== shown).map(({ kind, description }) => [kind, description] as const);
  return `${terminal.paint('bold', 'Other kinds')}\n${listed(rows, terminal, 'cyan')}`;
}

/** Two columns; the second is wrapped under itself. */
function listed(
  rows: readonly (readonly [string, string])[],
  { paint, columns }: Terminal,
  style: 'dim' | 'cyan',
): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows
    .flatMap(([name, text]) =>
      wrap(text, Math.max(30, columns - width - 2)).map(
        (line, index) =>
          `  ${index === 0 ? paint(style, name) + ' '.repeat(width - name.length) : ' '.repeat(width)}${line}`,
      ),
    )
    .join('\n');
}

/** More than this is a wall; then what somebody decided is worth reading, and the rest is counted. */
const manyValues = 40;

function valuesSection(
  title: string,
  { path: root }: Explanation,
  all: readonly EffectiveValue[],
  terminal: Terminal,
): string {
  const { paint } = terminal;
  const values = all.length > manyValues ? all.filter(({ origin }) => origin.kind !== 'default') : all;
  const shared = sharedPrefix(root, values);
  const rows = values.map(
    (value) => [value.path.slice(shared) || value.path, valueText(value), originText(value)] as const,
  );
  const left = all.length - values.length;
  return [
    `${paint('bold', 'Values')} ${paint('dim', `of ${title}`)}`,
    ...table(rows, terminal),
    ...(left === 0 ? [] : [`  and ${left} more by default; name a path below to see them.`]),
  ].join('\n');
}

/** How much of every path is the place itself, and need not be said again. */
function sharedPrefix(root: string, values: readonly EffectiveValue[]): number {
  const pattern = root
    .replace(/[.$^*+?()|\\]/g, '\\$&')
    .replaceAll('[]', '\\[\\d+\\]')
    .replaceAll('<name>', '(?:[^.[]+|\\["[^"]*"\\])');
  const place = new RegExp(`^${pattern}\\.`);
  const prefixes = new Set(values.map(({ path }) => (root === '' ? '' : (place.exec(path)?.[0] ?? ''))));
  const [only = ''] = prefixes;
  return prefixes.size === 1 ? only.length : 0;
}

/** Three columns, as far as the terminal is wide enough for them; an origin that does not fit stands below. */
function table(rows: readonly (readonly [string, string, string])[], { paint, columns }: Terminal): readonly string[] {
  const width = (column: 0 | 1, most: number): number =>
    Math.min(Math.max(0, ...rows.map((row) => row[column].length)), Math.floor(columns * most)) + 2;
  const [first, second] = [width(0, 0.4), width(1, 0.25)];
  return rows.flatMap(([path, value, origin]) => {
    const gaps = { path: gap(path, first), value: gap(path + gap(path, first) + value, first + second) };
    const start = `  ${paint('cyan', path)}${gaps.path}${value}`;
    const taken = 2 + path.length + gaps.path.length + value.length + gaps.value.length;
    if (taken + origin.length <= columns) return [`${start}${gaps.value}${paint('dim', origin)}`.trimEnd()];
    return [start, ...wrap(origin, columns - 6).map((line) => `      ${paint('dim', line)}`)];
  });
}

const gap = (text: string, width: number): string => ' '.repeat(Math.max(2, width - text.length));

const longest = 48;

function valueText({ value, hidden, origin }: EffectiveValue): string {
  if (hidden) return '(secret, not shown)';
  if (value === undefined) return origin.kind === 'unset' ? '(not set)' : '(not known yet)';
  const text = plain(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** YAML on one line, as a person would write it. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plain).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, entry]) => `${key}: ${plain(entry)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (typeof value !== 'string') return String(value);
  const lines = value.trimEnd().split('\n').length;
  if (lines > 1) return `(${lines} lines of text)`;
  return value === '' ? '""' : value;
}

function originText({ origin }: EffectiveValue): string {
  switch (origin.kind) {
    case 'written':
      return placeText(origin.at);
    case 'default':
      return 'default';
    case 'unset':
      return '';
    case 'derived': {
      const source = [origin.from, origin.at && placeText(origin.at)].filter(Boolean).join(', ');
      return `derived: ${origin.how}${source === '' ? '' : ` (${source})`}`;
    }
  }
}

const placeText = ({ file, line, column }: Position): string => `${file}:${line}:${column}`;
