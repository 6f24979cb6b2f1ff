import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sweep } from '../../../test/sweep.ts';
import { schematicId, schematicText, type Schematic } from './schematic.ts';

const empty = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba';

describe('ids that factories gave', () => {
  test.each<[schematic: Schematic, text: string, id: string]>([
    [{}, 'customization: {}\n', empty],
    [{ extraKernelArgs: [], extensions: [], meta: [], secureboot: {} }, 'customization: {}\n', empty],
    [{ bootloader: 'auto', secureboot: { includeWellKnownCertificates: false } }, 'customization: {}\n', empty],
    [
      { extraKernelArgs: ['noapic', 'nolapic'] },
      'customization:\n    extraKernelArgs:\n        - noapic\n        - nolapic\n',
      '9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c',
    ],
    [
      { meta: [{ key: 10, value: 'foo' }] },
      'customization:\n    meta:\n        - key: 10\n          value: foo\n',
      'd308a2a5ee2277bed5fbaa104fcbc8d59122abfa737df987a95b4ca763459a7f',
    ],
    [
      { extensions: ['siderolabs/qemu-guest-agent'] },
      'customization:\n    systemExtensions:\n        officialExtensions:\n            - siderolabs/qemu-guest-agent\n',
      'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515',
    ],
    [
      { extensions: ['util-linux-tools', 'qemu-guest-agent', 'siderolabs/iscsi-tools', 'siderolabs/qemu-guest-agent'] },
      'customization:\n    systemExtensions:\n        officialExtensions:\n            - siderolabs/iscsi-tools\n            - siderolabs/qemu-guest-agent\n            - siderolabs/util-linux-tools\n',
      '88d1f7a5c4f1d3aba7df787c448c1d3d008ed29cfb34af53fa0df4336a56040b',
    ],
    [
      { secureboot: { includeWellKnownCertificates: true } },
      'customization:\n    secureboot:\n        includeWellKnownCertificates: true\n',
      'fa8e05f142a851d3ee568eb0a8e5841eaf6b0ebc8df9a63df16ac5ed2c04f3e6',
    ],
    [
      { diskImage: { sectorSize: 4096 } },
      'customization:\n    diskImage:\n        sectorSize: 4096\n',
      '92833e9ddd9bb9e11b2464fa5525429f01866306d52ebd882ee08d7918f6d1ea',
    ],
    [
      { overlay: { name: 'rpi_generic', image: 'siderolabs/sbc-raspberrypi' } },
      'overlay:\n    image: siderolabs/sbc-raspberrypi\n    name: rpi_generic\ncustomization: {}\n',
      'ee21ef4a5ef808a9b7484cc0dda0f25075021691c8c09a276591eedb638ea1f9',
    ],
  ])('%j', (schematic, text, id) => {
    expect({ text: schematicText(schematic), id: schematicId(schematic) }).toEqual({ text, id });
  });
});

test('everything together, in the factory’s order', () => {
  expect(
    schematicText({
      diskImage: { sectorSize: 512 },
      secureboot: { includeWellKnownCertificates: true, enrollKeys: 'force' },
      bootloader: 'sd-boot',
      extensions: ['tailscale'],
      meta: [{ key: 10, value: 'addresses:\n  - a\n' }],
      extraKernelArgs: ['-console', 'console=ttyS0,115200', 'a: b', 'true', '10', "it's", '#x'],
      embeddedMachineConfiguration: 'apiVersion: v1alpha1\nkind: KmsgLogConfig',
    }),
  ).toBe(`customization:
    embeddedMachineConfiguration: |-
        apiVersion: v1alpha1
        kind: KmsgLogConfig
    extraKernelArgs:
        - -console
        - console=ttyS0,115200
        - 'a: b'
        - "true"
        - "10"
        - it's
        - '#x'
    meta:
        - key: 10
          value: |
            addresses:
              - a
    systemExtensions:
        officialExtensions:
            - siderolabs/tailscale
    bootloader: sd-boot
    secureboot:
        enrollKeys: force
        includeWellKnownCertificates: true
    diskImage:
        sectorSize: 512
`);
});

test('any text in a schematic is read back as it was, and one id stands for one set of extensions', () => {
  const anything = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[-+]?[0-9_.:xobe]{1,6}$/),
    fc.stringMatching(/^[ \n\ta#:-]{1,8}$/),
  );
  // Go itself writes several lines that begin with a blank in a way that it cannot read.
  const text = anything.filter((given) => !/^\s[^]*\n|^\n/.test(given) && !/[\u2028\u2029]/.test(given));
  const name = fc.constantFrom('a', 'siderolabs/a', 'b', 'siderolabs/b', 'other/c');
  const property = fc.property(fc.array(text), text, fc.array(name), (extraKernelArgs, value, extensions) => {
    const schematic = { extraKernelArgs, meta: [{ key: 10, value }], extensions };
    const { customization } = parse(schematicText(schematic), { logLevel: 'silent' }) as { customization: Schematic };
    const read = { extraKernelArgs: customization.extraKernelArgs ?? [], meta: customization.meta };
    expect(read).toEqual({ extraKernelArgs, meta: schematic.meta });
    expect(schematicId({ ...schematic, extensions: extensions.toReversed() })).toBe(schematicId(schematic));
  });
  fc.assert(property, sweep('schematics', 100, 5000));
});
