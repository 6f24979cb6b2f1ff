import { expect, test } from 'vitest';
import { diskImageUrl, installerImage, isoUrl, pxeUrl, type ImageRequest } from './images.ts';

const id = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba';
const request: ImageRequest = {
  factory: 'https://factory.talos.dev',
  schematic: id,
  version: 'v1.13.9',
  platform: 'metal',
  architecture: 'amd64',
  secureBoot: false,
};
const all = (given: Partial<ImageRequest>): readonly string[] => {
  const one = { ...request, ...given };
  return [isoUrl(one), diskImageUrl(one), installerImage(one), pxeUrl(one)];
};
const images = `https://factory.talos.dev/image/${id}/v1.13.9`;
const pxe = `https://pxe.talos.dev/pxe/${id}/v1.13.9`;

test.each<[Partial<ImageRequest>, readonly string[]]>([
  [
    {},
    [
      `${images}/metal-amd64.iso`,
      `${images}/metal-amd64.raw.zst`,
      `factory.talos.dev/metal-installer/${id}:v1.13.9`,
      `${pxe}/metal-amd64`,
    ],
  ],
  [
    { platform: 'nocloud', secureBoot: true },
    [
      `${images}/nocloud-amd64-secureboot.iso`,
      `${images}/nocloud-amd64-secureboot.raw.xz`,
      `factory.talos.dev/nocloud-installer-secureboot/${id}:v1.13.9`,
      `${pxe}/nocloud-amd64-secureboot`,
    ],
  ],
  [
    { platform: 'openstack', architecture: 'arm64', factory: 'http://factory.lab:8080/' },
    [
      `http://factory.lab:8080/image/${id}/v1.13.9/openstack-arm64.iso`,
      `http://factory.lab:8080/image/${id}/v1.13.9/openstack-arm64.raw.xz`,
      `factory.lab:8080/openstack-installer/${id}:v1.13.9`,
      `http://factory.lab:8080/pxe/${id}/v1.13.9/openstack-arm64`,
    ],
  ],
])('images of %j', (given, expected) => {
  expect(all(given)).toEqual(expected);
});

test('other forms of a disk', () => {
  expect(diskImageUrl(request, 'qcow2')).toBe(`${images}/metal-amd64.qcow2`);
});
