import { expect, test } from 'vitest';
import { keepSchematic, WrongSchematic } from './schematic.ts';

const plain = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba';

// Ids that the real factory gave.
test.each([
  ['customization: {}', plain],
  ['{"customization":{"bootloader":"auto","meta":[]}}', plain],
  [
    'customization:\n  systemExtensions:\n    officialExtensions: [siderolabs/qemu-guest-agent]\n',
    'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515',
  ],
  [
    'customization: { meta: [{ value: foo, key: 10 }] }',
    'd308a2a5ee2277bed5fbaa104fcbc8d59122abfa737df987a95b4ca763459a7f',
  ],
  [
    'customization: {}\noverlay: { name: rpi_generic, image: siderolabs/sbc-raspberrypi }',
    'ee21ef4a5ef808a9b7484cc0dda0f25075021691c8c09a276591eedb638ea1f9',
  ],
  [
    'customization: { diskImage: { sectorSize: 4096 } }',
    '92833e9ddd9bb9e11b2464fa5525429f01866306d52ebd882ee08d7918f6d1ea',
  ],
])('%s', (body, id) => {
  expect(keepSchematic(body).id).toBe(id);
});

test('the order of extensions is kept, and they can be asked for', () => {
  const kept = keepSchematic('customization: { systemExtensions: { officialExtensions: [b, a] } }');
  expect(kept).toMatchObject({
    text: 'customization:\n    systemExtensions:\n        officialExtensions:\n            - b\n            - a\n',
    extensions: ['b', 'a'],
  });
});

test.each(['', '- a', 'customisation: {}', 'customization: { extensions: [] }', 'a: b: c'])('%j is refused', (body) => {
  expect(() => keepSchematic(body)).toThrow(WrongSchematic);
});
