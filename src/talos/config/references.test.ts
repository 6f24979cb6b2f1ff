import { expect, test } from 'vitest';
import { platformOf } from '../../../test/talos-configs.ts';
import { referenceKey, referencesOf, textOf } from './references.ts';

const file = `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: p }
spec:
  machines: { proxmox: { endpoint: "https://pve:8006", token: { env: PROXMOX_TOKEN }, hosts: [a] } }
  cluster:
    registries: { credentials: { r.example.org: { username: u, password: { vault: "secret/data/r#password" }, ca: ./ca.pem } } }
    extensionServices: { tailscale: { secrets: { TS_AUTHKEY: { keyring: ichor/tailscale } } } }
    encryption: { state: { passphrase: { age: ./state.age } }, ephemeral: { nodeID: {} } }
`;

test('what configurations need from outside of the file, and nothing that only providers need', () => {
  expect(referencesOf(platformOf(file)).map(({ key, path }) => `${path}: ${key}`)).toEqual([
    'cluster.registries.credentials.r.example.org.password: vault:secret/data/r#password',
    'cluster.registries.credentials.r.example.org.ca: file:./ca.pem',
    'cluster.extensionServices.tailscale.secrets.TS_AUTHKEY: keyring:ichor/tailscale',
    'cluster.encryption.state.passphrase: age:./state.age',
  ]);
});

test('a text is found by its reference', () => {
  const reference = { env: 'TS_AUTHKEY' };
  expect(textOf(new Map([[referenceKey(reference), 'the text']]), reference)).toBe('the text');
});

test('a text that nobody fetched is asked for by its reference', () => {
  expect(() => textOf(new Map([['env:OTHER', 'the text']]), { env: 'TS_AUTHKEY' })).toThrow(
    expect.objectContaining({
      code: 'secret-missing',
      message: 'The configuration needs env:TS_AUTHKEY, and nobody fetched it.',
    }),
  );
});
