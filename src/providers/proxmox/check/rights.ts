import type { Needs } from '../../provider.ts';
import type { ProxmoxSettings } from '../settings.ts';
import { hasAccessNetwork, hasRules, type PveVersion } from '../version.ts';

/** A role: what it may, where, and what for. */
export type Grant = {
  readonly role: string;
  readonly privileges: readonly string[];
  readonly paths: readonly string[];
  /** Elsewhere these rights count as well. */
  readonly or?: string;
  /** Without them ichor goes on, and does less. */
  readonly optional?: string;
};

/** The rights that a file needs, by version. */
export function grantsFor(
  settings: ProxmoxSettings,
  version: PveVersion,
  needs: Needs,
  /** Path of the right on the bridge. */
  network: string,
): readonly Grant[] {
  const { pool, hosts, imageDatastore } = settings;
  const machines = pool === undefined ? '/vms' : `/pool/${pool}`;
  return [
    {
      role: 'ichor-machines',
      privileges: [
        ...machineRights,
        hasRules(version) ? 'VM.GuestAgent.Audit' : 'VM.Monitor',
        ...(pool === undefined ? [] : ['Pool.Audit']),
      ],
      paths: [machines],
      ...(pool === undefined ? {} : { or: '/vms' }),
    },
    ...(pool === undefined ? [] : [seeingAll]),
    {
      role: 'ichor-disks',
      privileges: ['Datastore.AllocateSpace', 'Datastore.Audit'],
      paths: datastoresOf(settings, needs).map((datastore) => `/storage/${datastore}`),
    },
    {
      role: 'ichor-images',
      privileges: ['Datastore.AllocateTemplate', 'Datastore.Audit'],
      paths: [`/storage/${imageDatastore}`],
    },
    {
      role: 'ichor-image-removal',
      privileges: ['Datastore.Allocate'],
      paths: [`/storage/${imageDatastore}`],
      optional: 'media with first configurations stay on the datastore',
    },
    { role: 'ichor-network', privileges: ['SDN.Use'], paths: [network] },
    { role: 'ichor-cluster', privileges: clusterRights(settings), paths: ['/'] },
    ...(settings.startup === undefined
      ? []
      : [{ role: 'ichor-startup', privileges: ['Sys.Modify'], paths: ['/'], optional: 'the start order is left out' }]),
    { role: 'ichor-hosts', privileges: ['Sys.Audit'], paths: hosts.map((host) => `/nodes/${host}`) },
    ...fetching(version, hosts, needs),
  ];
}

/** Where disks of machines come to lie; without any machines, where they would. */
export const datastoresOf = ({ datastore }: ProxmoxSettings, { datastores }: Needs): readonly string[] =>
  datastores.length === 0 ? [datastore] : [...new Set(datastores)].toSorted();

/** Whoever only sees a pool takes hosts for emptier than they are. */
const seeingAll: Grant = {
  role: 'ichor-sight',
  privileges: ['VM.Audit'],
  paths: ['/vms'],
  optional: 'machines of others are not seen, so that hosts look emptier than they are and VMIDs free that are not',
};

const machineRights = [
  'VM.Allocate',
  'VM.Audit',
  'VM.Config.CDROM',
  'VM.Config.CPU',
  'VM.Config.Cloudinit',
  'VM.Config.Disk',
  'VM.Config.HWType',
  'VM.Config.Memory',
  'VM.Config.Network',
  'VM.Config.Options',
  'VM.PowerMgmt',
];

const clusterRights = ({ antiAffinity, firewall }: ProxmoxSettings): readonly string[] => [
  'Sys.Audit',
  ...(antiAffinity ? ['Sys.Console'] : []),
  ...(firewall ? ['Sys.Modify'] : []),
];

/** Before 8.2 only who may change everything could make a host fetch something. */
function fetching(version: PveVersion, hosts: readonly string[], { images }: Needs): readonly Grant[] {
  const ways = images.flatMap((image) => ('url' in image ? [image.download] : []));
  if (ways.every((way) => way === 'here')) return [];
  const right = hasAccessNetwork(version)
    ? { privileges: ['Sys.AccessNetwork'], paths: hosts.map((host) => `/nodes/${host}`) }
    : { privileges: ['Sys.Audit', 'Sys.Modify'], paths: ['/'] };
  const without = 'hosts fetch no images, and this machine uploads them';
  return [{ role: 'ichor-download', ...right, ...(ways.includes('host') ? {} : { optional: without }) }];
}
