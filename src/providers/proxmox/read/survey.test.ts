import { expect, test } from 'vitest';
import { aCluster, aRequest } from '../../../../test/proxmox/cluster.ts';
import { Someone } from '../../../../test/proxmox/someone.ts';

const signal = AbortSignal.timeout(60_000);
const blank = { image: { kind: 'iso', host: 'pve1', volume: 'none' } } as const;

test('hosts are shown with what they have and carry: ours, others, containers, and no templates', async () => {
  await using cluster = await aCluster({
    hosts: [
      { name: 'pve1', cpus: 8, memoryMiB: 32_768 },
      { name: 'pve2', cpus: 4, memoryMiB: 16_384 },
    ],
    storages: [
      { id: 'local', content: ['iso'], totalGiB: 50 },
      { id: 'local-lvm', type: 'lvm', content: ['images', 'rootdir'], totalGiB: 100 },
      { id: 'ceph', type: 'rbd', content: ['images'], shared: true, totalGiB: 1000 },
    ],
    containers: [{ vmid: 200, host: 'pve2', name: 'dns', cpus: 1, memoryMiB: 512 }],
  });
  const someone = new Someone(cluster.lab, cluster.clock);
  await cluster.provider.writer.create(aRequest(401, blank), signal);
  const web = { vmid: 100, name: 'web', cores: 2, memory: 4096, scsi0: 'local-lvm:20', scsi1: 'ceph:100' };
  await someone.does('POST', '/nodes/pve1/qemu', web);
  await someone.does('POST', '/nodes/pve1/qemu', { vmid: 9000, name: 'golden', memory: 1024, scsi0: 'local-lvm:7' });
  await someone.does('POST', '/nodes/pve1/qemu/9000/template');
  const { provider, inventory, silent } = await cluster.provider.reader.survey(signal);
  expect(provider).toEqual({ product: 'Proxmox VE', version: '9.2.11' });
  expect(silent).toEqual([]);
  expect(inventory.shared).toEqual({ ceph: 900 });
  const request = aRequest(401);
  const nobody = { platform: null, mac: undefined, uuid: undefined, address: undefined };
  expect(
    inventory.hosts.map(({ residents, ...host }) => ({
      ...host,
      residents: residents.toSorted((one, other) => (one.vmid ?? 0) - (other.vmid ?? 0)),
    })),
  ).toEqual([
    {
      name: 'pve1',
      cpu: 8,
      memoryMiB: 32_768,
      disks: { 'local-lvm': 100 },
      // The template, and the firmware’s disk that was rounded up.
      used: { cpu: 0, memoryMiB: 0, disks: { 'local-lvm': 7 } },
      residents: [
        {
          ...nobody,
          name: 'web',
          vmid: 100,
          size: {
            cpu: 2,
            memoryMiB: 4096,
            disks: [
              { name: 'local-lvm', sizeGiB: 20, datastore: 'local-lvm' },
              { name: 'ceph', sizeGiB: 100, datastore: 'ceph' },
            ],
          },
        },
        {
          name: 'prod-cp-0',
          platform: 'prod',
          vmid: 401,
          mac: request.mac,
          uuid: request.mark.uuid,
          address: undefined,
          size: { cpu: 2, memoryMiB: 2048, disks: [{ name: 'local-lvm', sizeGiB: 11, datastore: 'local-lvm' }] },
        },
      ],
    },
    {
      name: 'pve2',
      cpu: 4,
      memoryMiB: 16_384,
      disks: { 'local-lvm': 100 },
      used: { cpu: 0, memoryMiB: 0, disks: { 'local-lvm': 0 } },
      residents: [
        {
          ...nobody,
          name: 'dns',
          vmid: 200,
          size: { cpu: 1, memoryMiB: 512, disks: [] },
        },
      ],
    },
  ]);
});

test('a host of the file that nobody knows is silent', async () => {
  await using cluster = await aCluster({ hosts: 1 }, { hosts: ['pve1', 'pve9'] });
  expect((await cluster.provider.reader.survey(signal)).silent).toEqual([
    { host: 'pve9', because: 'there is no such host in this cluster' },
  ]);
});

test('a reused VMID is not taken for who had it before, whatever the old statistics say', async () => {
  await using cluster = await aCluster();
  const { writer, reader } = cluster.provider;
  const machine = await writer.create(aRequest(401, blank), signal);
  await cluster.clock.sleep(11_000);
  await writer.delete(machine, signal);
  await new Someone(cluster.lab, cluster.clock).does('POST', '/nodes/pve1/qemu', { vmid: 401, name: 'web' });
  expect(await reader.machines('prod', signal)).toEqual([]);
  const { inventory } = await reader.survey(signal);
  expect(inventory.hosts[0]?.residents.map(({ name, platform }) => [name, platform])).toEqual([['web', null]]);
});
