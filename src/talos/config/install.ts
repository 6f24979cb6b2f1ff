import type { Platform } from '../../spec/platform.ts';
import { installDiskOf } from './disks.ts';
import type { Install } from './intent.ts';
import type { ConfigRequest, Group, NodeSettings } from './request.ts';

export type ImagePlatform = 'metal' | 'nocloud' | 'openstack';

/** What the machines’ Talos images are made for; an installer of another one would lose what the platform tells. */
export function imagePlatformOf({ provider, cluster }: Platform): ImagePlatform {
  if (provider.kind === 'openstack') return 'openstack';
  if (provider.kind === 'existing') return 'metal';
  const { iso } = cluster.talos.image;
  if (iso !== undefined) return iso.includes('nocloud') ? 'nocloud' : 'metal';
  return 'nocloud';
}

/** Whether Talos is installed to a disk first: not where the machine's disk was made from an image. */
function installs({ provider, cluster }: Platform): boolean {
  const { boot, iso } = cluster.talos.image;
  return (boot ?? (iso === undefined && provider.kind !== 'existing' ? 'disk' : 'iso')) === 'iso';
}

export function installOf(
  { platform, schematicOf }: ConfigRequest,
  version: string,
  group: Group | undefined,
  node: NodeSettings | undefined,
): Install {
  const { talos } = platform.cluster;
  const { schematic, factory } = talos.image;
  const id = schematic ?? schematicOf([...new Set([...talos.extensions, ...(group?.extensions ?? [])])]);
  const installer = `${imagePlatformOf(platform)}-installer${talos.secureBoot ? '-secureboot' : ''}`;
  return {
    image: `${registryOf(factory)}/${installer}/${id}:${version}`,
    disk: installs(platform) ? installDiskOf(platform.provider, group, node) : undefined,
  };
}

/** The Image Factory serves installers as container images of the same name. */
const registryOf = (factory: string): string => factory.replace(/^https?:\/\//, '').replace(/\/+$/, '');
