import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { anatomyOf, keyIdentifiers } from '../../../test/certificate-anatomy.ts';
import { seededEntropy, testClock, testNow } from '../../../test/entropy.ts';
import { newAuthority, type AuthorityName } from './authority.ts';
import { readPrivateKey } from './pem.ts';

const extensions = [
  'keyUsage critical 03020284',
  'extendedKeyUsage 301406082b0601050507030106082b06010505070302',
  'basicConstraints critical 30030101ff',
  'subjectKeyIdentifier 22 bytes',
];
const ec = { publicKey: 'ec prime256v1', signature: 'ECDSA SHA-256' };
const shared = { days: 3650, serialBits: 'at most 128', extensions };

test.each([
  ['etcd', 'O=etcd', ec, 'EC PRIVATE KEY'],
  ['k8s', 'O=kubernetes', ec, 'EC PRIVATE KEY'],
  ['k8saggregator', '', ec, 'EC PRIVATE KEY'],
  ['os', 'O=talos', { publicKey: 'ed25519', signature: 'Ed25519' }, 'ED25519 PRIVATE KEY'],
] satisfies [AuthorityName, string, object, string][])('the authority of %s', async (name, subject, keys, label) => {
  const { crt, key } = await newAuthority(name, seededEntropy(name), testClock);
  const certificate = new X509Certificate(crt);
  const privateKey = readPrivateKey(key);

  expect(anatomyOf(crt)).toEqual({ subject, issuer: subject, ...keys, ...shared });
  expect(new Date(certificate.validFrom)).toEqual(testNow);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(privateKey && certificate.checkPrivateKey(privateKey)).toBe(true);
  expect(key.split('\n')[0]).toBe(`-----BEGIN ${label}-----`);
});

test('the key identifier is drawn, not derived: two authorities with one key differ in it', async () => {
  const entropy = seededEntropy('one key');
  const pair = await entropy.keyPair('ed25519');
  const sameKey = { ...entropy, keyPair: () => Promise.resolve(pair) };
  const [first, second] = [await newAuthority('os', sameKey, testClock), await newAuthority('os', sameKey, testClock)];

  expect(first.key).toBe(second.key);
  expect(keyIdentifiers(first.crt).own).not.toBe(keyIdentifiers(second.crt).own);
});

test.each([
  ['the largest', 'ff'.repeat(16), 'FF'.repeat(16)],
  ['with zeroes in front', `${'00'.repeat(15)}2a`, '2A'],
  ['a zero is drawn again', '00'.repeat(16), '01'.repeat(16)],
])('a serial number: %s', async (_, drawn, serial) => {
  const entropy = seededEntropy('serial');
  const draws = [Buffer.from(drawn, 'hex'), Buffer.alloc(16, 1)];
  const bytes = (length: number): Uint8Array =>
    length === 16 ? (draws.shift() ?? entropy.bytes(16)) : entropy.bytes(length);
  const { crt } = await newAuthority('os', { ...entropy, bytes }, testClock);

  expect(new X509Certificate(crt).serialNumber).toBe(serial);
});
