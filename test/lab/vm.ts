import type { Guests } from '../../src/lab/proxmox/guest/guests.ts';
import type { CloudInit, Guest, GuestAgent, VirtualDrive, VirtualHardware } from '../../src/lab/proxmox/guest.ts';
import type { Volume, Written } from '../../src/lab/proxmox/storage.ts';
import { writeTalosMarker } from '../../src/lab/factory/marker.ts';

const GiB = 1024 ** 3;

/** A volume with nothing but what the test says is on it. */
export const volume = (
  given: Partial<Omit<Volume, 'written'>> & { readonly written?: Partial<Written> } = {},
): Volume => ({
  storage: 'local-lvm',
  host: 'pve1',
  name: 'vm-100-disk-0',
  content: 'images',
  format: 'raw',
  bytes: 20 * GiB,
  fileBytes: 20 * GiB,
  vmid: 100,
  ctime: 0,
  ...given,
  written: { head: undefined, fileName: undefined, state: new Map(), ...given.written },
});

export const schematic = 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515';

/** An image as the lab’s factory builds it. */
export const talosImage = (
  given: { readonly version?: string; readonly platform?: string; readonly extensions?: readonly string[] } = {},
): Partial<Written> => ({
  head: writeTalosMarker({
    version: given.version ?? 'v1.13.9',
    platform: given.platform ?? 'nocloud',
    schematic,
    extensions: given.extensions ?? ['siderolabs/qemu-guest-agent'],
    arch: 'amd64',
    secureboot: false,
  }),
  fileName: 'talos.img',
});

export const disk = (slot: string, from: Volume | undefined, more: Partial<VirtualDrive> = {}): VirtualDrive => ({
  slot,
  kind: 'disk',
  volume: from,
  serial: undefined,
  bootable: true,
  ...more,
});

export const cdrom = (slot: string, from: Volume | undefined, more: Partial<VirtualDrive> = {}): VirtualDrive =>
  disk(slot, from, { kind: 'cdrom', ...more });

/** The drive that Proxmox writes. */
export const cloudInitDrive = (slot = 'ide0'): VirtualDrive =>
  cdrom(slot, volume({ name: 'vm-100-cloudinit', bytes: 4 * 1024 ** 2 }), { bootable: false });

let vmids = 100;

export type TestVm = {
  readonly vmid: number;
  readonly hardware: VirtualHardware;
  /** What the guest told its VM. */
  readonly told: string[];
  readonly guest: () => Guest;
  readonly agent: () => GuestAgent | undefined;
  start(change?: Partial<VirtualHardware>): void;
  stop(): Promise<void>;
};

/** A VM without a Proxmox around it. */
export function aVm(guests: Guests, given: Partial<VirtualHardware> & { readonly cloudInit?: CloudInit }): TestVm {
  const vmid = vmids++;
  const hardware: VirtualHardware = {
    vmid,
    name: `vm-${vmid}`,
    host: 'pve1',
    uuid: `00000000-0000-4000-8000-${String(vmid).padStart(12, '0')}`,
    cpus: 4,
    memoryMiB: 4096,
    nics: [{ slot: 'net0', mac: macOf(vmid), bridge: 'vmbr0', tag: undefined }],
    drives: [],
    cloudInit: undefined,
    agentChannel: true,
    ...given,
  };
  const told: string[] = [];
  let guest: Guest | undefined;
  const on = (): Guest => {
    if (guest === undefined) throw new Error('The VM is off.');
    return guest;
  };
  return {
    vmid,
    hardware,
    told,
    guest: on,
    agent: () => on().agent(),
    start: (change = {}) => {
      guest = guests.factory(
        { ...hardware, ...change },
        { off: () => void told.push('off'), rebooted: () => void told.push('rebooted') },
      );
    },
    stop: async () => {
      await guest?.cut();
      guest = undefined;
    },
  };
}

export const macOf = (vmid: number): string =>
  `BC:24:11:00:00:${(vmid % 256).toString(16).toUpperCase().padStart(2, '0')}`;

/** The network configuration that Proxmox writes for one card with a fixed address. */
export const fixedAddress = (mac: string, cidr: string, gateway: string, hostname = 'from-cloud-init'): CloudInit => ({
  userData: `#cloud-config\nhostname: ${hostname}\nmanage_etc_hosts: true\n`,
  metaData: 'instance-id: 5f2b\n',
  networkConfig: [
    'version: 1',
    'config:',
    '    - type: physical',
    '      name: eth0',
    `      mac_address: '${mac.toLowerCase()}'`,
    '      subnets:',
    '      - type: static',
    `        address: '${cidr.split('/')[0] ?? ''}'`,
    "        netmask: '255.255.255.128'",
    `        gateway: '${gateway}'`,
    '    - type: nameserver',
    '      address:',
    "      - '9.9.9.9'",
    '      search:',
    "      - 'example.org'",
    '',
  ].join('\n'),
});
