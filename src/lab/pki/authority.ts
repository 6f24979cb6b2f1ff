import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { der, integer, oid, sequence, tag, time } from './der.ts';
import { pem } from './issue.ts';
import { nameOf, oids } from './names.ts';
import type { SubjectName } from './names.ts';

/** An authority with a P-256 key that has signed itself, as PEM. */
export function makeAuthority(
  subject: SubjectName,
  validity: { readonly notBefore: Date; readonly notAfter: Date },
): { readonly crt: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(oid(oids.ecdsaSha256));
  const name = nameOf(subject);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const extension = (id: string, value: Buffer): Buffer =>
    sequence(oid(id), der(tag.boolean, Buffer.from([0xff])), der(tag.octetString, value));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    algorithm,
    name,
    sequence(time(validity.notBefore), time(validity.notAfter)),
    name,
    spki,
    der(
      0xa3,
      sequence(
        extension(oids.basicConstraints, sequence(der(tag.boolean, Buffer.from([0xff])))),
        extension(oids.keyUsage, der(tag.bitString, Buffer.from([1, 0x06]))),
        sequence(
          oid(oids.subjectKeyIdentifier),
          der(tag.octetString, der(tag.octetString, createHash('sha1').update(spki).digest())),
        ),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  return {
    crt: pem('CERTIFICATE', sequence(body, algorithm, der(tag.bitString, Buffer.from([0]), signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
