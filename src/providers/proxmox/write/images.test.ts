import { describe, expect, test } from 'vitest';
import { aCluster, aRequest } from '../../../../test/proxmox/cluster.ts';
import { serveImages, type ImageServer } from '../../../../test/proxmox/image-server.ts';
import { told } from '../../../../test/talos/told.ts';
import type { ImageRequest } from '../../provider.ts';

const signal = AbortSignal.timeout(60_000);

const imageOf = (
  { url, sha256 }: ImageServer,
  name: string,
  changed: Partial<Extract<ImageRequest, { url: string }>> = {},
): Extract<ImageRequest, { url: string }> => ({
  kind: name.endsWith('.iso') ? 'iso' : 'disk',
  url: `${url}/${name}`,
  name,
  checksum: { algorithm: 'sha256', hex: sha256(name) },
  download: 'host',
  datastore: 'local',
  ...changed,
});

const here = Buffer.from('an ISO called talos.iso\n');
const fetchFile = () =>
  Promise.resolve({
    bytes: here.length,
    read: async function* () {
      yield here.subarray(0, 5);
      yield here.subarray(5);
    },
  });

describe('an image', () => {
  test('is fetched by each host itself, all at once', async () => {
    await using images = await serveImages();
    await using cluster = await aCluster();
    const wanted = imageOf(images, 'talos.qcow2');
    expect(await cluster.provider.writer.ensureImage(wanted, ['pve1', 'pve2', 'pve3'], signal)).toEqual(
      ['pve1', 'pve2', 'pve3'].map((host) => ({ kind: 'disk', host, volume: 'local:import/talos.qcow2' })),
    );
    expect(images.fetched.length).toBe(3);
  });

  test('on a datastore that all share is fetched once', async () => {
    await using images = await serveImages();
    await using cluster = await aCluster({
      storages: [
        { id: 'local', type: 'nfs', content: ['iso', 'import'], shared: true },
        { id: 'local-lvm', content: ['images'] },
      ],
    });
    await cluster.provider.writer.ensureImage(imageOf(images, 'talos.iso'), ['pve1', 'pve2', 'pve3'], signal);
    expect(images.fetched).toEqual(['talos.iso']);
    expect((await cluster.provider.reader.images(imageOf(images, 'talos.iso'), ['pve2', 'pve3'], signal)).length).toBe(
      2,
    );
  });

  test('comes from this machine when it should, straight to the host that keeps it', async () => {
    await using images = await serveImages();
    await using cluster = await aCluster();
    const provider = cluster.open({ endpoints: [] }, { fetchFile });
    await provider.writer.ensureImage(imageOf(images, 'talos.iso', { download: 'here' }), ['pve2', 'pve3'], signal);
    expect(images.fetched).toEqual([]);
    const uploads = cluster.lab.requests().filter(({ path }) => path.endsWith('/upload'));
    expect(uploads.map(({ host, path }) => `${host} ${path}`).toSorted()).toEqual([
      'pve2 /nodes/pve2/storage/local/upload',
      'pve3 /nodes/pve3/storage/local/upload',
    ]);
    expect((await provider.reader.images(imageOf(images, 'talos.iso'), ['pve1', 'pve2', 'pve3'], signal)).length).toBe(
      2,
    );
  });

  test('comes from this machine where the host cannot fetch it', async () => {
    await using images = await serveImages();
    await using cluster = await aCluster();
    const provider = cluster.open({}, { fetchFile });
    const request = imageOf(images, 'talos.iso', { url: 'http://127.0.0.1:1/talos.iso' });
    expect((await told(provider.writer.ensureImage(request, ['pve1'], signal))).code).toBe('proxmox-download');
    await provider.writer.ensureImage({ ...request, download: 'auto' }, ['pve1'], signal);
    expect((await provider.reader.images(request, ['pve1'], signal)).length).toBe(1);
  });

  test('that is another one than its checksum says is refused by the host', async () => {
    await using images = await serveImages();
    await using cluster = await aCluster();
    const request = imageOf(images, 'talos.iso', { checksum: { algorithm: 'sha256', hex: '0'.repeat(64) } });
    const { code, recovery } = await told(cluster.provider.writer.ensureImage(request, ['pve1'], signal));
    expect([code, recovery]).toEqual(['proxmox-image-checksum', 'ask']);
    expect(await cluster.provider.reader.images(request, ['pve1'], signal)).toEqual([]);
  });

  test('that somebody should have put there is asked for', async () => {
    await using cluster = await aCluster();
    const request = { kind: 'iso', volume: 'local:iso/mine.iso' } as const;
    expect(await told(cluster.provider.writer.ensureImage(request, ['pve1'], signal))).toEqual({
      code: 'proxmox-no-volume',
      recovery: 'ask',
      message: 'There is no local:iso/mine.iso on pve1.',
    });
  });

  test('on a datastore that does not take it says so', async () => {
    await using images = await serveImages();
    await using cluster = await aCluster();
    const request = imageOf(images, 'talos.iso', { datastore: 'local-lvm' });
    expect((await told(cluster.provider.writer.ensureImage(request, ['pve1'], signal))).recovery).toBe('ask');
  });
});

test('a disk from an image is as large as asked for; one that is smaller than its image is refused', async () => {
  await using images = await serveImages();
  await using cluster = await aCluster();
  const { writer } = cluster.provider;
  const [image] = await writer.ensureImage(imageOf(images, 'talos.qcow2'), ['pve1'], signal);
  if (image === undefined) throw new Error('There is no image.');
  await writer.create(aRequest(401, { image }), signal);
  expect(cluster.lab.vms()[0]?.config['scsi0']).toMatch(/,size=10G$/);
});
