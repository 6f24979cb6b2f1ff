import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataCentre, type DataCentre } from '../../data-centre.ts';
import { fakeSsh } from '../../fake-ssh.ts';
import { work } from '../../lab/proxmox-api.ts';

const withoutAddresses = [
  [/(general: \{[^}]*), addresses: [\d.-]+/, '$1'],
  [/(controlPlane: \{[^}]*), addresses: [\d.-]+/, '$1'],
  [/addresses: static/, 'addresses: dhcp'],
] as const;
const bothReady = { 'lab-cp-0': true, 'lab-general-0': true };

const up = async (here: DataCentre): Promise<void> => {
  const { status, stderr } = await here.up();
  expect([status, stderr]).toEqual([0, '']);
  const again = await here.up();
  expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
};

describe.concurrent('a cluster comes up', () => {
  test('with addresses from DHCP, found by the guest agent', async () => {
    await using here = await dataCentre({ small: true });
    here.edit(...withoutAddresses);
    await up(here);
    expect(here.nodes()).toEqual(bothReady);
  });

  test('with names from DHCP: no hostname is written into any configuration', async () => {
    await using here = await dataCentre({ small: true });
    here.edit(...withoutAddresses, [/( +)cni: /, '$1hostnames: dhcp\n$&']);
    const { stdout } = await here.ichor(['machines', '--output', 'json']);
    const { machines } = JSON.parse(stdout) as { machines: { name: string; mac: string }[] };
    for (const [index, { mac }] of machines.entries())
      here.lab.guests.reserve(mac, { hostname: `named-${index}`, address: here.address(180 + index) });
    await up(here);
    expect(here.nodes()).toEqual({ 'named-0': true, 'named-1': true });
    expect(readFileSync(join(here.folder, 'talos/control-plane.yaml'), 'utf8')).not.toMatch(/hostname: lab-/);
  });

  test('pinned to hosts', async () => {
    await using here = await dataCentre({ small: true });
    here.edit([/( +)cni: /, '$1placement: { strategy: pin, pinned: { cp-0: pve3, general-0: pve2 } }\n$&']);
    await up(here);
    expect(here.lab.proxmox.vms().map(({ host, config }) => [config['name'], host])).toEqual([
      ['lab-cp-0', 'pve3'],
      ['lab-general-0', 'pve2'],
    ]);
  });

  test('from an ISO that somebody put on the storage, which is ejected in the end', async () => {
    await using here = await dataCentre({ small: true });
    const { proxmox, factory } = here.lab;
    const [endpoint = ''] = proxmox.endpoints.values();
    const api = { endpoint, ca: proxmox.ca, token: proxmox.token('somebody') };
    const made = await fetch(`${factory.url}/schematics`, {
      method: 'POST',
      body: 'customization: { systemExtensions: { officialExtensions: [siderolabs/qemu-guest-agent] } }',
    });
    const { id } = (await made.json()) as { readonly id: string };
    for (const host of proxmox.endpoints.keys())
      await work(api, 'POST', `/nodes/${host}/storage/local/download-url`, {
        url: `${factory.url}/image/${id}/v1.13.9/nocloud-amd64.iso`,
        content: 'iso',
        filename: 'talos-nocloud.iso',
      });
    here.writes();
    here.edit([
      /image: \{ factory: "[^"]+" \}/,
      `image: { factory: "${factory.url}", iso: "local:iso/talos-nocloud.iso" }`,
    ]);
    await up(here);
    expect(here.writes().filter((each) => each.includes('download-url'))).toEqual([]);
    expect(here.nodes()).toEqual(bothReady);
    for (const { config } of proxmox.vms()) expect(Object.values(config).join()).not.toContain('talos-nocloud.iso');
  });

  test('through ssh: every connection to nodes and to the API is ssh’s', async () => {
    await using here = await dataCentre({ small: true });
    const ssh = fakeSsh(here.folder);
    here.edit([/  machines:\n/, '  machines:\n    via: ssh://root@jump.example.org\n']);
    const env = { PATH: `${here.folder}:${process.env['PATH']}` };
    const { status, stderr } = await here.ichor(['up', '--yes'], env);
    expect([status, stderr]).toEqual([0, '']);
    expect(here.nodes()).toEqual(bothReady);
    const targets = new Set(ssh.told().flatMap((words) => /-W \S+?:(\d+)/.exec(words.join(' '))?.[1] ?? []));
    expect([...targets].toSorted()).toEqual(['50000', '6443']);
    const without = await here.ichor(['status'], { PATH: '/nowhere' });
    expect([without.status, without.stdout + without.stderr]).toEqual([1, expect.stringContaining('ssh')]);
  });

  test('on machines that exist and wait in maintenance mode', async () => {
    // The machines of one platform are handed to another as if somebody had made them.
    await using here = await dataCentre({ small: true });
    expect((await here.ichor(['up', '--yes', '--target', 'machines'])).status).toBe(0);
    const [cp, worker] = [here.address(131), here.address(140)];
    const platform = (workers: string, replicas: number): string => `apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: found }
spec:
  machines:
    existing:
      machines: { cp-0: { address: ${cp} }${workers} }
  cluster:
    talos: { version: v1.13.9 }
    controlPlane: { replicas: 1, schedulable: true }
    workers: { general: { replicas: ${replicas} } }
    cni: { flannel: {} }
`;
    here.write(platform(`, general-0: { address: ${worker} }`, 1));
    const { status, stderr } = await here.up('--workspace', 'found');
    expect([status, stderr]).toEqual([0, '']);
    expect(here.nodes()).toEqual({ 'found-cp-0': true, 'found-general-0': true });
    const again = await here.up('--workspace', 'found');
    expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
    const down = await here.destroy('--workspace', 'found');
    expect([down.status, down.stderr]).toEqual([0, '']);
    expect(here.lab.guests.running().map(({ talos }) => talos?.stage)).toEqual(['maintenance', 'maintenance']);

    // One of them dies, and leaves the file: it goes once somebody has said that it is not coming back.
    expect((await here.up('--workspace', 'found')).status).toBe(0);
    const dead = here.lab.proxmox.vms().find(({ config }) => config['name'] === 'lab-general-0')!;
    const [endpoint = ''] = here.lab.proxmox.endpoints.values();
    const api = { endpoint, ca: here.lab.proxmox.ca, token: here.lab.proxmox.token('admin') };
    await work(api, 'POST', `/nodes/${dead.host}/qemu/${dead.vmid}/status/stop`);
    here.write(platform('', 0));
    const waits = await here.up('--workspace', 'found', '--timeout', '1s');
    expect([waits.status, waits.stderr]).toEqual([1, expect.stringContaining('kubectl delete node found-general-0')]);
    here.lab.clusters.at(-1)!.twin.api.delete('/nodes', undefined, 'found-general-0', {}, { manager: 'kubectl' });
    const gone = await here.up('--workspace', 'found');
    expect([gone.status, gone.stdout]).toEqual([0, expect.stringContaining('found-general-0: forget it')]);
    expect(here.nodes()).toEqual({ 'found-cp-0': true });
  });
});
