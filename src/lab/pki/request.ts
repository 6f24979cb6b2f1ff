import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { der, integer, oid, readAll, readDer, sequence, tag } from './der.ts';
import { pem, publicHalf } from './issue.ts';
import { altNames, nameOf, oids, valuesOf } from './names.ts';
import { sign } from 'node:crypto';

export type SigningRequest = {
  readonly commonName: string | undefined;
  readonly publicKey: KeyObject;
  readonly hosts: readonly string[];
};

/** What a worker asks its control plane to sign. */
export function makeRequest(key: KeyObject, commonName: string, hosts: readonly string[]): string {
  const wanted = sequence(sequence(oid(oids.subjectAltName), der(tag.octetString, altNames(hosts))));
  const body = sequence(
    integer(Buffer.from([0])),
    nameOf({ commonName }),
    publicHalf(key).export({ type: 'spki', format: 'der' }),
    der(0xa0, sequence(oid('1.2.840.113549.1.9.14'), der(tag.set, wanted))),
  );
  const ed25519 = key.asymmetricKeyType === 'ed25519';
  const algorithm = sequence(oid(ed25519 ? oids.ed25519 : oids.ecdsaSha256));
  const signature = sign(ed25519 ? null : 'sha256', body, key);
  return pem('CERTIFICATE REQUEST', sequence(body, algorithm, der(tag.bitString, Buffer.from([0]), signature)));
}

/** Undefined when the text is no signing request, or is not signed by its own key. */
export function readRequest(text: string): SigningRequest | undefined {
  const base64 = /-----BEGIN CERTIFICATE REQUEST-----([^-]+)-----END/.exec(text)?.[1];
  if (base64 === undefined) return undefined;
  try {
    const [body, , signature] = readAll(readDer(Buffer.from(base64, 'base64')).body);
    const [, subject, spki, attributes] = readAll(body?.body ?? Buffer.alloc(0));
    if (body === undefined || subject === undefined || spki === undefined || signature === undefined) return undefined;
    const publicKey = createPublicKey({ key: spki.whole, type: 'spki', format: 'der' });
    const hash = publicKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
    if (!verify(hash, body.whole, publicKey, signature.body.subarray(1))) return undefined;
    return {
      commonName: valuesOf(subject.whole, oids.commonName)[0],
      publicKey,
      hosts: attributes === undefined ? [] : hostsIn(attributes.body),
    };
  } catch {
    return undefined;
  }
}

function hostsIn(attributes: Buffer): string[] {
  const wanted = oid(oids.subjectAltName);
  for (const attribute of readAll(attributes))
    for (const set of readAll(attribute.body).slice(1))
      for (const extensions of readAll(set.body))
        for (const extension of readAll(extensions.body)) {
          const [id, ...rest] = readAll(extension.body);
          if (id?.whole.equals(wanted) !== true) continue;
          return readAll(readDer(rest.at(-1)?.body ?? Buffer.alloc(0)).body).map(({ tag: kind, body }) =>
            kind === 0x87 ? addressText(body) : body.toString('utf8'),
          );
        }
  return [];
}

const addressText = (bytes: Buffer): string =>
  bytes.length === 4
    ? [...bytes].join('.')
    : Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(group * 2).toString(16)).join(':');
