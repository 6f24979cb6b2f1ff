import { expect, test } from 'vitest';
import { fakeNode, resource, sequence } from '../../test/fake-talos.ts';
import { installerFor, type UpgradeWish } from './talos-upgrade.ts';

const never = new AbortController().signal;
const wish: UpgradeWish = { factory: 'factory.example.org', legacy: false, stage: false, force: false };
const schematic = resource({ spec: { metadata: { name: 'schematic', version: 'abc' } } });

const node = (tag: string, extensions = [schematic], secureBoot = false) =>
  fakeNode({
    version: sequence({ tag, sha: '', arch: 'amd64', platform: 'nocloud', mode: 'cloud' }),
    list: sequence(extensions),
    get: sequence(resource({ spec: { secureBoot } })),
  });

test.each<[what: string, from: ReturnType<typeof node>, wanted: Partial<UpgradeWish>, request: object]>([
  [
    'a version, with the schematic and platform of the node',
    node('v1.12.11'),
    { to: 'v1.13.9' },
    { image: 'factory.example.org/nocloud-installer/abc:v1.13.9', legacy: false, stage: false, force: false },
  ],
  [
    'SecureBoot stays',
    node('v1.13.8', [schematic], true),
    { to: '1.13.9' },
    {
      image: 'factory.example.org/nocloud-installer-secureboot/abc:v1.13.9',
      legacy: false,
      stage: false,
      force: false,
    },
  ],
  [
    'a version where draining hangs goes at the next boot',
    node('v1.9.2'),
    { to: 'v1.10.9' },
    { image: 'factory.example.org/nocloud-installer/abc:v1.10.9', legacy: false, stage: true, force: false },
  ],
  [
    'an image as it is given',
    node('v1.13.8'),
    { image: 'example.org/installer:mine', legacy: true },
    { image: 'example.org/installer:mine', legacy: true, stage: false, force: false },
  ],
  [
    'further than one minor, by force',
    node('v1.10.9'),
    { to: 'v1.13.9', force: true },
    { image: 'factory.example.org/nocloud-installer/abc:v1.13.9', legacy: false, stage: false, force: true },
  ],
])('%s', async (_, from, wanted, request) => {
  expect(await installerFor({ ...wish, ...wanted })(from, never)).toEqual(request);
});

test.each<[from: ReturnType<typeof node>, wanted: Partial<UpgradeWish>, message: string, remedy: string]>([
  [
    node('v1.13.8'),
    {},
    'Nobody said what to upgrade to.',
    'Name a version with --to v1.13.9, or an installer image with --image.',
  ],
  [node('v1.13.8'), { to: 'latest' }, '"latest" is no version of Talos.', 'Use one such as v1.13.9.'],
  [
    node('v1.10.9'),
    { to: 'v1.13.9' },
    'From 1.10 to 1.13 is more than one minor version.',
    'Go by way of the latest 1.11 release, or insist with --force.',
  ],
  [
    node('v1.13.9'),
    { image: 'example.org/installer:v1.11.6@sha256:00' },
    'From 1.13 to 1.11 is more than one minor version.',
    'Go by way of the latest 1.12 release, or insist with --force.',
  ],
  [
    node('v1.13.8', []),
    { to: 'v1.13.9' },
    'The node does not say which schematic its Talos was made from.',
    'Its image is not from an Image Factory: name the installer with --image.',
  ],
])('refused: %#', async (from, wanted, message, remedy) => {
  await expect(installerFor({ ...wish, ...wanted })(from, never)).rejects.toMatchObject({ message, remedy });
});
