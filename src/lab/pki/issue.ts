import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { der, integer, oid, readAll, readDer, sequence, tag, time } from './der.ts';
import { altNames, nameOf, oids } from './names.ts';
import type { SubjectName } from './names.ts';

/** Who signs: the key, and what certificates say about their issuer. */
export type Issuer = { readonly key: KeyObject; readonly name: Buffer; readonly keyId: Buffer };

export type LeafRequest = {
  readonly subject: SubjectName;
  readonly publicKey: KeyObject;
  readonly hosts?: readonly string[];
  readonly usage: readonly ('digitalSignature' | 'keyEncipherment')[];
  readonly purposes: readonly ('server' | 'client')[];
  readonly notBefore: Date;
  readonly notAfter: Date;
};

/** OpenSSL does not know the label that Talos writes over its own keys. */
const privateKeyOf = (text: string): KeyObject =>
  createPrivateKey(text.replaceAll('ED25519 PRIVATE KEY', 'PRIVATE KEY'));

export const talosKeyPem = (key: KeyObject): string =>
  key.asymmetricKeyType === 'ed25519'
    ? key.export({ type: 'pkcs8', format: 'pem' }).toString().replaceAll('PRIVATE KEY', 'ED25519 PRIVATE KEY')
    : key.export({ type: 'sec1', format: 'pem' }).toString();

export const newKeyPair = (like: KeyObject): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } =>
  like.asymmetricKeyType === 'ed25519'
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'prime256v1' });

/** A CA of a node’s own, that lives as long as one boot: it has no name. */
export function ephemeralIssuer(): Issuer {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { key: privateKey, name: nameOf({}), keyId: randomBytes(20) };
}

export function issuerOf(crtPem: string, keyPem: string): Issuer {
  const { subject, keyId } = certificateParts(new X509Certificate(crtPem).raw);
  return { key: privateKeyOf(keyPem), name: subject, keyId };
}

/** Subject and key id of a certificate, as its bytes have them. */
function certificateParts(raw: Buffer): { readonly subject: Buffer; readonly keyId: Buffer } {
  const [body] = readAll(readDer(raw).body);
  const fields = readAll(body?.body ?? Buffer.alloc(0));
  const subject = fields[5]?.whole;
  if (subject === undefined) throw new Error('A certificate without a subject field.');
  const extensions = fields.find((field) => field.tag === 0xa3);
  const wanted = oid(oids.subjectKeyIdentifier);
  for (const extension of extensions === undefined ? [] : readAll(readDer(extensions.body).body)) {
    const [id, ...rest] = readAll(extension.body);
    if (id?.whole.equals(wanted) === true)
      return { subject, keyId: readDer(rest.at(-1)?.body ?? Buffer.alloc(0)).body };
  }
  return { subject, keyId: Buffer.alloc(0) };
}

/** A certificate as PEM, of the form that Talos gives its leaves: no basicConstraints, no key id of its own. */
export function issueLeaf(issuer: Issuer, request: LeafRequest): string {
  const algorithm = sequence(oid(issuer.key.asymmetricKeyType === 'ed25519' ? oids.ed25519 : oids.ecdsaSha256));
  const hosts = request.hosts ?? [];
  const extensions = [
    extension(oids.keyUsage, usageBits(request.usage), true),
    ...(request.purposes.length === 0
      ? []
      : [
          extension(
            oids.extendedKeyUsage,
            sequence(...request.purposes.map((each) => oid(each === 'server' ? oids.serverAuth : oids.clientAuth))),
          ),
        ]),
    ...(issuer.keyId.length === 0 ? [] : [extension(oids.authorityKeyIdentifier, sequence(der(0x80, issuer.keyId)))]),
    ...(hosts.length === 0 ? [] : [extension(oids.subjectAltName, altNames(hosts))]),
  ];
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    algorithm,
    issuer.name,
    sequence(time(request.notBefore), time(request.notAfter)),
    nameOf(request.subject),
    request.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign(issuer.key.asymmetricKeyType === 'ed25519' ? null : 'sha256', body, issuer.key);
  const whole = sequence(body, algorithm, der(tag.bitString, Buffer.from([0]), signature));
  return pem('CERTIFICATE', whole);
}

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [der(tag.boolean, Buffer.from([0xff]))] : []), der(tag.octetString, value));

const usageBits = (usage: LeafRequest['usage']): Buffer =>
  usage.includes('keyEncipherment')
    ? der(tag.bitString, Buffer.from([5, 0xa0]))
    : der(tag.bitString, Buffer.from([7, 0x80]));

export function pem(label: string, body: Buffer): string {
  const lines = body.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/** A leaf with a fresh key of the issuer’s own kind. */
export function issueWithKey(
  issuer: Issuer,
  request: Omit<LeafRequest, 'publicKey'>,
): { readonly crt: string; readonly key: KeyObject } {
  const { privateKey, publicKey } = newKeyPair(issuer.key);
  return { crt: issueLeaf(issuer, { ...request, publicKey }), key: privateKey };
}

export const publicHalf = (key: KeyObject): KeyObject => createPublicKey(key);
