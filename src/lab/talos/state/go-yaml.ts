import { quoted, scalarStyle } from './go-yaml-scalar.ts';

/** What can be written; undefined fields are left out. */
export type YamlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue | undefined }
  | AsWritten
  // Where keys may look like numbers: objects would bring those to the front.
  | ReadonlyMap<string | AsWritten, YamlValue>;

/** Text that stands for a value as it is. */
export class AsWritten {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type YamlMap =
  | Extract<YamlValue, { readonly [key: string]: YamlValue | undefined }>
  | ReadonlyMap<string | AsWritten, YamlValue>;

/** YAML as Go’s library writes it: four spaces, sequences indented too, its own taste in quotes. */
export function goYaml(value: YamlValue): string {
  if (isMap(value)) return mapText(value, 0, 0) || '{}\n';
  if (isList(value)) return value.length === 0 ? '[]\n' : listText(value, 0);
  return `${scalar(value, 4)}\n`;
}

const isList = (value: YamlValue): value is readonly YamlValue[] => Array.isArray(value);
const isMap = (value: YamlValue): value is YamlMap =>
  typeof value === 'object' && value !== null && !isList(value) && !(value instanceof AsWritten);
const entriesOf = (map: YamlMap): readonly (readonly [string | AsWritten, YamlValue | undefined])[] =>
  map instanceof Map ? [...(map as ReadonlyMap<string | AsWritten, YamlValue>)] : Object.entries(map);

/** The next stop of four columns. */
const deeper = (indent: number): number => 4 * Math.floor((indent + 4) / 4);

/** `column`: where the first key stands already, after a dash. */
function mapText(map: YamlMap, indent: number, column: number): string {
  const lines = entriesOf(map).flatMap(([key, value]) =>
    value === undefined ? [] : [`${scalar(key, 0)}:${afterKey(value, indent)}`],
  );
  const pad = ' '.repeat(indent);
  return lines.map((line, at) => `${at === 0 && column > 0 ? '' : pad}${line}`).join('');
}

function afterKey(value: YamlValue, indent: number): string {
  if (isMap(value)) {
    const text = mapText(value, deeper(indent), 0);
    return text === '' ? ' {}\n' : `\n${text}`;
  }
  if (isList(value)) return value.length === 0 ? ' []\n' : `\n${listText(value, deeper(indent))}`;
  return ` ${scalar(value, deeper(indent))}\n`;
}

function listText(items: readonly YamlValue[], indent: number): string {
  const pad = ' '.repeat(indent);
  return items.map((item) => `${pad}- ${afterDash(item, indent + 2)}`).join('');
}

function afterDash(item: YamlValue, indent: number): string {
  if (isMap(item)) return mapText(item, indent, indent) || '{}\n';
  if (isList(item)) return item.length === 0 ? '[]\n' : listText(item, indent).slice(indent);
  return `${scalar(item, indent)}\n`;
}

/** `indent` of the lines of a literal block; 0: it must stay on one line. */
function scalar(value: string | number | bigint | boolean | null | AsWritten, indent: number): string {
  if (value instanceof AsWritten) return value.text;
  if (typeof value !== 'string') return String(value);
  const style = scalarStyle(value, indent > 0);
  return style === 'literal' ? literal(value, indent) : quoted(value, style);
}

function literal(text: string, indent: number): string {
  const kept = /\n*$/.exec(text)?.[0].length ?? 0;
  const chomping = kept === 0 ? '-' : kept > 1 ? '+' : '';
  const hint = text.startsWith(' ') ? '4' : '';
  const pad = ' '.repeat(indent);
  const lines = (kept === 0 ? text : text.slice(0, -1)).split('\n');
  return `|${hint}${chomping}\n${lines.map((line) => (line === '' ? '' : pad + line)).join('\n')}`;
}
