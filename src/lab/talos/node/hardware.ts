import { createHash } from 'node:crypto';
import type { DiskFacts } from '../config/rules/install.ts';
import type { TwinDisk, TwinDurations, TwinHardware, TwinOptions } from '../twin.ts';

/** About what a small virtual machine takes. */
export const usualDurations: TwinDurations = {
  boot: 8000,
  install: 20_000,
  reboot: 10_000,
  drain: 5000,
  drainTimeout: 360_000,
  podsEnd: 3000,
  shutdown: 5000,
  reset: 5000,
  etcdStart: 1500,
  etcdHealthy: 5000,
  learner: 18_000,
  kubelet: 3000,
  controlPlane: 15_000,
  staticPods: 10_000,
  nodeReady: 10_000,
  imagePull: 4000,
  upgrade: 15_000,
};

/** For tests: everything happens, nothing takes long. */
export const quickDurations: TwinDurations = {
  boot: 10,
  install: 30,
  reboot: 20,
  drain: 10,
  drainTimeout: 60,
  podsEnd: 10,
  shutdown: 10,
  reset: 10,
  etcdStart: 60,
  etcdHealthy: 20,
  learner: 40,
  kubelet: 20,
  controlPlane: 30,
  staticPods: 10,
  nodeReady: 20,
  imagePull: 10,
  upgrade: 20,
};

const gibibyte = 1024n ** 3n;

/** Two machines at two addresses are two machines: uuid, MAC and serial follow from the address. */
export function hardwareOf({ address, platform, hardware = {} }: TwinOptions): TwinHardware {
  const digest = createHash('sha256').update(`machine at ${address}`).digest('hex');
  const uuid = [digest.slice(0, 8), digest.slice(8, 12), `4${digest.slice(13, 16)}`, `a${digest.slice(17, 20)}`];
  const container = platform === 'container';
  return {
    uuid: [...uuid, digest.slice(20, 32)].join('-'),
    cpus: 4,
    memoryMiB: 8192,
    disks: container ? [] : [{ name: 'sda', sizeBytes: 40n * gibibyte, model: 'QEMU HARDDISK', serial: '' }],
    links: [{ name: 'eth0', mac: `bc:24:11:${digest.slice(32, 34)}:${digest.slice(34, 36)}:${digest.slice(36, 38)}` }],
    ...hardware,
  };
}

export const transportOf = ({ name, transport }: TwinDisk): string =>
  transport ?? (name.startsWith('nvme') ? 'nvme' : name.startsWith('vd') ? 'virtio' : 'sata');

export const busPathOf = (index: number): string =>
  `/pci0000:00/0000:00:05.0/virtio${index + 1}/host2/target2:0:${index}/2:0:${index}:0`;

/** What a selector can ask of a disk. */
export const diskFacts = (disk: TwinDisk, index: number): DiskFacts => ({
  path: `/dev/${disk.name}`,
  sizeBytes: disk.sizeBytes,
  model: disk.model,
  serial: disk.serial,
  transport: transportOf(disk),
  busPath: busPathOf(index),
  rotational: !disk.name.startsWith('nvme'),
  readonly: disk.cdrom === true,
  cdrom: disk.cdrom === true,
});

/** `talos-` and six characters that follow from who the node is. */
export function stableHostname(nodeId: string): string {
  const name = createHash('sha256').update(nodeId).digest().readBigUInt64BE(0).toString(36);
  return `talos-${name.slice(1, 4)}-${name.slice(4, 7)}`;
}
