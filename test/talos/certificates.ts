import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'Ed25519' } as const;
x509.cryptoProvider.set(webcrypto as never);

export type Issued = { readonly crt: string; readonly key: string };
export type Authority = Issued & { issue(leaf: Leaf): Promise<Issued> };
export type Leaf = {
  readonly name: string;
  readonly use: readonly ('client' | 'server')[];
  readonly addresses?: readonly string[];
  /** Roles, as Talos reads them. */
  readonly organizations?: readonly string[];
  readonly notAfter?: Date;
};

const hour = 3_600_000;
const usages = { client: x509.ExtendedKeyUsage.clientAuth, server: x509.ExtendedKeyUsage.serverAuth };

/** A CA of Talos’ kind: Ed25519, O=talos; keys come with the label that Talos gives them. */
export async function anAuthority(): Promise<Authority> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'O=talos',
    notBefore: new Date(Date.now() - hour),
    notAfter: new Date(Date.now() + 24 * hour),
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    crt: certificate.toString('pem'),
    key: await talosKey(keys.privateKey),
    async issue({ name, use, addresses = [], organizations = [], notAfter }) {
      const own = await newKeys();
      const leaf = await x509.X509CertificateGenerator.create({
        subject: [...organizations.map((value) => ({ O: [value] })), { CN: [name] }],
        issuer: certificate.subject,
        notBefore: new Date(Date.now() - 12 * hour),
        notAfter: notAfter ?? new Date(Date.now() + 24 * hour),
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [
          new x509.ExtendedKeyUsageExtension(use.map((one) => usages[one])),
          new x509.SubjectAlternativeNameExtension(addresses.map((value) => ({ type: 'ip', value }))),
        ],
      });
      return { crt: leaf.toString('pem'), key: await talosKey(own.privateKey) };
    },
  };
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

async function talosKey(key: webcrypto.CryptoKey): Promise<string> {
  const body = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN ED25519 PRIVATE KEY-----\n${body}\n-----END ED25519 PRIVATE KEY-----\n`;
}
