import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataCentre, type DataCentre } from '../../data-centre.ts';
import { call } from '../../lab/proxmox-api.ts';

/** What is refused is refused before anything is touched, and says what to type. */
describe('nothing is touched when', () => {
  let here: DataCentre;
  let good: string;
  beforeAll(async () => {
    here = await dataCentre({ fresh: true });
    good = here.file();
  });
  afterAll(() => here[Symbol.asyncDispose]());

  const refused = async (says: readonly (string | RegExp)[], ...args: readonly string[]): Promise<void> => {
    here.writes();
    const { status, stdout, stderr } = await here.up(...args);
    expect({ status, stdout, stderr }).toMatchObject({ status: 1 });
    for (const each of says) expect(stderr + stdout).toMatch(each);
    expect(here.writes()).toEqual([]);
    expect(existsSync(join(here.folder, 'talos/secrets.yaml'))).toBe(false);
    expect(here.vms()).toEqual({});
  };

  test('high availability is violated: two control planes', async () => {
    here.write(good);
    here.edit([/controlPlane: \{ replicas: 3/, 'controlPlane: { replicas: 2']);
    await refused([/platform\.yaml:\d+:\d+/, /must be odd/]);
  });

  test('three control planes would share one host', async () => {
    here.write(good);
    here.edit([/hosts: \[pve1, pve2, pve3\]/, 'hosts: [pve1]'], [/ +pve2: [^\n]+\n +pve3: [^\n]+\n/, '']);
    await refused([/do not fit/, /of controlPlane find no host/]);
  });

  test('there is too little room', async () => {
    here.write(good);
    here.edit([/cpu: 4, memory: 8GiB/, 'cpu: 4, memory: 80GiB']);
    await refused([/do not fit|does not fit|no room/i, /memory/]);
  });

  test('the token is wrong', async () => {
    here.write(good);
    writeFileSync(join(here.folder, 'bad'), 'root@pam!nobody=00000000-0000-4000-8000-000000000000\n');
    here.edit([/token: \{ file: "[^"]+" \}/, `token: { file: "${join(here.folder, 'bad')}" }`]);
    await refused([/token/i]);
  });

  test('the token lacks privileges, and they are named', async () => {
    here.write(good);
    const [endpoint = ''] = here.lab.proxmox.endpoints.values();
    const api = { endpoint, ca: here.lab.proxmox.ca, token: here.lab.proxmox.token('admin') };
    await call(api, 'POST', '/access/users', { userid: 'poor@pve' });
    await call(api, 'PUT', '/access/acl', { path: '/', users: 'poor@pve', roles: 'PVEAuditor' });
    const made = (await call(api, 'POST', '/access/users/poor@pve/token/ichor', { privsep: '0' })) as {
      readonly value: string;
    };
    writeFileSync(join(here.folder, 'poor'), `poor@pve!ichor=${made.value}\n`);
    here.edit([/token: \{ file: "[^"]+" \}/, `token: { file: "${join(here.folder, 'poor')}" }`]);
    await refused([/VM\.Allocate/, /Datastore\.AllocateSpace/, /pveum/]);
  });

  test('the certificate is somebody else’s', async () => {
    here.write(good);
    here.edit([/tls: \{ ca: "[^"]+" \}/, `tls: { fingerprint: "${'AA:'.repeat(31)}AA" }`]);
    await refused([/certificate|fingerprint/i]);
  });

  test('nobody said yes', async () => {
    here.write(good);
    here.writes();
    const { status, stderr } = await here.ichor(['up']);
    expect([status, stderr]).toEqual([1, expect.stringContaining('--yes')]);
    expect(here.writes()).toEqual([]);
  });

  test('a datastore is full', async () => {
    here.write(good);
    here.edit([/ +capacity:\n(?: +pve\d:[^\n]+\n)+/, '']);
    for (const host of here.lab.proxmox.endpoints.keys()) here.lab.proxmox.fill('local-lvm', 10, host);
    await refused([/local-lvm/]);
  });
});
