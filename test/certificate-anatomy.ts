import { X509Certificate } from 'node:crypto';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

/** Everything about a certificate that two of the same kind share. */
export type Anatomy = {
  readonly subject: string;
  readonly issuer: string;
  readonly days: number;
  readonly serialBits: 'at most 128' | 'more';
  readonly publicKey: string;
  readonly signature: string;
  /** In the order of the certificate: name, whether critical, and the bytes where they do not differ from one to the next. */
  readonly extensions: readonly string[];
};

const names: Readonly<Record<string, string>> = {
  '2.5.29.14': 'subjectKeyIdentifier',
  '2.5.29.15': 'keyUsage',
  '2.5.29.17': 'subjectAltName',
  '2.5.29.19': 'basicConstraints',
  '2.5.29.35': 'authorityKeyIdentifier',
  '2.5.29.37': 'extendedKeyUsage',
};

const drawn = new Set(['2.5.29.14', '2.5.29.35']);

export function anatomyOf(pem: string): Anatomy {
  const node = new X509Certificate(pem);
  const certificate = new x509.X509Certificate(pem);
  const details = node.publicKey.asymmetricKeyDetails;
  return {
    subject: certificate.subject,
    issuer: certificate.issuer,
    days: (certificate.notAfter.getTime() - certificate.notBefore.getTime()) / 86_400_000,
    serialBits: BigInt(`0x${node.serialNumber}`) < 2n ** 128n ? 'at most 128' : 'more',
    publicKey: [node.publicKey.asymmetricKeyType, details?.namedCurve, details?.modulusLength]
      .filter(Boolean)
      .join(' '),
    signature: Object.values(certificate.signatureAlgorithm)
      .map((part: unknown) => (typeof part === 'string' ? part : String((part as { name?: string }).name)))
      .join(' '),
    extensions: certificate.extensions.map(({ type, critical, value }) => {
      const bytes = Buffer.from(value);
      const shown = drawn.has(type) ? `${bytes.length} bytes` : bytes.toString('hex');
      return `${names[type] ?? type}${critical ? ' critical' : ''} ${shown}`;
    }),
  };
}

/** Subject key identifier of an authority, authority key identifier of a leaf. */
export const keyIdentifiers = (
  pem: string,
): { readonly own: string | undefined; readonly authority: string | undefined } => {
  const certificate = new x509.X509Certificate(pem);
  return {
    own: certificate.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId,
    authority: certificate.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId,
  };
};
