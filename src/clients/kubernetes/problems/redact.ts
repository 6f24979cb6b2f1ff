import { looksSecret } from '../../../model/secrets.ts';
import { isRecord } from '../record.ts';

/** Shorter ones would blot out half of a sentence, and say little. */
const shortest = 4;

/** Values in an object that nobody but the server may read: those of a Secret, in both of its ways to write them. */
export function secretsIn(kind: string, object: unknown): readonly string[] {
  if (kind !== 'Secret') return [];
  if (Array.isArray(object))
    return object.flatMap((operation: unknown) => leaves(operation).flatMap(bothWays)).filter(isLong);
  if (!isRecord(object)) return [];
  const plain = isRecord(object['stringData']) ? texts(object['stringData']) : [];
  const encoded = isRecord(object['data']) ? texts(object['data']) : [];
  const decoded = encoded.map((value) => Buffer.from(value, 'base64').toString('utf8'));
  const applied = 'kubectl.kubernetes.io/last-applied-configuration';
  const annotations = isRecord(object['metadata']) ? object['metadata']['annotations'] : undefined;
  const kept = isRecord(annotations) ? texts({ kept: annotations[applied] }) : [];
  return [...plain, ...encoded, ...decoded, ...kept].filter(isLong);
}

const isLong = (value: string): boolean => value.length >= shortest;

/** What an operation of a JSON patch carries: its value, or whatever texts are in it. */
function leaves(operation: unknown): readonly string[] {
  const value = isRecord(operation) ? operation['value'] : undefined;
  if (typeof value === 'string') return [value];
  return isRecord(value) ? Object.values(value).flatMap((each) => leaves({ value: each })) : [];
}

const bothWays = (value: string): readonly string[] => [value, Buffer.from(value, 'base64').toString('utf8')];

const texts = (map: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.values(map).filter((value): value is string => typeof value === 'string');

/** `spec.password: Invalid value: "…"`: validation quotes what it was sent, as Go writes it. */
const quoted = /([\w.[\]"-]+)(: (?:Invalid|Unsupported|Duplicate) value: )("(?:[^"\\]|\\.)*"|[^:]+)/g;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const urlPassword = /(:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g;

/** What a server said, fit to be shown. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let shown = text.replaceAll(privateKey, '…').replaceAll(urlPassword, '$1…');
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    shown = shown.replaceAll(secret, '…').replaceAll(JSON.stringify(secret).slice(1, -1), '…');
  }
  return shown.replaceAll(quoted, (whole, field: string, words: string) =>
    secrets.length > 0 || looksSecret(field) ? `${field}${words}"…"` : whole,
  );
}
