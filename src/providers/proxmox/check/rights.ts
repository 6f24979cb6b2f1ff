import type { ImageRequest } from '../../provider.ts';
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
  images: readonly ImageRequest[],
): readonly Grant[] {
  const { pool, hosts, datastore, imageDatastore, bridge } = settings;
  const machines = pool === undefined ? '/vms' : `/pool/${pool}`;
  const fetches = images.some((image) => 'url' in image && image.download !== 'here');
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
    {
      role: 'ichor-disks',
      privileges: ['Datastore.AllocateSpace', 'Datastore.Audit'],
      paths: [`/storage/${datastore}`],
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
    { role: 'ichor-network', privileges: ['SDN.Use'], paths: [`/sdn/zones/localnetwork/${bridge}`] },
    { role: 'ichor-cluster', privileges: clusterRights(settings), paths: ['/'] },
    ...(settings.startup === undefined
      ? []
      : [{ role: 'ichor-startup', privileges: ['Sys.Modify'], paths: ['/'], optional: 'the start order is left out' }]),
    ...(fetches ? [fetching(version, hosts)] : []),
  ];
}

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
const fetching = (version: PveVersion, hosts: readonly string[]): Grant => ({
  role: 'ichor-download',
  ...(hasAccessNetwork(version)
    ? // What is given at a path takes the place of what comes from above.
      { privileges: ['Sys.AccessNetwork', 'Sys.Audit'], paths: hosts.map((host) => `/nodes/${host}`) }
    : { privileges: ['Sys.Audit', 'Sys.Modify'], paths: ['/'] }),
  optional: 'hosts fetch no images, and this machine uploads them',
});
