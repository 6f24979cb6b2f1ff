import type { ContentType } from '../storage.ts';

export type StorageType = 'dir' | 'lvmthin' | 'lvm' | 'zfspool' | 'nfs' | 'rbd';

/** What is true of every storage of a type. */
type StorageKind = {
  /** Volumes are files in folders; else devices, and nothing but disks. */
  readonly files: boolean;
  /** Every host sees the same volumes, whatever else is said. */
  readonly shared: boolean;
  readonly contents: readonly ContentType[];
  /** Where its definition names none. */
  readonly usualContents: readonly ContentType[];
  readonly formats: readonly string[];
  /** Disks are a multiple of this many bytes. */
  readonly grainBytes: number;
  /** How messages about its volume names call it. */
  readonly word: 'directory' | 'lvm' | 'zfs' | 'rbd';
  /** Given once, and never changed. */
  readonly fixed: readonly string[];
  readonly optional: readonly string[];
};

const MiB = 1024 * 1024;
const everyContent: readonly ContentType[] = ['images', 'rootdir', 'vztmpl', 'iso', 'backup', 'snippets', 'import'];
const disks: readonly ContentType[] = ['images', 'rootdir'];
const everywhere = ['nodes', 'disable', 'content', 'bwlimit'];
const ofFiles = [
  ...everywhere,
  'content-dirs',
  'prune-backups',
  'max-protected-backups',
  'format',
  'mkdir',
  'create-base-path',
  'create-subdirs',
  'preallocation',
];

export const storageKinds: Readonly<Record<StorageType, StorageKind>> = {
  dir: {
    files: true,
    shared: false,
    contents: everyContent,
    usualContents: disks,
    formats: ['qcow2', 'raw', 'subvol', 'vmdk'],
    grainBytes: 1,
    word: 'directory',
    fixed: ['path', 'snapshot-as-volume-chain'],
    optional: [...ofFiles, 'shared', 'is_mountpoint', 'snapshot-as-volume-chain'],
  },
  nfs: {
    files: true,
    shared: true,
    contents: everyContent,
    usualContents: ['images'],
    formats: ['qcow2', 'raw', 'vmdk'],
    grainBytes: 1,
    word: 'directory',
    fixed: ['path', 'server', 'export', 'snapshot-as-volume-chain'],
    optional: [...ofFiles, 'path', 'options', 'snapshot-as-volume-chain'],
  },
  lvm: {
    files: false,
    shared: false,
    contents: disks,
    usualContents: ['images'],
    formats: ['raw'],
    grainBytes: 4 * MiB,
    word: 'lvm',
    fixed: ['vgname', 'base'],
    optional: [
      ...everywhere,
      'shared',
      'saferemove',
      'saferemove-stepsize',
      'saferemove_throughput',
      'base',
      'tagged_only',
      'snapshot-as-volume-chain',
    ],
  },
  lvmthin: {
    files: false,
    shared: false,
    contents: disks,
    usualContents: disks,
    formats: ['raw'],
    grainBytes: 4 * MiB,
    word: 'lvm',
    fixed: ['thinpool', 'vgname'],
    optional: everywhere,
  },
  zfspool: {
    files: false,
    shared: false,
    contents: disks,
    usualContents: disks,
    formats: ['raw', 'subvol'],
    grainBytes: MiB,
    word: 'zfs',
    fixed: ['pool'],
    optional: [...everywhere, 'blocksize', 'sparse', 'mountpoint'],
  },
  rbd: {
    files: false,
    shared: true,
    contents: disks,
    usualContents: ['images'],
    formats: ['raw'],
    grainBytes: MiB,
    word: 'rbd',
    fixed: [],
    optional: [...everywhere, 'monhost', 'pool', 'data-pool', 'namespace', 'username', 'krbd', 'keyring'],
  },
};

export const isStorageType = (type: string): type is StorageType => Object.hasOwn(storageKinds, type);
