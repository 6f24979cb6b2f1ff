import fc from 'fast-check';
import { createPrivateKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { seededEntropy } from '../../../test/entropy.ts';
import { sweep } from '../../../test/sweep.ts';
import type { KeyKind } from '../../model/entropy.ts';
import { fromBase64, pemText, privateKeyPem, readCertificate, readPem, readPrivateKey, toBase64 } from './pem.ts';

test('any bytes come back from PEM, in lines of 64', () => {
  const labels = fc.constantFrom('CERTIFICATE', 'ED25519 PRIVATE KEY', 'EC PRIVATE KEY');
  const property = fc.property(labels, fc.uint8Array({ minLength: 1, maxLength: 300 }), (label, der) => {
    const text = pemText({ label, der });
    expect(readPem(text)).toEqual({ label, der });
    expect(readPem(text.replaceAll('\n', '\r\n'))).toEqual({ label, der });
    expect(text.split('\n').filter((line) => line.length > 64)).toEqual([]);
    expect(fromBase64(toBase64(text))).toBe(text);
  });
  fc.assert(property, sweep('PEM there and back', 200, 5000));
});

describe.each<[KeyKind, string]>([
  ['ed25519', 'ED25519 PRIVATE KEY'],
  ['p256', 'EC PRIVATE KEY'],
  ['rsa4096', 'RSA PRIVATE KEY'],
])('a key of kind %s', (kind, label) => {
  test('comes back from Talos’ form, and from the common one', async () => {
    const pair = await seededEntropy(kind).keyPair(kind);
    const pkcs8 = Buffer.from(pair.privateKey);
    const text = privateKeyPem(pair);

    expect(readPem(text)?.label).toBe(label);
    expect(readPrivateKey(text)?.export({ format: 'der', type: 'pkcs8' })).toEqual(pkcs8);
    expect(readPrivateKey(pemText({ label: 'PRIVATE KEY', der: pair.privateKey }))).toEqual(
      createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }),
    );
  });
});

test.each([
  ['nothing', ''],
  ['no PEM', 'secret'],
  ['another label', pemText({ label: 'ICE CREAM', der: Uint8Array.of(1) })],
  ['a key that is none', pemText({ label: 'EC PRIVATE KEY', der: Uint8Array.of(1) })],
  ['a certificate that is none', pemText({ label: 'CERTIFICATE', der: Uint8Array.of(1) })],
  ['labels that differ', '-----BEGIN PRIVATE KEY-----\nAQ==\n-----END EC PRIVATE KEY-----\n'],
])('neither a key nor a certificate: %s', (_, text) => {
  expect([readPrivateKey(text), readCertificate(text)]).toEqual([undefined, undefined]);
});

test.each(['', 'a', '****', 'YWJj=', 'YW-j'])('no base64: "%s"', (text) => {
  expect(fromBase64(text)).toBeUndefined();
});
