import { createHash } from 'node:crypto';
import type { Manifest } from '../model/manifest.ts';
import { groupOf, type Live } from './live.ts';
import { isMapping } from './values.ts';

const isSecret = ({ apiVersion, kind }: Live | Manifest): boolean => kind === 'Secret' && groupOf(apiVersion) === '';

/** What kubectl leaves behind in a secret that it applied is the secret itself. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * A secret as anybody may see it: keys stay, values are replaced by marks that differ where the values differ. The salt makes
 * a mark useless to whoever wants to guess a short value.
 */
export function masked<T extends Live | Manifest>(object: T, salt: string): T {
  if (!isSecret(object)) return object;
  const { data, stringData, metadata } = object;
  const annotations = Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).map(([key, value]) => [
      key,
      key === lastApplied ? markOf(value, salt) : value,
    ]),
  );
  return {
    ...object,
    metadata: { ...metadata, ...(metadata.annotations === undefined ? {} : { annotations }) },
    ...(isMapping(data) ? { data: marks(data, salt) } : {}),
    // What is written plainly is stored in base64, and means the same.
    ...(isMapping(stringData) ? { stringData: marks(inBase64(stringData), salt) } : {}),
  };
}

const inBase64 = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(String(value)).toString('base64')]),
  );

const marks = (values: Readonly<Record<string, unknown>>, salt: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, markOf(String(value), salt)]));

const markOf = (value: string, salt: string): string =>
  `(secret, ${createHash('sha256').update(`${salt}\0${value}`).digest('hex').slice(0, 8)})`;
