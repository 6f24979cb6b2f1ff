import type { ManagedFields, ObjectMeta } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';

/** Metadata while the object is being made. */
export type MutableMeta = {
  -readonly [Field in keyof ObjectMeta]: ObjectMeta[Field] | undefined;
} & { managedFields?: readonly ManagedFields[] | undefined };

export function metaOf(object: Mutable): MutableMeta {
  if (typeof object['metadata'] !== 'object' || object['metadata'] === null) object['metadata'] = {};
  return object['metadata'] as MutableMeta;
}

/** Seconds are all that the API writes of most times. */
export const timestamp = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;

export function uuid(random: (bytes: number) => Uint8Array): string {
  const bytes = Buffer.from(random(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** No vowels, and no digits that look like some. */
const signs = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const longestGenerated = 63 - suffixLength;

export function generatedName(base: string, random: (bytes: number) => Uint8Array): string {
  const suffix = [...random(suffixLength)].map((byte) => signs[byte % signs.length]).join('');
  return base.slice(0, longestGenerated) + suffix;
}
