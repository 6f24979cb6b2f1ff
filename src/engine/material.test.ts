import { expect, test } from 'vitest';
import { seededEntropy, testClock } from '../../test/entropy.ts';
import { MemoryStore } from '../../test/memory-store.ts';
import { platformFile } from '../../test/said.ts';
import { platformOf, twoMachines } from '../../test/talos-platform.ts';
import type { Inventory } from '../model/host.ts';
import { readTalosconfig } from '../talos/talosconfig/read.ts';
import { materialOf } from './material.ts';

const making = { clock: testClock, entropy: seededEntropy('material') };
const nothing = new Map<string, string>();
const proxmox = (cluster = ''): string =>
  platformFile({ cluster: `{ controlPlane: { replicas: 1 }, workers: { general: { replicas: 1 } }${cluster} }` });

async function aMaterial(file: string, store = new MemoryStore()) {
  const material = materialOf(
    { platform: platformOf(file), source: { file: 'platform.yaml' }, resolved: new Map() },
    store,
    making,
  );
  store.secretsText ??= await material.newSecrets();
  return { material, store };
}

test('without secrets it says where they are missed, and takes them up once they are there', async () => {
  const store = new MemoryStore();
  const { material } = await aMaterial(twoMachines(), store);
  const text = store.secretsText;
  store.secretsText = undefined;
  await expect(material.talosAccess()).rejects.toThrow('There are no secrets of this cluster in talos.');
  store.secretsText = text;
  const access = await material.talosAccess();
  expect(access).toMatchObject({ kind: 'mutual' });
  expect(await material.talosAccess()).toBe(access);
});

test('the first control plane’s address is the endpoint where the file names none, once it is found', async () => {
  const { material } = await aMaterial(proxmox());
  expect(material.endpointMachine).toBe('prod-cp-0');
  await expect(material.config('prod-general-0', nothing)).rejects.toThrow('Nobody knows yet');
  const found = new Map([['prod-cp-0', '10.9.0.7']]);
  expect(await material.config('prod-general-0', found)).toContain('https://10.9.0.7:6443');
  expect((await material.kubernetes(found)).server).toBe('https://10.9.0.7:6443');
  expect(material.apiServers(found)).toEqual([{ host: '10.9.0.7', port: 6443 }]);
});

test('no other address that was found changes a configuration', async () => {
  const { material } = await aMaterial(
    proxmox(', endpoint: { vip: 10.9.0.5 }, firewall: { enabled: true }, network: { nodes: 10.9.0.0/24 }'),
  );
  const all = new Map([
    ['prod-cp-0', '10.9.0.7'],
    ['prod-general-0', '10.9.0.8'],
  ]);
  for (const machine of material.machines)
    expect(await material.config(machine, all)).toBe(await material.config(machine, nothing));
  expect(material.endpointMachine).toBeUndefined();
  expect(material.apiServers(all)).toEqual([{ host: '10.9.0.7', port: 6443 }]);
  expect(material.addressRule('prod-cp-0').not).toContain('10.9.0.5');
});

test('a machine that is there keeps its card', async () => {
  const { material } = await aMaterial(proxmox(', endpoint: { vip: 10.9.0.5 }'));
  const mac = 'BC:24:11:AA:BB:CC';
  const resident = {
    name: 'prod-cp-0',
    platform: 'prod',
    vmid: 401,
    mac,
    uuid: undefined,
    address: undefined,
    size: undefined,
  };
  const inventory = {
    hosts: [
      {
        name: 'pve1',
        cpu: 8,
        memoryMiB: 8192,
        disks: undefined,
        used: { cpu: 0, memoryMiB: 0, disks: {} },
        residents: [resident],
      },
    ],
    shared: {},
  } as unknown as Inventory;
  expect(material.addressRule('prod-cp-0').mac).not.toBe(mac);
  const knowing = material.knowing(inventory);
  expect(knowing.addressRule('prod-cp-0').mac).toBe(mac);
  expect(await knowing.config('prod-cp-0', nothing)).toContain(mac.toLowerCase());
});

test('files for people stay as they are while they are good, and follow the control planes', async () => {
  const { material, store } = await aMaterial(proxmox());
  const found = new Map([['prod-cp-0', '10.9.0.7']]);
  for (const path of material.artifacts) store.artifacts.set(path, await material.artifact(path, found));
  for (const path of material.artifacts) expect(await material.artifact(path, found)).toBe(store.artifacts.get(path));
  const contextOf = (text: string | undefined) => readTalosconfig(text ?? '', 'talosconfig').contexts.get('prod');
  const before = contextOf(store.artifacts.get('talosconfig'));
  expect(before).toMatchObject({ endpoints: ['10.9.0.7'], nodes: ['10.9.0.7'] });
  const moved = new Map([['prod-cp-0', '10.9.0.9']]);
  expect(contextOf(await material.artifact('talosconfig', moved))).toEqual({
    ...before,
    endpoints: ['10.9.0.9'],
    nodes: ['10.9.0.9'],
  });
  expect(await material.artifact('kubeconfig', moved)).toContain('server: https://10.9.0.9:6443');
});

test('a talosconfig whose nodes somebody chose keeps them', async () => {
  const { material, store } = await aMaterial(twoMachines());
  const first = await material.artifact('talosconfig', nothing);
  store.artifacts.set('talosconfig', first.replace(/nodes:\n\s+- 10.10.0.11/, 'nodes:\n            - 10.10.0.21'));
  expect(await material.artifact('talosconfig', nothing)).toBe(store.artifacts.get('talosconfig'));
  expect(store.artifacts.get('talosconfig')).toContain('10.10.0.21');
});

test('fingerprints are what Talos’ own tools take', async () => {
  const octets = Array.from({ length: 32 }, (_, index) => index);
  const written = octets.map((each) => each.toString(16).padStart(2, '0')).join(':');
  const file = platformFile({
    machines: `{ existing: { machines: { cp-0: { address: 10.0.0.1, fingerprint: "${written}" }, general-0: { address: 10.0.0.2 } } } }`,
    cluster: '{ controlPlane: { replicas: 1 }, workers: { general: { replicas: 1 } } }',
  });
  const { material } = await aMaterial(file);
  expect(material.fingerprint('prod-cp-0')).toBe(Buffer.from(octets).toString('base64'));
  expect(material.fingerprint('prod-general-0')).toBeUndefined();
  expect(material.fixedAddress('prod-general-0')).toBe('10.0.0.2');
});
