import { expect, test } from 'vitest';
import type { Problem } from '../../../model/problem.ts';
import { openProxmox } from '../proxmox.ts';
import { aCluster, aRequest, toolsOf } from '../../../../test/proxmox/cluster.ts';
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

test('a machine that lost its tags is known all the same', async () => {
  await using cluster = await aCluster();
  const someone = new Someone(cluster.lab, cluster.clock);
  const { reader, writer } = cluster.provider;
  await writer.create(aRequest(401, blank), signal);
  await someone.does('PUT', '/nodes/pve1/qemu/401/config', { delete: 'tags' });
  const [machine] = await reader.machines('prod', signal);
  expect(machine).toMatchObject({ kind: 'known', value: { id: '401', mark: aRequest(401).mark } });
  const { inventory, machines } = await reader.survey(signal);
  expect(machines).toEqual([machine]);
  expect(inventory.hosts[0]?.residents).toMatchObject([{ name: 'prod-cp-0', platform: 'prod', vmid: 401 }]);
});

test('a machine whose notes somebody edited is told by its UUID, with what it lacks and what puts that back', async () => {
  await using cluster = await aCluster();
  const { mark, mac } = aRequest(401);
  await cluster.provider.writer.create(aRequest(401, blank), signal);
  const someone = new Someone(cluster.lab, cluster.clock);
  await someone.does('PUT', '/nodes/pve1/qemu/401/config', { description: "it's mine" });
  const { machines, unmarked } = await cluster.provider.reader.survey(signal);
  expect(machines).toEqual([]);
  expect(unmarked).toMatchObject([{ id: '401', host: 'pve1', uuid: mark.uuid, macs: [mac] }]);
  expect(unmarked[0]?.damage(mark)).toEqual({
    lacking: ['the line in its notes'],
    restore: expect.stringMatching(
      /^ssh root@pve1 qm set 401 --description .*mine.*ichor platform=prod machine=/,
    ) as string,
  });
});

test('a host that is dead says through the others what it carries', async () => {
  await using cluster = await aCluster();
  const { reader, writer } = cluster.provider;
  await writer.create(
    { ...aRequest(401, blank), host: 'pve3', image: { ...aRequest(401, blank).image, host: 'pve3' } },
    signal,
  );
  cluster.lab.setHost('pve3', 'dead');
  const carries = async () => (await reader.survey(signal)).silent.map((each) => [each.host, each.carries]);
  expect(await carries()).toEqual([['pve3', [{ id: '401', platform: 'prod' }]]]);
});

test('a host whose datastores cannot be listed is silent, and one datastore that is broken is not there', async () => {
  await using cluster = await aCluster();
  const { reader } = cluster.provider;
  const fail = { kind: 'refuse', status: 500 } as const;
  cluster.lab.fail({ ...fail, match: 'GET /nodes/pve2/storage', reason: 'storage daemon is tired' });
  cluster.lab.fail({ ...fail, match: 'GET /nodes/pve3/storage/local-lvm/content', reason: 'storage is not online' });
  const { inventory, silent } = await reader.survey(signal);
  expect(silent.map(({ host }) => host)).toEqual(['pve2']);
  expect(inventory.hosts.map(({ name, disks }) => [name, Object.keys(disks ?? {})])).toEqual([
    ['pve1', ['local-lvm']],
    ['pve3', []],
  ]);
  expect(cluster.warnings.map(({ code }) => code)).toEqual(['proxmox-datastore']);
});

test('who has rights on a pool alone is told that hosts may be fuller, and what cannot be seen is not zero', async () => {
  await using cluster = await aCluster();
  const someone = new Someone(cluster.lab, cluster.clock);
  await someone.does('POST', '/access/users', { userid: 'eva@pve' });
  const made = await someone.does('POST', '/access/users/eva@pve/token/robot', { privsep: 0 });
  await someone.does('POST', '/pools', { poolid: 'talos' });
  await someone.does('POST', '/access/roles', { roleid: 'looks', privs: 'Sys.Audit' });
  await someone.does('POST', '/access/roles', { roleid: 'fetches', privs: 'Sys.AccessNetwork' });
  const allow = (path: string, roles: string) =>
    someone.does('PUT', '/access/acl', { path, roles, users: 'eva@pve', propagate: 1 });
  await allow('/pool/talos', 'PVEVMAdmin');
  await allow('/', 'looks');
  // Takes the place of what comes from above.
  await allow('/nodes/pve1', 'fetches');
  const token = `eva@pve!robot=${(made as { value: string }).value}`;
  const warnings: Problem[] = [];
  await using provider = openProxmox(
    cluster.settings,
    { credentials: { kind: 'token', token }, ca: cluster.lab.ca },
    toolsOf(cluster.lab, cluster.clock, warnings),
  );
  const { inventory, silent } = await provider.reader.survey(signal);
  expect(inventory.hosts.map(({ name, cpu }) => [name, cpu > 0])).toEqual([
    ['pve2', true],
    ['pve3', true],
  ]);
  expect(silent).toEqual([
    { host: 'pve1', because: 'eva@pve!robot may not see what it has: Sys.Audit on /nodes/pve1 is missing' },
  ]);
  expect(warnings.map(({ message, remedy }) => [message, remedy])).toEqual([
    [
      'eva@pve!robot does not see every VM of the cluster, so hosts may be fuller and VMIDs fewer than they seem.',
      'Let it look at all of them; what is missing, and what gives it:\n    ichor doctor',
    ],
  ]);
});
