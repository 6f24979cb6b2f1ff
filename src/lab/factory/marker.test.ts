import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTalosMarker, writeTalosMarker, type TalosMarker } from './marker.ts';

const marker: TalosMarker = {
  version: 'v1.13.9',
  schematic: '88d1f7a5',
  platform: 'nocloud',
  extensions: ['siderolabs/qemu-guest-agent'],
  arch: 'amd64',
  secureboot: false,
};

test('a marker is found wherever it stands', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (before, after) => {
      const head = Buffer.concat([before, writeTalosMarker(marker), after]);
      expect(readTalosMarker(head)).toEqual(marker);
    }),
  );
});

test('a view into a larger buffer is read from its own beginning', () => {
  const whole = Buffer.concat([writeTalosMarker({ ...marker, platform: 'metal' }), writeTalosMarker(marker)]);
  expect(readTalosMarker(whole.subarray(10))?.platform).toBe('nocloud');
});

test('what was cut off, or is something else, is no marker', () => {
  const whole = writeTalosMarker(marker);
  for (let length = 0; length < whole.length; length++)
    expect(readTalosMarker(whole.subarray(0, length))).toBeUndefined();
  expect(readTalosMarker(Buffer.from('QFI'))).toBeUndefined();
  const broken = Buffer.from(whole);
  broken.write('?', broken.length - 1);
  expect(readTalosMarker(broken)).toBeUndefined();
});
