import { expect, test } from 'vitest';
import { parseYaml } from '../yaml.ts';
import { textOf } from './configuration.ts';
import { Part } from './foreign.ts';
import { carry, carryWhole, secretsOnly } from './prune.ts';

function carried(text: string, how = carry) {
  const [tree] = parseYaml({ name: 'a.yaml', content: text }).documents;
  if (tree === undefined) throw new Error('This is not YAML.');
  const part = Part.whole(tree);
  return { value: how(textOf(tree, part), secretsOnly), notes: part.notes.map(({ message }) => message) };
}

test('a secret is left out, and the mappings around it that are empty then', () => {
  expect(
    carried('machine: { token: abc, registries: { config: { a: { auth: { password: x } } } }, type: worker }'),
  ).toEqual({
    value: { machine: { type: 'worker' } },
    notes: [
      'machine.token: Not carried over: it is a secret.',
      'machine.registries.config.a.auth.password: Not carried over: it is a secret.',
    ],
  });
});

test('a list loses the whole item: an interface without its key would be another interface', () => {
  expect(
    carried('interfaces: [{ interface: wg0, wireguard: { privateKey: abc } }, { interface: eth0, dhcp: true }]'),
  ).toEqual({
    value: { interfaces: [{ interface: 'eth0', dhcp: true }] },
    notes: ['interfaces[0]: Not carried over: wireguard.privateKey is a secret.'],
  });
});

test('an encryption is never weakened in silence', () => {
  const keys = '[{ slot: 0, tpm: {} }, { slot: 1, static: { passphrase: abc } }]';
  expect(carried(`machine: { systemDiskEncryption: { state: { provider: luks2, keys: ${keys} } } }`)).toEqual({
    value: undefined,
    notes: ['machine.systemDiskEncryption: Not carried over: state.keys[1].static.passphrase is a secret.'],
  });
  expect(carried(`{ kind: UserVolumeConfig, name: data, encryption: { provider: luks2, keys: ${keys} } }`)).toEqual({
    value: undefined,
    notes: ['Not carried over: encryption.keys[1].static.passphrase is a secret.'],
  });
});

test('what belongs together goes together', () => {
  expect(carried('{ name: a, mountPath: /b, content: "password=c" }', carryWhole)).toEqual({
    value: undefined,
    notes: ['Not carried over: content is a secret.'],
  });
});

test('what holds no secret stays as it is', () => {
  const text =
    'machine: { kubelet: { extraArgs: { a: "1" } }, taints: [{ key: gpu }], empty: {}, none: [], nothing: null }';
  expect(carried(text)).toEqual({
    value: {
      machine: { kubelet: { extraArgs: { a: '1' } }, taints: [{ key: 'gpu' }], empty: {}, none: [], nothing: null },
    },
    notes: [],
  });
});
