import { expect, test } from 'vitest';
import { hideSecrets, looksSecret, shownText } from './secrets.ts';

test.each<[string, string]>([
  ['  token: abc', '  token: ***'],
  ['{ password: "a b", user: x }', '{ password: *****, user: x }'],
  ['TS_AUTHKEY=abc', 'TS_AUTHKEY=***'],
  ['token: { env: TOKEN }', 'token: { env: TOKEN }'],
  ['replicas: 3', 'replicas: 3'],
])('%s is repeated as %s', (line, expected) => {
  expect(hideSecrets(line)).toBe(expected);
});

test.each<[string, string | undefined]>([
  ['https://user:abc@example.org/a', 'https://user:***@example.org/a'],
  ['ssh://root@example.org:22', 'ssh://root@example.org:22'],
  ['AGE-SECRET-KEY-1ABC', undefined],
  ['-----BEGIN RSA PRIVATE KEY-----', undefined],
  ['10.10.0.0/24', '10.10.0.0/24'],
])('%s is shown as %s', (text, expected) => {
  expect(shownText(text)).toBe(expected);
});

test('names of secrets', () => {
  expect(['adminPassword', 'TS_AUTHKEY', 'api_key', 'tokens'].filter(looksSecret)).toHaveLength(4);
  expect(['replicas', 'TS_HOSTNAME', 'keypair'].filter(looksSecret)).toEqual([]);
});
