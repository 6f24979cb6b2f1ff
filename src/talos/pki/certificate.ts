import { sign, type KeyObject } from 'node:crypto';
import type * as X509 from '@peculiar/x509';
import type { Entropy } from '../../model/entropy.ts';
import { pemText } from './pem.ts';
import { nameOf, type Subject } from './subject.ts';

export type KeyUse = 'digitalSignature' | 'keyEncipherment' | 'keyCertSign';
type ExtendedUse = 'serverAuth' | 'clientAuth';

export type CertificateRequest = {
  readonly subject: Subject;
  /** The authority’s certificate; a certificate without an issuer signs itself and is an authority. */
  readonly issuer: Uint8Array | undefined;
  readonly signingKey: KeyObject;
  readonly publicKey: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly uses: readonly KeyUse[];
  readonly extendedUses: readonly ExtendedUse[];
};

/** The library is large, and most commands sign nothing: it is loaded when a certificate is made. */
async function x509(): Promise<typeof X509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

/** A certificate in PEM, with the extensions in the order in which Go writes them. */
export async function newCertificate(request: CertificateRequest, entropy: Entropy): Promise<string> {
  const lib = await x509();
  const issuer = request.issuer === undefined ? undefined : new lib.X509Certificate(request.issuer);
  const subject = new lib.Name(nameOf(request.subject));
  const authorityKeyId = issuer?.getExtension(lib.SubjectKeyIdentifierExtension)?.keyId;
  const extensions = [
    new lib.KeyUsagesExtension(allOf(request.uses.map((use) => lib.KeyUsageFlags[use])), true),
    new lib.ExtendedKeyUsageExtension(request.extendedUses.map((use) => lib.ExtendedKeyUsage[use])),
    ...(issuer === undefined
      ? [
          new lib.BasicConstraintsExtension(true, undefined, true),
          // Talos draws it; whoever takes it for a hash of the key is wrong.
          new lib.SubjectKeyIdentifierExtension(hex(entropy.bytes(20))),
        ]
      : []),
    ...(authorityKeyId === undefined ? [] : [new lib.AuthorityKeyIdentifierExtension(authorityKeyId)]),
  ];
  const certificate = await lib.X509CertificateGenerator.create(
    {
      serialNumber: serialNumber(entropy),
      subject,
      issuer: issuer?.subjectName ?? subject,
      notBefore: request.notBefore,
      notAfter: request.notAfter,
      publicKey: request.publicKey,
      extensions,
      signingKey: { algorithm: algorithmOf(request.signingKey) } as never,
      signingAlgorithm: algorithmOf(request.signingKey),
    },
    signer(request.signingKey),
  );
  return pemText({ label: 'CERTIFICATE', der: new Uint8Array(certificate.rawData) });
}

const allOf = (flags: readonly X509.KeyUsageFlags[]): X509.KeyUsageFlags => flags.reduce((all, flag) => all | flag);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Below 2^128, and never zero. */
function serialNumber(entropy: Entropy): string {
  for (;;) {
    const drawn = hex(entropy.bytes(16));
    if (/[^0]/.test(drawn)) return drawn;
  }
}

type Algorithm = { readonly name: string; readonly hash?: string; readonly namedCurve?: string };

/** By the family of the authority’s key; an adopted authority may be older than Ed25519 and P-256. */
function algorithmOf(key: KeyObject): Algorithm {
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return { name: 'Ed25519' };
    case 'ec':
      return {
        name: 'ECDSA',
        hash: 'SHA-256',
        namedCurve: curves[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'P-256',
      };
    case 'rsa':
      return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' };
    default:
      throw new Error('Certificates are signed with Ed25519, ECDSA or RSA.');
  }
}

const curves: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

/** What the library asks of a WebCrypto: Node’s own warns about Ed25519 on standard error. */
const signer = (key: KeyObject): unknown => ({
  subtle: {
    sign: ({ hash }: Algorithm, _key: unknown, data: ArrayBuffer): Promise<Uint8Array> => {
      const digest = key.asymmetricKeyType === 'ed25519' ? null : hash;
      return Promise.resolve(new Uint8Array(sign(digest, new Uint8Array(data), { key, dsaEncoding: 'ieee-p1363' })));
    },
  },
});
