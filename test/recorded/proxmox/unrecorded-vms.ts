import type { Mishap, Pause, Unrecorded } from './happened.ts';

const token = 'token root@pam!full';
const vms = '/nodes/pve1/qemu';
type Form = Readonly<Record<string, string | number>>;

const create = (before: number, form: Form, task?: string): Unrecorded => ({
  before,
  method: 'POST',
  path: vms,
  form,
  auth: token,
  waits: true,
  ...(task === undefined ? {} : { task: `UPID:pve1:${task}:qmcreate:${form['vmid']}:root@pam!full:` }),
});
const change = (before: number, vmid: number, form: Form): Unrecorded => ({
  before,
  method: 'PUT',
  path: `${vms}/${vmid}/config`,
  form,
});
const destroy = (before: number, vmid: number): Unrecorded => ({
  before,
  method: 'DELETE',
  path: `${vms}/${vmid}`,
  waits: true,
});
const load = (before: number, filename: string): Unrecorded => ({
  before,
  method: 'POST',
  path: '/nodes/pve1/storage/local/download-url',
  form: { url: `http://127.0.0.1:8099/${filename}`, content: 'import', filename },
  waits: true,
});

const agentVm = {
  vmid: 110,
  name: 'agent-vm',
  memory: 384,
  cores: 1,
  cpu: 'x86-64-v2-AES',
  machine: 'q35',
  scsihw: 'virtio-scsi-single',
  scsi0: 'local-lvm:1,discard=on,iothread=1,ssd=1',
  ide2: 'local:iso/agent.iso,media=cdrom',
  net0: 'virtio=BC:24:11:AA:BB:10,bridge=vmbr0',
  agent: 'enabled=1',
  serial0: 'socket',
  ostype: 'l26',
  tags: 'agent',
  boot: 'order=scsi0;ide2',
};
const small = { memory: 64, scsi0: 'local-lvm:1' };

export const unrecordedOfVms: readonly Unrecorded[] = [
  {
    before: 330,
    method: 'DELETE',
    path: '/nodes/pve1/tasks/UPID:pve1:00000565:00050566:6AFA3A70:qmcreate:102:root@pam!full:',
  },
  destroy(428, 199),
  create(766, agentVm, '00000AB1:00053A0B:6AFA3AF7'),
  change(864, 110, { ide2: 'local:iso/agent.iso,media=cdrom' }),
  {
    before: 889,
    method: 'POST',
    path: `${vms}/110/status/reboot`,
    form: { timeout: 60 },
    auth: token,
    task: 'UPID:pve1:00000BD9:000562A7:6AFA3B5F:qmreboot:110:root@pam!full:',
    waits: true,
  },
  create(893, { vmid: 104, name: 'blank', agent: 1, ...small }, '00000E31:0005CF5E:6AFA3C75'),
  {
    before: 895,
    method: 'POST',
    path: `${vms}/103/config`,
    form: { memory: 64 },
    auth: token,
    task: 'UPID:pve1:00000E3B:0005CF86:6AFA3C76:qmconfig:103:root@pam!full:',
  },
  change(956, 110, { agent: 0 }),
  create(
    1001,
    { vmid: 105, bios: 'ovmf', machine: 'q35', scsihw: 'virtio-scsi-pci', memory: 64, scsi0: 'local-lvm:1,iothread=1' },
    '0000108D:00062929:6AFA3D5B',
  ),
  create(1007, { vmid: 106, memory: 64, cores: 4 }, '000010A6:00062A37:6AFA3D5E'),
  change(1012, 106, { cores: 1, memory: 9_999_999 }),
  change(1015, 106, { memory: 64, net0: 'virtio,bridge=vmbr9' }),
  change(1018, 106, { delete: 'net0', cpu: 'EPYC-Genoa' }),
  change(1022, 106, { delete: 'machine', ide2: 'local:iso/up2.iso,media=cdrom' }),
  change(1098, 105, { lock: 'create' }),
  load(1548, 'big.raw'),
  { before: 1606, method: 'DELETE', path: '/nodes/pve1/qemu/130?skiplock=1', waits: true },
  change(1749, 104, { delete: 'lock', skiplock: 1 }),
  load(1788, 'mid.raw'),
  create(1812, { vmid: 180, ...small }, '00001B70:0008A490:6AFA43B6'),
  create(1874, { vmid: 181, ...small }, '00001C63:0008BD58:6AFA43F5'),
  create(1887, { vmid: 181, ...small }, '00001C96:0008BDFB:6AFA43F7'),
  create(1895, { vmid: 181, ...small }, '00001CC1:0008BE64:6AFA43F8'),
  create(1903, { vmid: 181, ...small }, '00001CF6:0008BF6B:6AFA43FB'),
  create(1911, { vmid: 181, ...small }, '00001D26:0008BFF8:6AFA43FC'),
  create(1565, { vmid: 140, name: 'first-name', memory: 64, tags: 't1' }, '00001562:00072EBC:6AFA3FF9'),
  create(1572, { vmid: 140, name: 'second-name', memory: 128 }, '0000157D:00073109:6AFA3FFF'),
  { before: 1577, method: 'POST', path: `${vms}/140/status/stop`, waits: true },
  // VM 140: a disk whose file is gone, one in use, and one that no configuration names.
  change(1581, 140, { scsi0: 'local-lvm:1' }),
  change(1581, 140, { delete: 'scsi0' }),
  change(1581, 140, { scsi0: 'local-lvm:1' }),
  {
    before: 1581,
    method: 'DELETE',
    path: '/nodes/pve1/storage/local-lvm/content/140%2Fvm-140-disk-0.raw',
    waits: true,
  },
  {
    before: 1581,
    method: 'POST',
    path: '/nodes/pve1/storage/local-lvm/content',
    form: { vmid: 140, filename: 'vm-140-disk-7.raw', size: '1M', format: 'raw' },
  },
  create(1587, { vmid: 140, ...small }, '000015F7:000738DF:6AFA4013'),
  create(1593, { vmid: 140, memory: 64 }, '00001611:0007393F:6AFA4014'),
];

/** Guests take a while to come up. */
export const pauses: readonly Pause[] = [
  { before: 794, seconds: 90 },
  { before: 889, seconds: 90 },
  { before: 945, seconds: 90 },
  { before: 952, seconds: 90 },
  { before: 959, seconds: 5 },
  { before: 962, seconds: 90 },
  { before: 1005, seconds: 5 },
  { before: 1064, seconds: 5 },
  { before: 1095, seconds: 5 },
  { before: 1130, seconds: 5 },
  { before: 1379, seconds: 5 },
  { before: 1622, seconds: 1.2, unhurried: true },
  { before: 1665, seconds: 400 },
];

export const mishaps: readonly Mishap[] = [
  { before: 1606, fault: { kind: 'kill-task', match: 'POST /nodes/*/qemu', times: 1 } },
];
