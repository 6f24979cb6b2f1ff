import { expect, test } from 'vitest';
import { platformFile } from '../../test/said.ts';
import type { Input } from './documents.ts';
import { read } from './read.ts';

const shown = (input: Input): string => [...read(input).texts.values()].join('\n');

/** A mistake, so that there is something to show. */
const wrong = { cluster: '{ controlPlane: { replicas: 2 } }' };
const line = (sections: Readonly<Record<string, string>>, number: number): string | undefined =>
  shown({ sources: [{ name: 'a', content: platformFile({ ...wrong, ...sections }) }] }).split('\n')[number - 1];
const machines = (rest: string) =>
  line({ machines: `{ proxmox: { endpoint: "https://a:1", hosts: [a], ${rest} } }` }, 5);
const around = (rest: string) => `  machines: { proxmox: { endpoint: "https://a:1", hosts: [a], ${rest} } }`;

test.each<[what: string, written: string, shows: string]>([
  ['a secret in clear', 'token: hunter2', 'token: *******'],
  ['a secret in quotes', 'token: "hunter 2"', 'token: ******* **'],
  ['a secret in a list', 'token: [hunter2, x]', 'token: [*******, *]'],
  ['a secret as a key', 'token: { hunter2: x }', 'token: { *******: * }'],
  ['a reference', 'token: { env: MY_TOKEN }', 'token: { env: ******** }'],
  ['a secret under a misspelt key', 'tokn: hunter2', 'tokn: *******'],
  ['a mapping under an unknown key', 'auth: { user: hunter2 }', 'auth: { ****: ******* }'],
  ['text where secrets should be', 'login: root:hunter2', 'login: ************'],
  ['a user in a URL', 'via: "https://hunter2@b"', 'via: *******************'],
])('%s', (_, written, shows) => {
  expect(machines(written)).toBe(around(shows));
});

test.each<[what: string, sections: Readonly<Record<string, string>>, number: number, shows: string]>([
  [
    'values of a chart',
    { cluster: '{ controlPlane: { replicas: 2 }, cni: { cilium: { values: { password: hunter2, a: [b] } } } }' },
    6,
    '  cluster: { controlPlane: { replicas: 2 }, cni: { cilium: { values: { ********: *******, *: [*] } } } }',
  ],
  [
    'patches',
    { cluster: '{ controlPlane: { replicas: 2 }, patches: ["machine: hunter2"] }' },
    6,
    '  cluster: { controlPlane: { replicas: 2 }, patches: [********* ********] }',
  ],
  [
    'variables, files and manifests',
    {
      cluster:
        '{ controlPlane: { replicas: 2 }, extensionServices: { a: { environment: { B: hunter2 }, files: { /c: hunter2 } } }, manifests: { inline: { d: hunter2 } } }',
    },
    6,
    '  cluster: { controlPlane: { replicas: 2 }, extensionServices: { a: { environment: { B: ******* }, files: { /c: ******* } } }, manifests: { inline: { d: ******* } } }',
  ],
  [
    'a comment',
    { cluster: '{ controlPlane: { replicas: 2 } } # token: hunter2' },
    6,
    '  cluster: { controlPlane: { replicas: 2 } } # *****: *******',
  ],
  [
    'a user of git',
    { services: '{ gitops: { flux: { url: "ssh://git@example.org/a.git" } } }' },
    7,
    '  services: { gitops: { flux: { url: "ssh://***@example.org/a.git" } } }',
  ],
])('%s', (_, sections, number, shows) => {
  expect(line(sections, number)).toBe(shows);
});

test('lines of a text after its first are never shown', () => {
  const content = `${platformFile(wrong)}  environment: |\n    one\n    two\n`;
  expect(
    shown({ sources: [{ name: 'a', content }] })
      .split('\n')
      .slice(6),
  ).toEqual(['  environment: |', '    ***', '    ***', '']);
});

test('an alias is as secret as the most secret place that it stands for', () => {
  const content = platformFile({
    ...wrong,
    machines: '{ proxmox: { endpoint: "https://a:1", hosts: [a], pool: &x hunter2, token: *x } }',
  });
  expect(shown({ sources: [{ name: 'a', content }] })).toContain('hosts: [a], pool: &* *******, token: ** } }');
});

/** Where YAML cannot be read, known keys and what stands behind the harmless ones are all that is shown. */
test.each<[what: string, written: readonly string[], shows: readonly string[]]>([
  ['a secret that is not closed', ['token: "hunter2', 'hosts: [a]'], ['token: "*******', 'hosts: [a]']],
  [
    'what stands below it',
    ['  token: "hunter2', '    name: hunter2', '  hosts: [a]'],
    ['  token: "*******', '    ****: *******', '  hosts: [a]'],
  ],
  [
    'a secret in a block',
    ['  token: |', '    name: hunter2', '  bridge: b', '  - ['],
    ['  token: |', '    ****: *******', '  bridge: b', '  - ['],
  ],
  [
    'a misspelt key in a block',
    ['  tokn: >-', '    name: hunter2', '  - ['],
    ['  ****: >-', '    ****: *******', '  - ['],
  ],
  ['a secret without a colon', ['token hunter2', 'a: ['], ['token *******', '*: [']],
  [
    'a token with words in it',
    ['token: root@pam!name=hunter2, name: x', 'a: ['],
    ['token: ********!****=*******, name: x', '*: ['],
  ],
  [
    'a name that nobody knows',
    ['pool1: { cpu: 4, secret: hunter2 }', 'a: ['],
    ['*****: { cpu: 4, secret: ******* }', '*: ['],
  ],
  ['a comment', ['cpu: 4 # hunter2', 'a: ['], ['cpu: 4 # *******', '*: [']],
])('%s', (_, written, shows) => {
  expect(shown({ sources: [{ name: 'a', content: written.join('\n') }] }).split('\n')).toEqual(shows);
});

test.each<[setting: string, shows: string]>([
  ['machines.proxmox.token=hunter2', 'machines.proxmox.token=*******'],
  ['machines.proxmox.tokn=hunter2', 'machines.proxmox.tokn=*******'],
  ['machines.proxmox.token="hunter2', 'machines.proxmox.token="*******'],
  ['machines.proxmox.token hunter2', 'machines.proxmox.token *******'],
  ['hunter2', '*******'],
  ['cluster.controlPlane.replicas=many', 'cluster.controlPlane.replicas=many'],
])('--set %s', (setting, shows) => {
  expect(read({ sources: [{ name: 'a', content: platformFile(wrong) }], settings: [setting] }).texts.get('--set')).toBe(
    shows,
  );
});
