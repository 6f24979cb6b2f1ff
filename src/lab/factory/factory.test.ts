import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startImageFactory, type ImageFactory } from './factory.ts';
import { readTalosMarker } from './marker.ts';

const plain = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba';
let factory: ImageFactory;

beforeAll(async () => {
  factory = await startImageFactory({ versions: ['v1.12.11', 'v1.13.9'] });
});
afterAll(() => factory[Symbol.asyncDispose]());

const get = (path: string, init?: RequestInit) => fetch(`${factory.url}${path}`, init);
const bytesOf = async (path: string) => Buffer.from(await (await get(path)).arrayBuffer());

test('versions are told', async () => {
  expect(await (await get('/versions')).json()).toEqual(['v1.12.11', 'v1.13.9']);
});

test('a schematic that was registered can be built from, and says what is in it', async () => {
  const body = 'customization: { systemExtensions: { officialExtensions: [siderolabs/qemu-guest-agent] } }';
  const answered = await get('/schematics', { method: 'POST', body });
  const { id } = (await answered.json()) as { id: string };
  expect([answered.status, id]).toEqual([201, 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515']);
  const marker = readTalosMarker(await bytesOf(`/image/${id}/v1.13.9/nocloud-amd64.qcow2`));
  expect(marker).toEqual({
    version: 'v1.13.9',
    schematic: id,
    platform: 'nocloud',
    extensions: ['siderolabs/qemu-guest-agent'],
    arch: 'amd64',
    secureboot: false,
  });
});

test('every kind of file carries the marker, in its first mebibyte', async () => {
  const base = `/image/${plain}/v1.13.9/metal-arm64-secureboot`;
  const files = await Promise.all(
    ['.iso', '.qcow2', '.raw', '.raw.xz', '.raw.zst'].map((ending) => bytesOf(base + ending)),
  );
  const packed = gunzipSync(await bytesOf(`${base}.raw.gz`));
  for (const file of [...files, packed])
    expect(readTalosMarker(file.subarray(0, 1 << 20))).toMatchObject({
      platform: 'metal',
      arch: 'arm64',
      secureboot: true,
    });
});

test('a disk image declares its size, and a CD its name', async () => {
  const qcow2 = await bytesOf(`/image/${plain}/v1.13.9/nocloud-amd64.qcow2`);
  expect(qcow2.toString('latin1', 0, 4)).toBe('QFI\u00fb');
  expect(qcow2.readBigUInt64BE(24)).toBe(1246n * 1024n * 1024n);
  const iso = await bytesOf(`/image/${plain}/1.13.9/nocloud-amd64.iso`);
  expect(iso.toString('latin1', 16 * 2048 + 1, 16 * 2048 + 6)).toBe('CD001');
  expect(iso.toString('latin1', 16 * 2048 + 40, 16 * 2048 + 72).trimEnd()).toBe('TALOS_V1_13_9');
});

test('the same request gets the same bytes, and HEAD tells how many', async () => {
  const path = `/image/${plain}/v1.13.9/nocloud-amd64.qcow2`;
  const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  const [one, other] = await Promise.all([bytesOf(path), bytesOf(path)]);
  expect(hash(one)).toBe(hash(other));
  const head = await get(path, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(one.length));
  expect(head.headers.get('content-disposition')).toBe('attachment; filename="nocloud-amd64.qcow2"');
});

test.each([
  ['/image/0000/v1.13.9/nocloud-amd64.iso', 404, 'schematic ID "0000" not found\n'],
  [`/image/${plain}/v9.9.9/nocloud-amd64.iso`, 404, 'version v9.9.9 is not available\n'],
  [
    `/image/${plain}/v1.13.9/nocloud-riscv.iso`,
    400,
    'error parsing profile from path: invalid profile path: "nocloud-riscv.iso"\n',
  ],
  [
    `/image/${plain}/v1.13.9/nocloud-amd64.iso.sha256`,
    402,
    'enterprise not enabled: checksum endpoint is not available\n',
  ],
  ['/schematics/0000', 404, 'schematic not found\n'],
  ['/version/v9/extensions/official', 404, 'version v9 is not available\n'],
  ['/elsewhere', 404, '404 page not found\n'],
])('%s is answered with %i', async (path, status, words) => {
  const answered = await get(path);
  expect([answered.status, await answered.text()]).toEqual([status, words]);
});

test('what is no schematic is refused', async () => {
  const answered = await get('/schematics', { method: 'POST', body: 'customisation: {}' });
  expect([answered.status, await answered.text()]).toEqual([
    400,
    expect.stringContaining('field customisation not found'),
  ]);
});
