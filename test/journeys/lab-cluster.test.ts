import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ichorBeside } from '../cli.ts';
import { folderForAll } from '../folder.ts';
import { eventually } from '../lab/asking.ts';
import { call, work, type Api } from '../lab/proxmox-api.ts';

// Another checkout may run the same story at the same time.
const base = `127.${160 + (process.pid % 40)}.${Math.floor(process.pid / 40) % 250}`;

type Machine = { readonly name: string; readonly host: string; readonly vmid: number; readonly mac: string };
type Seen = {
  readonly name: string;
  readonly talos?: { readonly stage: string };
  readonly addresses: readonly string[];
};

/** The platform file that a lab comes with, made real by hand: VMs through the API, the cluster with ichor’s own commands. */
describe('a cluster in the VMs of a lab', () => {
  const cwd = folderForAll();
  const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, 'state') };
  const ok = async (...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await ichorBeside(args, { cwd, env });
    expect({ args, status, ...(status === 0 ? {} : { stdout, stderr }) }).toEqual({ args, status: 0 });
    return stdout;
  };
  const json = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse(await ok(...args, '--output', 'json')) as unknown;
  const vms = async (): Promise<readonly Seen[]> =>
    ((await json('lab', 'status')) as { labs: { vms: Seen[] }[] }).labs[0]?.vms ?? [];
  const all = (stage: string): Promise<unknown> =>
    eventually(vms, (seen) => seen.length === 6 && seen.every(({ talos }) => talos?.stage === stage));
  let platform: string;
  let api: Api;
  let factory: string;

  beforeAll(async () => {
    const lab = (await json(
      'lab',
      'start',
      '--detach',
      '--speed',
      '50',
      '--cni',
      'flannel',
      '--network',
      `${base}.0/24`,
    )) as {
      readonly proxmox: { readonly endpoint: string; readonly token: string; readonly ca: string };
      readonly platform: string;
      readonly factory: string;
    };
    ({ platform, factory } = lab);
    api = { ...lab.proxmox, ca: readFileSync(lab.proxmox.ca, 'utf8') };
  });
  afterAll(() => ichorBeside(['lab', 'stop', '--all'], { env }));

  test('machines are made where the proof puts them, with the identities of the file', async () => {
    const made = await fetch(`${factory}/schematics`, {
      method: 'POST',
      body: 'customization: { systemExtensions: { officialExtensions: [siderolabs/qemu-guest-agent] } }',
    });
    const { id } = (await made.json()) as { readonly id: string };
    await Promise.all(
      ['pve1', 'pve2', 'pve3'].map((host) =>
        work(api, 'POST', `/nodes/${host}/storage/local/download-url`, {
          url: `${factory}/image/${id}/v1.13.9/nocloud-amd64.qcow2`,
          content: 'import',
          filename: 'talos.qcow2',
        }),
      ),
    );
    const { machines } = (await json('place', '-f', platform)) as {
      readonly machines: readonly (Machine & { readonly address: string })[];
    };
    await Promise.all(
      machines.map(({ name, host, vmid, mac, address }) =>
        work(api, 'POST', `/nodes/${host}/qemu`, {
          vmid: String(vmid),
          name,
          memory: '4096',
          cores: '2',
          agent: '1',
          scsihw: 'virtio-scsi-pci',
          scsi0: 'local-lvm:0,import-from=local:import/talos.qcow2',
          ide0: 'local-lvm:cloudinit',
          ipconfig0: `ip=${address}/25,gw=${base}.129`,
          net0: `virtio=${mac},bridge=vmbr0`,
          boot: 'order=scsi0',
        }).then(() => work(api, 'POST', `/nodes/${host}/qemu/${vmid}/status/start`)),
      ),
    );
    await all('maintenance');
  });

  test('they become a cluster that is healthy', async () => {
    await ok('talos', 'gen', '-f', platform, '--out', 'talos');
    await ok('talos', 'apply', '-f', platform, '--from', 'talos', '--insecure');
    await eventually(
      () =>
        ichorBeside(['talos', 'bootstrap', '-n', `${base}.131`, '--talosconfig', 'talos/talosconfig'], { cwd, env }),
      ({ status }) => status === 0,
    );
    expect(await ok('talos', 'health', '--talosconfig', 'talos/talosconfig', '--timeout', '1m')).not.toContain(
      'failed',
    );
    const members = await ok('talos', 'get', 'members', '--talosconfig', 'talos/talosconfig', '-n', `${base}.131`);
    expect(members.match(/Talos \(v1\.13\.9\)/g)).toHaveLength(6);
  });

  test('the virtual address is with one of them, and among all that its agent tells', async () => {
    const holder = (await vms()).find(({ addresses }) => addresses.includes(`${base}.130`));
    expect(holder?.name).toMatch(/^lab-cp-\d$/);
    const number = Number(holder?.name.at(-1));
    const path = `/nodes/pve${number + 1}/qemu/${401 + number}/agent/network-get-interfaces`;
    const { result } = (await call(api, 'GET', path)) as {
      readonly result: readonly {
        readonly name: string;
        readonly 'ip-addresses'?: readonly { readonly 'ip-address': string; readonly prefix: number }[];
      }[];
    };
    const eth0 = result.find(({ name }) => name === 'eth0')?.['ip-addresses'] ?? [];
    expect(eth0.map((each) => `${each['ip-address']}/${each.prefix}`).slice(0, 2)).toEqual([
      `${base}.13${number + 1}/25`,
      `${base}.130/32`,
    ]);
    expect(result.map(({ name }) => name)).toEqual([
      'lo',
      'bond0',
      'dummy0',
      'eth0',
      'flannel.1',
      'cni0',
      'veth2f7c0d41',
    ]);
  });

  test('a host that is stopped by hand loses its machines, and the cluster goes on', async () => {
    for (const vmid of [401, 501]) await work(api, 'POST', `/nodes/pve1/qemu/${vmid}/status/stop`);
    await eventually(vms, (seen) =>
      seen.some(({ name, addresses }) => name !== 'lab-cp-0' && addresses.includes(`${base}.130`)),
    );
    expect(await ok('talos', 'etcd', 'members', '--talosconfig', 'talos/talosconfig', '-n', `${base}.132`)).toContain(
      'lab-cp-0',
    );
  });
});
