import { expect, test } from 'vitest';
import { aBundle } from '../../../test/arbitrary/secrets.ts';
import { seededEntropy } from '../../../test/entropy.ts';
import { contracts } from '../config/contract.ts';
import { readPem } from '../pki/pem.ts';
import { newToken } from './token.ts';

/** What a value looks like, without the value. */
const shapeOf = (value: unknown): unknown => {
  if (typeof value !== 'string')
    return Object.fromEntries(Object.entries(value ?? {}).map(([key, inner]) => [key, shapeOf(inner)]));
  if (/^[0-9a-z]{6}\.[0-9a-z]{16}$/.test(value)) return 'token';
  if (/^[A-Za-z0-9+/_-]{43}=$/.test(value)) return '32 bytes';
  return readPem(value)?.label;
};

const pair = (label: string): object => ({ crt: 'CERTIFICATE', key: label });

test.each(contracts)('a bundle for %s', async (contract) => {
  expect(shapeOf(await aBundle(7, contract))).toEqual({
    cluster: { id: '32 bytes', secret: '32 bytes' },
    secrets: { bootstraptoken: 'token', secretboxencryptionsecret: '32 bytes' },
    trustdinfo: { token: 'token' },
    certs: {
      etcd: pair('EC PRIVATE KEY'),
      k8s: pair('EC PRIVATE KEY'),
      k8saggregator: pair('EC PRIVATE KEY'),
      k8sserviceaccount: { key: 'RSA PRIVATE KEY' },
      os: pair('ED25519 PRIVATE KEY'),
    },
  });
});

test('no two values of a bundle are the same', async () => {
  const { cluster, secrets, trustdinfo } = await aBundle(7);
  const values = [...Object.values(cluster), ...Object.values(secrets), trustdinfo.token];
  expect(new Set(values).size).toBe(5);
});

test('the alphabet of the cluster’s id changes with 1.14', async () => {
  const ids = async (contract: '1.13' | '1.14'): Promise<string> => {
    const bundles = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => aBundle(seed, contract)));
    return bundles.map(({ cluster }) => cluster.id).join('');
  };
  expect(await ids('1.13')).toMatch(/^[A-Za-z0-9_=-]*[_-][A-Za-z0-9_=-]*$/);
  expect(await ids('1.14')).toMatch(/^[A-Za-z0-9+/=]*[+/][A-Za-z0-9+/=]*$/);
});

test('bytes that would favour some letters of a token are drawn again', () => {
  const drawn = [Uint8Array.of(252, 0, 255, 35, 36, 251), Uint8Array.of(253, 1), Uint8Array.of(71)];
  const entropy = seededEntropy('token');
  const token = newToken({ ...entropy, bytes: (length) => drawn.shift() ?? new Uint8Array(length) });
  expect(token).toBe('0z0z1z.0000000000000000');
});
