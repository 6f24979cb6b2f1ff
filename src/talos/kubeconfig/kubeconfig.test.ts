import { beforeAll, expect, test } from 'vitest';
import { anatomyOf } from '../../../test/certificate-anatomy.ts';
import { aBundle } from '../../../test/arbitrary/secrets.ts';
import { seededEntropy, testClock } from '../../../test/entropy.ts';
import { lifeOf } from '../pki/life.ts';
import { fromBase64 } from '../pki/pem.ts';
import type { SecretsBundle } from '../secrets/bundle.ts';
import { newKubeconfig } from './new.ts';
import { kubeconfigExpiresAt, readKubeconfig, type Kubeconfig } from './read.ts';

const entropy = seededEntropy('kubeconfig');
let bundle: SecretsBundle;
let text: string;
let config: Kubeconfig;
beforeAll(async () => {
  bundle = await aBundle(0);
  text = await newKubeconfig({ bundle, cluster: 'prod', endpoint: 'https://10.0.0.100:6443' }, entropy, testClock);
  config = readKubeconfig(text, 'kubeconfig');
});

const dataOf = (value: unknown): string => (typeof value === 'string' ? (fromBase64(value) ?? '') : '');

test('the file is laid out as a node lays it out', () => {
  expect(text.replaceAll(/data: \S+$/gm, 'data: …')).toBe(`apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: …
    server: https://10.0.0.100:6443
  name: prod
contexts:
- context:
    cluster: prod
    namespace: default
    user: admin@prod
  name: admin@prod
current-context: admin@prod
kind: Config
users:
- name: admin@prod
  user:
    client-certificate-data: …
    client-key-data: …
`);
});

test('the certificate is an admin’s, and valid a little before it was made', () => {
  const crt = dataOf(config.users[0]?.user?.['client-certificate-data']);
  expect(anatomyOf(crt)).toEqual({
    subject: 'O=system:masters, CN=admin',
    issuer: 'O=kubernetes',
    days: 365 + 10 / 86_400,
    serialBits: 'at most 128',
    publicKey: 'ec prime256v1',
    signature: 'ECDSA SHA-256',
    extensions: [
      'keyUsage critical 030205a0',
      'extendedKeyUsage 300a06082b06010505070302',
      'authorityKeyIdentifier 24 bytes',
    ],
  });
  const ends = new Date('2027-11-16T12:00:00Z');
  expect(lifeOf(crt)).toEqual({ notBefore: new Date('2026-11-16T11:59:50Z'), notAfter: ends });
  expect(kubeconfigExpiresAt(config)).toEqual(ends);
});

test('authorities that are accepted come before the one that issues', async () => {
  const { certs } = await aBundle(1);
  const request = { bundle, cluster: 'prod', endpoint: 'https://a:6443', acceptedCAs: [certs.k8s.crt], ttlMs: 60_000 };
  const { clusters, ...rest } = readKubeconfig(await newKubeconfig(request, entropy, testClock), 'kubeconfig');
  expect(dataOf(clusters[0]?.cluster?.['certificate-authority-data'])).toBe(certs.k8s.crt + bundle.certs.k8s.crt);
  expect(kubeconfigExpiresAt({ clusters, ...rest })).toEqual(new Date('2026-11-16T12:01:00Z'));
});

test.each([
  ['nothing', '', undefined],
  [
    'a user with a token',
    'current-context: a\ncontexts: [{ name: a, context: { user: b } }]\nusers: [{ name: b, user: { token: c } }]',
    undefined,
  ],
  ['half of one', 'current-context: 1\ncontexts: {}\nusers: [a, { user: b }]', undefined],
])('without a certificate nothing is known to end: %s', (_, given, ends) => {
  expect(kubeconfigExpiresAt(readKubeconfig(given, 'kubeconfig'))).toBe(ends);
});

test('what is no kubeconfig is refused', () => {
  expect(() => readKubeconfig('- a', 'kubeconfig')).toThrow('This is no kubeconfig.');
});
