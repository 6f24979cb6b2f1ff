import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sweep } from '../../../../test/sweep.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';

const data = fc.uniqueArray(fc.tuple(fc.string(), fc.string({ maxLength: 3000 })), {
  selector: ([key]) => key,
  maxLength: 40,
});

test('a snapshot restores what was in it, and has the frame that talosctl checks', () => {
  fc.assert(
    fc.property(data, fc.bigInt({ min: 50n, max: 1n << 40n }), (pairs, revision) => {
      const content = new Map(pairs);
      const file = writeSnapshot({ data: content, revision });
      expect(file.length % 512).toBe(32);
      expect(readSnapshot(file, false)).toEqual({ data: content, revision: content.size === 0 ? 1n : revision });
    }),
    sweep('etcd snapshots', 30, 2000),
  );
});

const file = Buffer.from(writeSnapshot({ data: new Map([['key', 'value']]), revision: 2n }));
const flipped = Buffer.from(file);
flipped[file.length - 40] = 1;

test.each([
  ['nothing', Buffer.alloc(0), false, 'invalid database'],
  ['other bytes', Buffer.alloc(5000, 7), false, 'invalid database'],
  ['a copy without a hash', file.subarray(0, -32), false, 'snapshot missing hash but --skip-hash-check=false'],
] as const)('%s is no snapshot', (_, bytes, skipHash, words) => {
  expect(readSnapshot(bytes, skipHash)).toBe(words);
});

test('a changed byte is found, unless nobody wants to know', () => {
  expect(readSnapshot(flipped, false)).toMatch(/^expected sha256 \[.*\], got \[.*\]$/);
  expect(readSnapshot(flipped, true)).toEqual({ data: new Map([['key', 'value']]), revision: 2n });
  expect(readSnapshot(file.subarray(0, -32), true)).toEqual({ data: new Map([['key', 'value']]), revision: 2n });
});
