import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { anatomyOf, keyIdentifiers } from '../../../test/certificate-anatomy.ts';
import { seededEntropy, testClock, testNow } from '../../../test/entropy.ts';
import type { CertificateAndKey } from '../secrets/bundle.ts';
import { newAuthority } from './authority.ts';
import { newCertificate } from './certificate.ts';
import { newClient } from './client.ts';
import { lifeFrom } from './life.ts';
import { opensslKey, readPrivateKey } from './pem.ts';

const entropy = seededEntropy('client');
const life = lifeFrom(testNow, 86_400_000);
const request = {
  subject: { organizations: ['b', 'a', 'cc', 'ß'], commonName: 'x' },
  life,
  uses: ['digitalSignature'],
} as const;

describe.each([
  ['os', 'ed25519', 'Ed25519'],
  ['k8s', 'ec prime256v1', 'ECDSA SHA-256'],
] as const)('a client of %s', (name, publicKey, signature) => {
  let authority: CertificateAndKey;
  beforeAll(async () => {
    authority = await newAuthority(name, entropy, testClock);
  });

  test('has what Talos gives it, and nothing else', async () => {
    const { crt, key } = await newClient({ authority, ...request }, entropy);
    const privateKey = readPrivateKey(key);

    expect(anatomyOf(crt)).toEqual({
      subject: 'O=a+O=b+O=ß+O=cc, CN=x',
      issuer: anatomyOf(authority.crt).subject,
      days: 1,
      serialBits: 'at most 128',
      publicKey,
      signature,
      extensions: [
        'keyUsage critical 03020780',
        'extendedKeyUsage 300a06082b06010505070302',
        'authorityKeyIdentifier 24 bytes',
      ],
    });
    expect(keyIdentifiers(crt)).toEqual({ own: undefined, authority: keyIdentifiers(authority.crt).own });
    expect(new X509Certificate(crt).verify(new X509Certificate(authority.crt).publicKey)).toBe(true);
    expect(privateKey && new X509Certificate(crt).checkPrivateKey(privateKey)).toBe(true);
  });

  test('has a key that OpenSSL takes under the common label', async () => {
    const { key } = await newClient({ authority, ...request }, entropy);
    expect(createPrivateKey(opensslKey(key)).export({ format: 'der', type: 'pkcs8' })).toEqual(
      readPrivateKey(key)?.export({ format: 'der', type: 'pkcs8' }),
    );
  });
});

test.each([
  ['P-384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }), 'ec prime256v1', 'ECDSA SHA-256'],
  ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 }), 'rsa 4096', 'RSASSA-PKCS1-v1_5 SHA-512'],
])('an adopted authority may have a %s key', async (_, makePair, publicKey, signature) => {
  const pair = makePair();
  const crt = await newCertificate(
    {
      subject: { organizations: ['kubernetes'] },
      issuer: undefined,
      signingKey: pair.privateKey,
      publicKey: new Uint8Array(pair.publicKey.export({ format: 'der', type: 'spki' })),
      ...life,
      uses: ['digitalSignature', 'keyCertSign'],
      extendedUses: ['serverAuth', 'clientAuth'],
    },
    entropy,
  );
  const key = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const client = await newClient({ authority: { crt, key }, ...request }, entropy);

  expect(anatomyOf(client.crt)).toMatchObject({ publicKey, signature });
  expect(new X509Certificate(client.crt).verify(pair.publicKey)).toBe(true);
});
