import type { JsonNameParams } from '@peculiar/x509';

export type Subject = { readonly organizations: readonly string[]; readonly commonName?: string };

/** Organizations stand in one set, before the common name, as Go writes them; a set is in the order of its bytes. */
export function nameOf({ organizations, commonName }: Subject): JsonNameParams {
  return [
    ...(organizations.length === 0 ? [] : [{ O: organizations.toSorted(inBytes).map(valueOf) }]),
    ...(commonName === undefined ? [] : [{ CN: [valueOf(commonName)] }]),
  ];
}

const isPrintable = (text: string): boolean => /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text);

const valueOf = (text: string): { printableString: string } | { utf8String: string } =>
  isPrintable(text) ? { printableString: text } : { utf8String: text };

const printableTag = 0x13;
const utf8Tag = 0x0c;

/** The length comes first in an encoding, the tag second, the text last. */
function inBytes(a: string, b: string): number {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  const tag = (text: string): number => (isPrintable(text) ? printableTag : utf8Tag);
  return left.length - right.length || tag(a) - tag(b) || Buffer.compare(left, right);
}
