import { expect, test } from 'vitest';
import { aCd } from '../../../../test/lab/cd.ts';
import { iso9660Image } from '../../factory/iso9660.ts';
import { readCd } from './iso9660.ts';

const files = { 'user-data': '#cloud-config\n', 'network-config': 'version: 1\n'.repeat(400), 'Grüße.txt': 'x' };
const textsOf = (bytes: Uint8Array) =>
  Object.fromEntries(
    [...(readCd(bytes)?.files ?? [])].map(([name, content]) => [name, Buffer.from(content).toString()]),
  );

test('names are those of Rock Ridge', () => {
  const cd = aCd('cidata', files);
  expect([readCd(cd)?.label, textsOf(cd)]).toEqual(['cidata', files]);
});

test('without them Joliet’s', () => {
  const cd = aCd('cidata', files);
  for (let at = cd.indexOf('NM'); at >= 0; at = cd.indexOf('NM')) cd.write('XX', at, 'latin1');
  expect(textsOf(cd)).toEqual(files);
});

test('and without those plain ones, in lower case', () => {
  expect(textsOf(iso9660Image('TALOS', 'TALOS.TXT', Buffer.from('x')))).toEqual({ 'talos.txt': 'x' });
});

test('a file beyond what was kept is absent', () => {
  const cd = aCd('cidata', { 'meta-data': 'a', 'user-data': 'b' });
  expect(Object.keys(textsOf(cd.subarray(0, cd.length - 2048)))).toEqual(['meta-data']);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a disk', Buffer.alloc(64 * 1024, 1)],
  ['only the beginning of one', aCd('cidata', files).subarray(0, 16 * 2048 + 100)],
])('%s is no CD', (_, bytes) => {
  expect(readCd(bytes)).toBeUndefined();
});
