import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const hour = 3_600_000;

export type Pair = { readonly crt: string; readonly key: string };

/** A certificate authority of the suite’s own, so that it judges everything. */
export type Authority = {
  readonly crt: string;
  readonly client: (user: string, groups: readonly string[]) => Promise<Pair>;
  readonly server: (address: string) => Promise<Pair>;
};

export async function makeAuthority(name: string): Promise<Authority> {
  const keys = await makeKeys();
  const own = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - hour),
    notAfter: new Date(Date.now() + 100 * hour),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const issue = async (subject: x509.JsonName, extensions: readonly x509.Extension[]): Promise<Pair> => {
    const pair = await makeKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      issuer: own.subject,
      publicKey: pair.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      notBefore: new Date(Date.now() - hour),
      notAfter: new Date(Date.now() + 100 * hour),
      extensions: [new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true), ...extensions],
    });
    return { crt: certificate.toString('pem'), key: await keyPem(pair.privateKey) };
  };
  return {
    crt: own.toString('pem'),
    client: (user, groups) =>
      issue(
        [{ CN: [user] }, ...groups.map((group) => ({ O: [group] }))],
        [new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.2'])],
      ),
    server: (address) =>
      issue(
        [{ CN: ['kube-apiserver'] }],
        [
          new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1']),
          new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: address }]),
        ],
      ),
  };
}

type Keys = { readonly privateKey: webcrypto.CryptoKey; readonly publicKey: webcrypto.CryptoKey };

const makeKeys = async (): Promise<Keys> => await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return `-----BEGIN PRIVATE KEY-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END PRIVATE KEY-----\n`;
}
