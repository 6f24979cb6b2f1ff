import { createHash } from 'node:crypto';
import type { ContentType } from '../storage.ts';
import type { StorageOptions } from '../twin.ts';
import { storageKinds, type StorageType } from './kinds.ts';

/** A section of storage.cfg. */
export type StorageDefinition = {
  readonly id: string;
  readonly type: StorageType;
  /** As the file has them, in the order of its lines; `content` is a list with commas. */
  readonly properties: ReadonlyMap<string, string>;
};

export const contentsOf = ({ type, properties }: StorageDefinition): readonly ContentType[] => {
  const given = properties.get('content');
  if (given === undefined) return storageKinds[type].usualContents;
  return given.split(',').filter((each): each is ContentType => each !== 'none' && each !== '');
};

/** Undefined: every host has it. */
const hostsOf = ({ properties }: StorageDefinition): readonly string[] | undefined =>
  properties.get('nodes')?.split(',');

export const isShared = ({ type, properties }: StorageDefinition): boolean =>
  storageKinds[type].shared || properties.get('shared') === '1';

export const isDisabled = ({ properties }: StorageDefinition): boolean => properties.get('disable') === '1';

export const isOn = (definition: StorageDefinition, host: string): boolean =>
  hostsOf(definition)?.includes(host) !== false;

/** Only what was written takes room; else everything that was promised. */
export const isThin = ({ type, properties }: StorageDefinition): boolean =>
  type === 'lvm' ? false : type === 'zfspool' ? properties.get('sparse') === '1' : true;

/** Where its files or devices are. */
export function rootOf({ id, type, properties }: StorageDefinition): string {
  const pool = properties.get('pool') ?? 'rbd';
  switch (type) {
    case 'dir':
      return properties.get('path') ?? `/mnt/${id}`;
    case 'nfs':
      return properties.get('path') ?? `/mnt/pve/${id}`;
    case 'lvm':
    case 'lvmthin':
      return `/dev/${properties.get('vgname')}`;
    case 'zfspool':
      return `/dev/zvol/${pool}`;
    case 'rbd':
      return `rbd:${pool}`;
  }
}

/** A definition as an installer, or whoever set up the lab, would have written it. */
export function definitionOf({ id, type = 'dir', content, shared, hosts, path }: StorageOptions): StorageDefinition {
  const properties = new Map<string, string>([
    ...usualProperties(id, type, path),
    ['content', content.length === 0 ? 'none' : content.join(',')],
  ]);
  if (hosts !== undefined) properties.set('nodes', hosts.join(','));
  if (shared === true && !storageKinds[type].shared) properties.set('shared', '1');
  return { id, type, properties };
}

function usualProperties(id: string, type: StorageType, path: string | undefined): [string, string][] {
  switch (type) {
    case 'dir':
      return [['path', path ?? (id === 'local' ? '/var/lib/vz' : `/mnt/${id}`)]];
    case 'nfs':
      return [
        ['export', `/export/${id}`],
        ['path', path ?? `/mnt/pve/${id}`],
        ['server', '192.0.2.1'],
      ];
    case 'lvm':
      return [['vgname', id]];
    case 'lvmthin':
      return [
        ['thinpool', 'data'],
        ['vgname', id === 'local-lvm' ? 'pve' : id],
      ];
    case 'zfspool':
      return [
        ['pool', id === 'local-zfs' ? 'rpool/data' : id],
        ['sparse', '1'],
      ];
    case 'rbd':
      return [['pool', id]];
  }
}

/** storage.cfg, whose hash everybody sees as its digest. */
export const storageFile = (definitions: Iterable<StorageDefinition>): string =>
  [...definitions]
    .map(({ id, type, properties }) =>
      [`${type}: ${id}\n`, ...[...properties].map(([key, value]) => `\t${key} ${value}\n`)].join(''),
    )
    .join('\n');

export const digestOf = (text: string): string => createHash('sha1').update(text).digest('hex');
