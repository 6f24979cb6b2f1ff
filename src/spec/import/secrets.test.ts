import { expect, test } from 'vitest';
import { manifestHoldsSecret } from './manifest-secrets.ts';
import { holdsSecret, isSecret, mayHoldSecret } from './secrets.ts';

test.each<[string, string | number | boolean, boolean]>([
  ['password', 'hunter2', true],
  ['password', 12345, true],
  ['TS_AUTHKEY', 'x', true],
  ['privateKey', 'abc=', true],
  ['aescbcEncryptionSecret', 'abc', true],
  ['key', 'LS0tLS1CRUdJTiBFRDI1NTE5IFBSSVZBVEUgS0VZLS0tLS0K', true],
  ['key', 'node-role.kubernetes.io/gpu', false],
  ['enable-bootstrap-token-auth', true, false],
  ['secretName', 'tls', false],
  ['secretKeyRef', 'tls', false],
  ['image', 'ghcr.io/example/app:v1', false],
  ['http_proxy', 'http://user:pw@proxy.example.org', true],
  ['http_proxy', 'http://proxy.example.org:3128', false],
])('%s: %s', (key, value, expected) => {
  expect(isSecret(key, value)).toBe(expected);
});

test.each<[string, boolean]>([
  ['-----BEGIN OPENSSH PRIVATE KEY-----\nabc', true],
  ['-----BEGIN CERTIFICATE-----\nabc', false],
  ['LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUI=', false],
  ['AGE-SECRET-KEY-1QQQ', true],
  ['tskey-auth-abc', true],
  ['export RESTIC_PASSWORD=abc', true],
  ['  "token": "abc",', true],
  ['token: true', false],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc', true],
  ['https://example.org/manifest.yaml?token=abc', true],
  ['https://abc@example.org/manifest.yaml', true],
  ['https://example.org/manifest.yaml', false],
])('%j', (text, expected) => {
  expect(holdsSecret(text)).toBe(expected);
});

test('a file of which nothing is known is trusted less than a value with a name', () => {
  const files = [
    '[metrics]\n  address = "0.0.0.0:11234"\n',
    'MONITOR ups@nas 1 remote pass hunter2 slave\n',
    'a1B2c3D4e5F6g7H8i9J0k1L2\n',
    '0123456789abcdef0123456789abcdef\n',
  ];
  expect(files.map(mayHoldSecret)).toEqual([false, true, true, true]);
});

test('a manifest may speak of secrets, and must not hold one', () => {
  const manifests = [
    'kind: Role\nrules: [{ apiGroups: [""], resources: [secrets], verbs: [get] }]\n',
    'kind: Deployment\nspec: { template: { spec: { volumes: [{ name: a, secret: { secretName: tls } }] } } }\n',
    'kind: ConfigMap\n---\nkind: Secret\nstringData: { a: b }\n',
    'kind: ConfigMap\ndata:\n  app.ini: |\n    [db]\n    password = hunter2\n',
    '{{ if .Values.password }}\n',
  ];
  expect(manifests.map(manifestHoldsSecret)).toEqual([false, false, true, true, true]);
});
