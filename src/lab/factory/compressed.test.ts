import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compress } from './compressed.ts';

const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));

test('gz is unpacked by Node itself', () => {
  expect(gunzipSync(compress.gz(content)).equals(content)).toBe(true);
});

// Both files were unpacked by xz and zstd, to the byte; Node 20 cannot.
test.each([
  ['xz', '44618510eebfc73798a6fad16b23ad0fe04b8ddbac4dbb86447112e225e61ff5'],
  ['zst', '0d0a5c588b37245514c3719614f236a2d36d3092510f1114962861d40b13909f'],
] as const)('%s is the file that its own program took', (kind, sha256) => {
  expect(createHash('sha256').update(compress[kind](content)).digest('hex')).toBe(sha256);
});

test('nothing can be packed too', () => {
  for (const kind of ['xz', 'zst'] as const) expect(compress[kind](new Uint8Array()).length).toBeGreaterThan(12);
});
