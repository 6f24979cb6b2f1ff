import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sweep } from '../../../test/sweep.ts';
import { frame, frameReader, percentDecoded, percentEncoded, timeoutMs } from './frames.ts';

test('messages come out as they went in, however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 400 })), fc.integer({ min: 1, max: 64 }), (messages, cut) => {
      const bytes = Buffer.concat(messages.map(frame));
      const reader = frameReader();
      const read: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += cut) read.push(...reader.push(bytes.subarray(at, at + cut)));
      expect(read.map((message) => [...message])).toEqual(messages.map((message) => [...message]));
      expect(reader.rest()).toBe(0);
    }),
    sweep('gRPC frames', 50, 3000),
  );
});

test('texts of statuses survive a header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const encoded = percentEncoded(text);
      expect(encoded).toMatch(/^[\x20-\x7e]*$/);
      expect(percentDecoded(encoded)).toBe(text);
    }),
    sweep('gRPC messages', 100, 5000),
  );
});

test.each([
  ['1n', 0.000001],
  ['250m', 250],
  ['3S', 3000],
  ['2M', 120_000],
  ['1H', 3_600_000],
  ['soon', undefined],
  [undefined, undefined],
])('a timeout of %s is %s ms', (header, ms) => {
  expect(timeoutMs(header)).toBe(ms);
});
