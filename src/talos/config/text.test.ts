import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { sweep } from '../../../test/sweep.ts';
import type { Fields, MachineConfig } from './document.ts';
import { configText } from './text.ts';

const example: MachineConfig = [
  {
    version: 'v1alpha1',
    persist: true,
    machine: {
      token: '',
      certSANs: [],
      install: { extraKernelArgs: ['a=b', 'net.ifnames=0'] },
      features: {},
      ports: [50000, '2379-2380'],
    },
    cluster: {
      apiServer: {
        admissionControl: [
          { name: 'PodSecurity', configuration: { defaults: { audit: 'restricted' }, kinds: [{ a: 1, b: ['x'] }] } },
        ],
      },
    },
  },
  {
    apiVersion: 'v1alpha1',
    kind: 'HostnameConfig',
    auto: 'off',
    hostname: 'cp-0',
    match: 'mac(link.permanent_addr) == "02:00:00:00:00:01"',
    selector: '"/dev/disk/by-id/x" in disk.symlinks',
    pem: '-----BEGIN X-----\nabc\n\n-----END X-----\n',
    list: ['first\nsecond', '10.10.0.0/24', 'fd00::/64', '02:00'],
  },
];

test('the layout is talosctl’s: four blanks, items under their key, text of several lines as a block', () => {
  expect(configText(example)).toBe(`version: v1alpha1
persist: true
machine:
    token: ""
    certSANs: []
    install:
        extraKernelArgs:
            - a=b
            - net.ifnames=0
    features: {}
    ports:
        - 50000
        - "2379-2380"
cluster:
    apiServer:
        admissionControl:
            - name: PodSecurity
              configuration:
                defaults:
                    audit: restricted
                kinds:
                    - a: 1
                      b:
                        - x
---
apiVersion: v1alpha1
kind: HostnameConfig
auto: "off"
hostname: cp-0
match: mac(link.permanent_addr) == "02:00:00:00:00:01"
selector: '"/dev/disk/by-id/x" in disk.symlinks'
pem: |
    -----BEGIN X-----
    abc

    -----END X-----
list:
    - |-
      first
      second
    - 10.10.0.0/24
    - fd00::/64
    - "02:00"
`);
});

/** Text that is easily taken for something else. */
const tricky = fc.constantFrom(
  '',
  ' ',
  'off',
  'No',
  'null',
  '~',
  '1e3',
  '0x1f',
  '1_000',
  '2026-11-16',
  '12:30:45',
  '.inf',
  '-',
  '- a',
  '? a',
  'a: b',
  'a #b',
  'a:',
  '#a',
  '{a}',
  '[a]',
  '&a',
  '*a',
  '!a',
  '|',
  '>',
  '%a',
  '@a',
  '`a',
  "it's",
  '"',
  '\\',
  'a\tb',
  'a\n',
  'a\n\n',
  '\na',
  ' a\nb',
  'a\n  b\n',
  'a\r\nb',
  'a\n ',
  'a\n\tb',
  'ünïcödé',
  'a\u0085b',
  'a\u2028b',
  '\ufeffa',
  'a\u0000b',
  '=',
  '<<',
  '---',
  'a\n---\nb',
  'a\n...\n',
  'x ',
);
const key = fc.oneof(tricky, fc.string({ minLength: 1, maxLength: 8 }));
const text = fc.oneof(tricky, fc.string(), fc.string({ unit: 'binary', maxLength: 8 }));
const { value } = fc.letrec<{ value: Fields[string] }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const document = fc.dictionary(key, value, { minKeys: 1, maxKeys: 5, noNullPrototype: true });

test('whatever a configuration holds is read back as it was', () => {
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 3 }), (config) => {
      for (const version of ['1.1', '1.2'] as const) {
        const read = parseAllDocuments(configText(config), { version, merge: false });
        expect(read.map((each) => [each.errors, each.toJS() as unknown])).toEqual(config.map((each) => [[], each]));
      }
    }),
    sweep('configuration texts', 300, 20_000),
  );
});
