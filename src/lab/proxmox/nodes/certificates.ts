import { X509Certificate } from 'node:crypto';
import type { Call } from '../call.ts';

/** The authority of the cluster, and the certificate that the host shows. */
export const certificateRows = ({ datacenter, host }: Call): readonly Readonly<Record<string, unknown>>[] => [
  rowOf('pve-root-ca.pem', datacenter.ca),
  rowOf('pve-ssl.pem', host.certificate.crt),
];

function rowOf(filename: string, pem: string): Readonly<Record<string, unknown>> {
  const certificate = new X509Certificate(pem);
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  const seconds = (date: string): number => Math.floor(new Date(date).getTime() / 1000);
  return {
    filename,
    fingerprint: certificate.fingerprint256,
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    notbefore: seconds(certificate.validFrom),
    notafter: seconds(certificate.validTo),
    san: (certificate.subjectAltName ?? '')
      .split(', ')
      .filter((each) => each !== '')
      .map((each) => each.replace(/^(?:DNS|IP Address):/, '')),
    pem,
    'public-key-type': asymmetricKeyType === 'rsa' ? 'rsaEncryption' : 'id-ecPublicKey',
    'public-key-bits': asymmetricKeyDetails?.modulusLength ?? 256,
  };
}

/** `/CN=…/OU=…` */
const nameOf = (lines: string): string => `/${lines.replaceAll('\n', '/')}`;
