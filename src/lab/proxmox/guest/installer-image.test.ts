import { expect, test } from 'vitest';
import type { SystemImage } from '../../talos/twin.ts';
import { installerImage } from './installer-image.ts';

const [ours, theirs] = ['a', 'b'].map((digit) => digit.repeat(64));
const running: SystemImage = {
  version: 'v1.13.8',
  platform: 'nocloud',
  schematic: ours ?? '',
  extensions: ['siderolabs/qemu-guest-agent'],
};
const known = (id: string) => (id === theirs ? ['siderolabs/iscsi-tools'] : undefined);

test.each<[string, string, SystemImage]>([
  ['the same schematic', `factory.talos.dev/nocloud-installer/${ours}:v1.13.9`, { ...running, version: 'v1.13.9' }],
  [
    'another one of the factory',
    `127.0.64.1:8080/nocloud-installer-secureboot/${theirs}:v1.13.9`,
    { version: 'v1.13.9', platform: 'nocloud', schematic: theirs ?? '', extensions: ['siderolabs/iscsi-tools'] },
  ],
  [
    'one that nobody knows',
    `factory.talos.dev/metal-installer/${'c'.repeat(64)}:v1.13.9`,
    { version: 'v1.13.9', platform: 'metal', schematic: 'c'.repeat(64), extensions: [] },
  ],
  [
    'the old way of the factory',
    `factory.talos.dev/installer/${ours}:v1.13.9`,
    { ...running, version: 'v1.13.9', platform: 'metal' },
  ],
  ['the plain one', 'ghcr.io/siderolabs/installer:v1.13.9', { version: 'v1.13.9', platform: 'metal', extensions: [] }],
  [
    'the plain one of a version that kept the platform',
    'ghcr.io/siderolabs/installer:v1.9.5',
    { version: 'v1.9.5', platform: 'nocloud', extensions: [] },
  ],
])('%s', (_, reference, image) => {
  expect(installerImage(reference, running, known)).toEqual(image);
});
