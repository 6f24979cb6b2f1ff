import { afterEach, expect, test } from 'vitest';
import { asked, eventually, resource } from '../../test/lab/asking.ts';
import { configOf } from '../../test/lab/configs.ts';
import { call, work, type Api } from '../../test/lab/proxmox-api.ts';
import { clientOf, makeSecrets } from '../../test/lab/secrets.ts';
import { startLab, type Lab } from './lab.ts';
import { usualDurations } from './proxmox/durations.ts';
import { quickDurations } from './talos/node/hardware.ts';

const secrets = makeSecrets();
const admin = clientOf(secrets.os, ['os:admin']);
// Another checkout may run the same tests at the same time.
const block = `127.${60 + (process.pid % 40)}.${Math.floor(process.pid / 40) % 250}`;

let lab: Lab;
let api: Api;
let schematic: string;
afterEach(() => lab[Symbol.asyncDispose]());

const quick = Object.fromEntries(Object.keys(usualDurations).map((key) => [key, 5]));

async function aLab(): Promise<void> {
  lab = await startLab({
    network: `${block}.0/24`,
    hosts: 3,
    durations: { ...quick, lockWait: 2000, proxy: 5000 },
    talos: { durations: quickDurations },
  });
  api = { endpoint: lab.proxmox.endpoints.get('pve1') ?? '', token: lab.proxmox.token(), ca: lab.proxmox.ca };
  const made = await fetch(`${lab.factory.url}/schematics`, {
    method: 'POST',
    // The next lab has the same address.
    headers: { connection: 'close' },
    body: 'customization: { systemExtensions: { officialExtensions: [siderolabs/qemu-guest-agent] } }',
  });
  schematic = ((await made.json()) as { readonly id: string }).id;
}

const download = (file: string, content: 'iso' | 'import'): Promise<void> =>
  work(api, 'POST', '/nodes/pve1/storage/local/download-url', {
    url: `${lab.factory.url}/image/${schematic}/v1.13.9/nocloud-amd64.${file.split('.')[1] ?? ''}`,
    content,
    filename: file,
  });
const vm = (vmid: number): string => `/nodes/pve1/qemu/${vmid}`;
const create = (vmid: number, form: Readonly<Record<string, string>>): Promise<void> =>
  work(api, 'POST', '/nodes/pve1/qemu', {
    vmid: String(vmid),
    name: `machine-${vmid}`,
    memory: '4096',
    cores: '2',
    agent: '1',
    scsihw: 'virtio-scsi-pci',
    net0: `virtio=BC:24:11:00:0${Math.floor(vmid / 100)}:${String(vmid % 100).padStart(2, '0')},bridge=vmbr0`,
    ...form,
  });
const start = (vmid: number): Promise<void> => work(api, 'POST', `${vm(vmid)}/status/start`);
const seen = (vmid: number) => lab.guests.running().find((guest) => guest.vmid === vmid);
const inStage = (vmid: number, stage: string): Promise<unknown> =>
  eventually(
    () => seen(vmid)?.talos?.stage,
    (now) => now === stage,
  );
const addressOf = (vmid: number): string => seen(vmid)?.addresses[0] ?? '';
const booted = (vmid: number): Promise<unknown> =>
  eventually(
    () => asked({ host: addressOf(vmid), client: admin }, 'Version').catch(() => ({ code: '' })),
    ({ code }) => code === 'OK',
  );
const status = async (vmid: number): Promise<string> =>
  ((await call(api, 'GET', `${vm(vmid)}/status/current`)) as { readonly status: string }).status;
async function apply(vmid: number): Promise<void> {
  await inStage(vmid, 'maintenance');
  const config = configOf('controlplane', secrets).replace(
    'ghcr.io/siderolabs/installer:v1.13.9',
    `factory.talos.dev/nocloud-installer/${schematic}:v1.13.9`,
  );
  const data = Buffer.from(config).toString('base64');
  expect((await asked({ host: addressOf(vmid) }, 'ApplyConfiguration', { mode: 'AUTO', data })).code).toBe('OK');
}

test('an ISO before an installed disk keeps a node down until somebody ejects it and resets the VM', async () => {
  await aLab();
  await download('talos.iso', 'iso');
  await create(401, { scsi0: 'local-lvm:20', ide2: 'local:iso/talos.iso,media=cdrom', boot: 'order=ide2;scsi0' });
  await start(401);
  await apply(401);
  await booted(401);
  await work(api, 'POST', `${vm(401)}/status/stop`);
  await start(401);
  await eventually(
    () => lab.guests.screen(401).at(-1),
    (line) => line?.includes('already installed to disk') === true,
  );
  expect(await status(401)).toBe('running');
  const address = addressOf(401);
  await expect(asked({ host: address }, 'Version')).rejects.toThrow('ECONNREFUSED');
  await call(api, 'PUT', `${vm(401)}/config`, { ide2: 'none,media=cdrom' });
  await work(api, 'POST', `${vm(401)}/status/reset`);
  await booted(401);
  expect(addressOf(401)).toBe(address);
});

test('disks grow while a node runs, outlive power cycles, and go with their volume to another VM', async () => {
  await aLab();
  await download('talos.qcow2', 'import');
  await create(401, { scsi0: 'local-lvm:0,import-from=local:import/talos.qcow2,serial=system', boot: 'order=scsi0' });
  await work(api, 'PUT', `${vm(401)}/resize`, { disk: 'scsi0', size: '20G' });
  await start(401);
  await apply(401);
  await booted(401);
  const size = async (vmid: number, disk: string): Promise<string | undefined> => {
    const text = await resource({ host: addressOf(vmid), client: admin }, 'runtime', 'Disks.block.talos.dev', disk);
    return /\npretty_size: (.*)\n/.exec(text ?? '')?.[1];
  };
  expect(await size(401, 'sda')).toBe('21 GB');
  await work(api, 'PUT', `${vm(401)}/resize`, { disk: 'scsi0', size: '30G' });
  expect(await size(401, 'sda')).toBe('32 GB');

  await work(api, 'POST', `${vm(401)}/status/stop`);
  expect(lab.guests.running()).toEqual([]);
  await create(402, { boot: 'order=virtio0' });
  await work(api, 'POST', `${vm(401)}/move_disk`, {
    disk: 'scsi0',
    'target-vmid': '402',
    'target-disk': 'virtio0',
  });
  await start(402);
  await booted(402);
  expect(await size(402, 'vda')).toBe('32 GB');
  await start(401);
  await eventually(
    () => lab.guests.screen(401),
    (lines) => lines.includes('No bootable device.'),
  );
});

test('power reaches the guest by every way that Proxmox has', async () => {
  await aLab();
  await download('talos.qcow2', 'import');
  await create(401, { scsi0: 'local-lvm:0,import-from=local:import/talos.qcow2', boot: 'order=scsi0' });
  const up = async (): Promise<void> => {
    await start(401);
    await inStage(401, 'maintenance');
  };
  await up();
  // By the agent.
  await work(api, 'POST', `${vm(401)}/status/shutdown`, { timeout: '60' });
  expect([await status(401), seen(401)]).toEqual(['stopped', undefined]);
  await call(api, 'PUT', `${vm(401)}/config`, { agent: '0' });
  await up();
  // By the power button.
  await work(api, 'POST', `${vm(401)}/status/shutdown`, { timeout: '60' });
  expect(await status(401)).toBe('stopped');
  await up();
  // Talos shuts down by itself.
  await apply(401);
  await booted(401);
  expect((await asked({ host: addressOf(401), client: admin }, 'Shutdown', { force: true })).code).toBe('OK');
  await eventually(
    () => status(401),
    (now) => now === 'stopped',
  );
  await start(401);
  await booted(401);
  // The host dies with everything on it.
  const address = addressOf(401);
  lab.proxmox.setHost('pve1', 'dead');
  await eventually(
    () => lab.guests.running().length,
    (count) => count === 0,
  );
  await expect(asked({ host: address, client: admin }, 'Version')).rejects.toThrow('ECONNREFUSED');
});

test('a VM that is deleted takes everything with it; the next one with its VMID begins anew', async () => {
  await aLab();
  await download('talos.qcow2', 'import');
  const disk = { scsi0: 'local-lvm:0,import-from=local:import/talos.qcow2', boot: 'order=scsi0' };
  await create(401, disk);
  await start(401);
  await apply(401);
  await booted(401);
  await work(api, 'POST', `${vm(401)}/status/stop`);
  await work(api, 'DELETE', vm(401));
  await create(401, disk);
  await start(401);
  await inStage(401, 'maintenance');
  expect(
    await resource({ host: addressOf(401) }, 'config', 'MachineConfigs.config.talos.dev', 'v1alpha1'),
  ).toBeUndefined();
});

test('everything in a lab is reached through its connector', async () => {
  lab = await startLab({ addresses: 'mapped', hosts: 2, durations: quick, talos: { durations: quickDurations } });
  for (const host of ['pve1', 'pve2']) {
    const socket = await lab.connector()({ host, port: 8006 }, AbortSignal.timeout(5000));
    socket.destroy();
  }
  await expect(lab.connector()({ host: '127.80.0.200', port: 50_000 }, AbortSignal.timeout(5000))).rejects.toThrow(
    'ECONNREFUSED 127.80.0.200:50000',
  );
});
