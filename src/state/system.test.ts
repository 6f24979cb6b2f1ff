import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemEntropy } from './system.ts';

test.each([
  ['ed25519', 'ed25519', undefined],
  ['p256', 'ec', 'prime256v1'],
] as const)('a key pair of kind %s has halves that belong together', async (kind, type, namedCurve) => {
  const pair = await systemEntropy.keyPair(kind);
  const key = createPrivateKey({ key: Buffer.from(pair.privateKey), format: 'der', type: 'pkcs8' });

  expect([pair.kind, key.asymmetricKeyType, key.asymmetricKeyDetails?.namedCurve]).toEqual([kind, type, namedCurve]);
  expect(createPublicKey(key).export({ format: 'der', type: 'spki' })).toEqual(Buffer.from(pair.publicKey));
});

test('bytes and keys are never the same twice', async () => {
  expect(systemEntropy.bytes(32)).toHaveLength(32);
  expect(systemEntropy.bytes(32)).not.toEqual(systemEntropy.bytes(32));
  expect(await systemEntropy.keyPair('ed25519')).not.toEqual(await systemEntropy.keyPair('ed25519'));
});
