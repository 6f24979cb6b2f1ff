import { request } from 'node:https';
import type { Lab } from './lab.ts';

/** A machine that is to stand in the lab’s data centre. */
export type MachineWish = {
  readonly name: string;
  readonly host: string;
  readonly vmid: number;
  readonly mac: string;
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly diskGiB: number;
  /** With the length of the prefix; absent: DHCP gives one. */
  readonly address?: { readonly cidr: string; readonly gateway: string };
};

type Door = { readonly endpoint: string; readonly ca: string; readonly token: string };
type Form = Readonly<Record<string, string>>;

const looksMs = 10;

/** Makes VMs with Talos on their disk and switches them on, by the API that everybody else uses. */
export async function makeMachines(
  { proxmox, factory }: Lab,
  talos: { readonly version: string; readonly extensions: readonly string[] },
  machines: readonly MachineWish[],
): Promise<void> {
  const [endpoint = ''] = proxmox.endpoints.values();
  const door = { endpoint, ca: proxmox.ca, token: proxmox.token('machines') };
  const made = await fetch(`${factory.url}/schematics`, {
    method: 'POST',
    body: JSON.stringify({
      customization: { systemExtensions: { officialExtensions: talos.extensions.map((each) => `siderolabs/${each}`) } },
    }),
  });
  const { id } = (await made.json()) as { readonly id: string };
  const filename = `talos-${talos.version}.qcow2`;
  await Promise.all(
    [...new Set(machines.map(({ host }) => host))].map((host) =>
      work(door, `/nodes/${host}/storage/local/download-url`, {
        url: `${factory.url}/image/${id}/${talos.version}/nocloud-amd64.qcow2`,
        content: 'import',
        filename,
      }),
    ),
  );
  await Promise.all(machines.map((machine) => make(door, machine, filename)));
}

async function make(door: Door, machine: MachineWish, image: string): Promise<void> {
  const { host, vmid, address } = machine;
  await work(door, `/nodes/${host}/qemu`, {
    vmid: String(vmid),
    name: machine.name,
    cores: String(machine.cpu),
    memory: String(machine.memoryMiB),
    agent: '1',
    scsihw: 'virtio-scsi-pci',
    scsi0: `local-lvm:0,import-from=local:import/${image}`,
    ide0: 'local-lvm:cloudinit',
    ipconfig0: address === undefined ? 'ip=dhcp' : `ip=${address.cidr},gw=${address.gateway}`,
    net0: `virtio=${machine.mac},bridge=vmbr0`,
    boot: 'order=scsi0',
  });
  await work(door, `/nodes/${host}/qemu/${vmid}/resize`, { disk: 'scsi0', size: `${machine.diskGiB}G` }, 'PUT');
  await work(door, `/nodes/${host}/qemu/${vmid}/status/start`, {});
}

/** A task, and its end. */
async function work(door: Door, path: string, form: Form, method = 'POST'): Promise<void> {
  const upid = String(await call(door, method, path, form));
  const [, node = ''] = upid.split(':');
  for (;;) {
    const { status, exitstatus } = (await call(
      door,
      'GET',
      `/nodes/${node}/tasks/${encodeURIComponent(upid)}/status`,
    )) as {
      readonly status: string;
      readonly exitstatus?: string;
    };
    if (status === 'stopped' && exitstatus === 'OK') return;
    if (status === 'stopped') throw new Error(`The lab could not ${method} ${path}: ${exitstatus}`);
    await new Promise((resolve) => setTimeout(resolve, looksMs));
  }
}

function call({ endpoint, ca, token }: Door, method: string, path: string, form: Form = {}): Promise<unknown> {
  const body = method === 'GET' ? undefined : new URLSearchParams(form).toString();
  return new Promise((resolve, reject) => {
    const sent = request(
      `${endpoint}/api2/json${path}`,
      {
        method,
        ca,
        headers: {
          authorization: `PVEAPIToken=${token}`,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () => {
          if (response.statusCode === 200) resolve((JSON.parse(text) as { data: unknown }).data);
          else reject(new Error(`The lab refused ${method} ${path}: ${response.statusCode} ${response.statusMessage}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
