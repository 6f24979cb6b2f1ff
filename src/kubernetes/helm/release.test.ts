import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Live } from '../live.ts';
import { revisionOf, revisionsOf, upgradeReasons } from './release.ts';

const stored = (release: object, zipped = true): Live => {
  const json = Buffer.from(JSON.stringify(release));
  const inner = (zipped ? gzipSync(json) : json).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: { name: `sh.helm.release.v1.cilium.v${String((release as { version?: number }).version)}` },
    data: { release: Buffer.from(inner).toString('base64') },
  };
};

const release = (version: number, status = 'deployed', config: object = { a: 1 }) => ({
  name: 'cilium',
  version,
  config,
  info: { status, last_deployed: '2026-11-17T09:00:00.123456789Z' },
  chart: { metadata: { name: 'cilium', version: '1.19.0' } },
});

test.each([true, false])('a revision is read from its secret, zipped: %s', (zipped) => {
  expect(revisionOf(stored(release(2), zipped))).toEqual({
    revision: 2,
    status: 'deployed',
    chart: 'cilium',
    version: '1.19.0',
    values: { a: 1 },
    at: new Date('2026-11-17T09:00:00.123Z'),
    secret: 'sh.helm.release.v1.cilium.v2',
  });
});

test('the newest first, by number; what is none is left out', () => {
  const broken: Live = { ...stored(release(3)), data: { release: 'bm90IGd6aXA=' } };
  const opaque: Live = { ...stored(release(4)), type: 'Opaque' };
  const found = revisionsOf([stored(release(9, 'superseded')), broken, opaque, stored(release(10))]);
  expect(found.map(({ revision }) => revision)).toEqual([10, 9]);
});

const wanted = { chart: 'cilium', version: '1.19.0', values: { a: 1 } };

test.each([
  ['nothing', release(1), wanted, []],
  [
    'nothing, in another order',
    release(1, 'deployed', { b: { d: 1, c: 2 }, a: 1 }),
    { ...wanted, values: { a: 1, b: { c: 2, d: 1 } } },
    [],
  ],
  ['a revision that failed', release(1, 'failed'), wanted, ['its last revision is failed']],
  ['a newer chart', release(1), { ...wanted, version: '1.19.1' }, ['version 1.19.0 becomes 1.19.1']],
  [
    'values, by their names alone',
    release(1, 'deployed', { a: { secret: 'hunter2', b: 1 }, gone: 1 }),
    { ...wanted, values: { a: { secret: 'hunter3', b: 1 }, new: [] } },
    ['the value a.secret changes', 'the value gone changes', 'the value new changes'],
  ],
])('an upgrade is about %s', (_, before, after, reasons) => {
  const newest = revisionOf(stored(before));
  expect(newest && upgradeReasons(newest, after)).toEqual(reasons);
});
