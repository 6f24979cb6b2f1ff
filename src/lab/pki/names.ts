import { isIPv4, isIPv6 } from 'node:net';
import { der, oid, readAll, readDer, sequence, tag } from './der.ts';

export const oids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectAltName: '2.5.29.17',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  subjectKeyIdentifier: '2.5.29.14',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  ed25519: '1.3.101.112',
  ecdsaSha256: '1.2.840.10045.4.3.2',
} as const;

export type SubjectName = { readonly organizations?: readonly string[]; readonly commonName?: string };

export const nameOf = ({ organizations = [], commonName }: SubjectName): Buffer =>
  sequence(
    ...(organizations.length === 0 ? [] : [attribute(oids.organization, organizations)]),
    ...(commonName === undefined ? [] : [attribute(oids.commonName, [commonName])]),
  );

/** Several values stand in one set, as Go writes them; a set is in the order of its bytes. */
const attribute = (type: string, values: readonly string[]): Buffer =>
  der(
    tag.set,
    ...values
      .map((value) => sequence(oid(type), der(tag.utf8, Buffer.from(value))))
      .toSorted((one, other) => Buffer.compare(one, other)),
  );

/** The values of one attribute in a name. */
export function valuesOf(name: Buffer, type: string): string[] {
  const wanted = oid(type);
  const values: string[] = [];
  for (const set of readAll(readDer(name).body))
    for (const pair of readAll(set.body)) {
      const [kind, value] = readAll(pair.body);
      if (kind?.whole.equals(wanted) === true && value !== undefined) values.push(value.body.toString('utf8'));
    }
  return values;
}

/** Names and addresses of a subjectAltName, in that order. */
export const altNames = (hosts: readonly string[]): Buffer => {
  const names = hosts.filter((host) => !isIPv4(host) && !isIPv6(host));
  const addresses = hosts.filter((host) => isIPv4(host) || isIPv6(host));
  return sequence(
    ...names.map((name) => der(0x82, Buffer.from(name))),
    ...addresses.map((address) => der(0x87, addressBytes(address))),
  );
};

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
