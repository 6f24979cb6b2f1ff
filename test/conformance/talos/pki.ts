import 'reflect-metadata';
import { generateKeyPairSync, randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { Identity } from './call.ts';

x509.cryptoProvider.set(webcrypto);

const ed25519 = { name: 'Ed25519' } as const;
const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
type Algorithm = typeof ed25519 | typeof p256;

type KeyPair = { readonly privateKey: webcrypto.CryptoKey; readonly publicKey: webcrypto.CryptoKey };

export type Authority = {
  readonly crt: string;
  readonly key: string;
  readonly certificate: x509.X509Certificate;
  readonly keys: KeyPair;
  readonly algorithm: Algorithm;
};

export type Leaf = {
  readonly organizations: readonly string[];
  readonly usages?: readonly ('client' | 'server')[];
  readonly notAfter?: Date;
};

const oids = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;
const hour = 3_600_000;

/** A certificate authority as Talos makes them; the suite’s own, so that it judges everything. */
export async function makeAuthority(organization: string, algorithm: Algorithm): Promise<Authority> {
  const keys = await makeKeys(algorithm);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: organization === '' ? '' : [{ O: [organization] }],
    keys: keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - hour),
    notAfter: new Date(Date.now() + 1000 * hour),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([oids.server, oids.client]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { crt: pem(certificate), key: await keyPem(keys), certificate, keys, algorithm };
}

export async function issue(authority: Authority, leaf: Leaf): Promise<Identity> {
  const keys = await makeKeys(authority.algorithm);
  const usages = leaf.usages ?? ['client'];
  const name = leaf.organizations.map((organization) => ({ O: [organization] }));
  const certificate = await x509.X509CertificateGenerator.create({
    subject: name.length === 0 ? '' : name,
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: authority.algorithm,
    notBefore: new Date(Date.now() - 2 * hour),
    notAfter: leaf.notAfter ?? new Date(Date.now() + 100 * hour),
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      ...(usages.length === 0 ? [] : [new x509.ExtendedKeyUsageExtension(usages.map((usage) => oids[usage]))]),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate),
    ],
  });
  return { crt: pem(certificate), key: await keyPem(keys) };
}

export type Secrets = {
  readonly talos: Authority;
  readonly etcd: Authority;
  readonly kubernetes: Authority;
  readonly aggregator: Authority;
  readonly serviceAccountKey: string;
  readonly token: string;
  readonly bootstrapToken: string;
  readonly clusterId: string;
  readonly clusterSecret: string;
  readonly secretbox: string;
};

export async function makeSecrets(): Promise<Secrets> {
  const secret = (): string => randomBytes(32).toString('base64');
  const token = (): string => `${randomBytes(3).toString('hex')}.${randomBytes(8).toString('hex')}`;
  return {
    talos: await makeAuthority('talos', ed25519),
    etcd: await makeAuthority('etcd', p256),
    kubernetes: await makeAuthority('kubernetes', p256),
    aggregator: await makeAuthority('', p256),
    serviceAccountKey: generateKeyPairSync('rsa', { modulusLength: 2048 })
      .privateKey.export({ type: 'pkcs1', format: 'pem' })
      .toString(),
    token: token(),
    bootstrapToken: token(),
    clusterId: secret().replaceAll('+', '-').replaceAll('/', '_'),
    clusterSecret: secret(),
    secretbox: secret(),
  };
}

/** A request for a server’s certificate, as a worker sends it to trustd. */
export async function makeRequest(kind: 'ed25519' | 'p256'): Promise<string> {
  const algorithm = kind === 'ed25519' ? ed25519 : p256;
  const keys = await makeKeys(algorithm);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: [{ CN: ['w9'] }, { O: ['os:admin'] }],
    keys: keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '10.9.9.9' }])],
  });
  return request.toString('pem');
}

async function makeKeys(algorithm: Algorithm): Promise<KeyPair> {
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as KeyPair;
}

const pem = (certificate: x509.X509Certificate): string => `${certificate.toString('pem')}\n`;

async function keyPem({ privateKey }: KeyPair): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}
