import { AsWritten, goYaml, type YamlValue } from '../state/go-yaml.ts';
import { oldBooleans } from '../state/go-yaml-scalar.ts';
import { byGoKey } from '../state/go-yaml-keys.ts';
import type { Pem } from './decode-own.ts';
import type { Size } from './decode-scalars.ts';
import { fieldsOf, type FieldType } from './fields/table.ts';
import { wordsOf } from './fields/words.ts';
import { durationText } from './go/numbers.ts';
import type { Loaded } from './load.ts';
import type { Values } from './reading.ts';

/** Documents as Talos writes them back: fields in its order, without comments, the v1alpha1 one first. */
export function documentsToText(loaded: readonly Loaded[], minor: number): string {
  const [main, others] = [loaded.filter(isMain), loaded.filter((document) => !isMain(document))];
  return [...main, ...others].map(({ type, values }) => goYaml(structValue(type, values, minor))).join('---\n');
}

const isMain = ({ kind }: Loaded): boolean => kind === 'v1alpha1';

function structValue(type: string, values: Values, minor: number): YamlValue {
  const shown = fieldsOf(type, minor).flatMap((field): (readonly [string, YamlValue])[] => {
    const value = values[field.key];
    if (field.omitted && isEmpty(field.type, value, minor)) return [];
    return [[field.key, valueOf(field.type, value, minor)]];
  });
  return new Map(shown);
}

const keysOnly: FieldType = { kind: 'list', of: { kind: 'any' } };

function isEmpty(type: FieldType, value: unknown, minor: number): boolean {
  if (value === undefined || value === null) return true;
  switch (type.kind) {
    case 'pointer':
      return false;
    case 'list':
      return (value as readonly unknown[]).length === 0;
    case 'map':
    case 'free':
      return Object.keys(value).length === 0;
    case 'struct':
      // Without a provider and keys there is no encryption, whatever else is said about it.
      if (type.name === 'block.EncryptionSpec')
        return (
          isEmpty(keysOnly, (value as Values)['keys'], minor) && ((value as Values)['provider'] ?? 'none') === 'none'
        );
      return fieldsOf(type.name, minor).every((field) => isEmpty(field.type, (value as Values)[field.key], minor));
    case 'text':
      return value === zeroWord(type.name);
    case 'scalar':
    case 'own':
    case 'any':
      return value === '' || value === false || value === 0n || value === 0;
  }
}

/** What stands where nothing was said: the first word, for most. */
const zeroWords: Readonly<Record<string, string>> = {
  'nethelpers.Protocol': 'Protocol(0)',
  'nethelpers.RoutingTable': 'unspec',
};

const zeroWord = (type: string): string | undefined => zeroWords[type] ?? wordsOf[type]?.[0];

function valueOf(type: FieldType, value: unknown, minor: number): YamlValue {
  if (type.kind === 'pointer') return value === undefined || value === null ? null : valueOf(type.of, value, minor);
  switch (type.kind) {
    case 'scalar':
      return scalarValue(type.name, type.as, value);
    case 'text':
      return textValue(type.name, value);
    case 'own':
      return ownValue(type.name, value);
    case 'struct':
      return structValue(type.name, (value ?? {}) as Values, minor);
    case 'list':
      return ((value ?? []) as readonly unknown[]).map((item) => valueOf(type.of, item, minor));
    case 'map':
      return sortedMap((value ?? {}) as Values, (item) => valueOf(type.of, item, minor));
    case 'free':
    case 'any':
      return freeValue(type.kind === 'free' ? (value ?? {}) : value);
  }
}

const sortedMap = (map: Values, write: (value: unknown) => YamlValue): YamlValue =>
  new Map(
    Object.entries(map)
      .sort(([a], [b]) => byGoKey(a, b))
      .map(([key, item]) => [key, write(item)]),
  );

function freeValue(value: unknown): YamlValue {
  if (Array.isArray(value)) return value.map(freeValue);
  if (typeof value === 'object' && value !== null) return sortedMap(value as Values, freeValue);
  return (value ?? null) as YamlValue;
}

function scalarValue(name: string, as: string | undefined, value: unknown): YamlValue {
  if (as?.endsWith('.FileMode') === true)
    return new AsWritten(`0o${((value as bigint | undefined) ?? 0n).toString(8)}`);
  if (name === 'duration') return durationText((value as bigint | undefined) ?? 0n);
  if (value === undefined) return name === 'string' ? '' : name === 'bool' ? false : 0;
  return value as YamlValue;
}

function textValue(type: string, value: unknown): YamlValue {
  if (typeof value === 'object' && value !== null) return (value as Size).text;
  return (value as string | undefined) ?? zeroWord(type) ?? '';
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

function ownValue(type: string, value: unknown): YamlValue {
  const short = type.split('.')[1] ?? type;
  if (value === undefined || value === null) return short === 'URL' ? '' : null;
  if (short.startsWith('PEMEncoded')) {
    const { crt, key } = value as Pem;
    if (short === 'PEMEncodedKey') return { key: base64(key) };
    return short === 'PEMEncodedCertificate' ? { crt: base64(crt) } : { crt: base64(crt), key: base64(key) };
  }
  if (value instanceof Uint8Array) return base64(value);
  if (short === 'PortRange') {
    const { lo, hi } = value as { readonly lo: number; readonly hi: number };
    return lo === hi ? lo : `${lo}-${hi}`;
  }
  if (short === 'InstallDiskSizeMatcher') return (value as { readonly text: string }).text;
  if (short === 'DiskSize') return diskSize(value as bigint);
  if (short === 'ArgValue') return argValue(value as string | readonly string[]);
  // An address without host and path loses its slashes, and blanks are escaped.
  return typeof value === 'string'
    ? value.replace(/^(\w+):\/\/$/, '$1:').replace(/[ "<>^`{|}\\]/g, encodeURIComponent)
    : (value as YamlValue);
}

/** Several values are written as nodes, which have no quotes around what only old YAML takes for a boolean. */
function argValue(value: string | readonly string[]): YamlValue {
  if (typeof value === 'string') return value === '' ? null : value;
  return value.map((each) => (oldBooleans.test(each) ? new AsWritten(each) : each));
}

/** In the largest unit that keeps every byte. */
function diskSize(bytes: bigint): YamlValue {
  if (bytes % 1000n !== 0n || bytes === 0n) return bytes === 0n ? '0 B' : bytes;
  const power = Math.floor(Math.log10(Number(bytes)) / 3);
  const rounded = Number(bytes) / 1000 ** power;
  const shown = rounded < 10 ? rounded.toFixed(1) : rounded.toFixed(0);
  return Number(shown) === rounded ? `${shown} ${['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'][power] ?? ''}` : bytes;
}
