import { Problem } from '../../model/problem.ts';
import { formatVersion, type Version } from '../../model/version.ts';
import type { Platform } from '../../spec/platform.ts';
import { installerImage, type ImagePlatform } from '../images.ts';
import { schematicId } from '../schematic/schematic.ts';
import { installDiskOf } from './disks.ts';
import type { Install, InstallDisk } from './intent.ts';
import type { ConfigRequest, Group, NodeSettings } from './request.ts';

/** What the machines’ Talos images are made for; an installer of another one would lose what the platform tells. */
function imagePlatformOf({ provider, cluster }: Platform): ImagePlatform {
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
  request: ConfigRequest,
  version: Version,
  group: Group | undefined,
  node: NodeSettings | undefined,
): Install {
  const { platform } = request;
  const { secureBoot, image } = platform.cluster.talos;
  return {
    image: installerImage({
      factory: image.factory,
      schematic: image.schematic ?? schematicFor(request, group),
      version: formatVersion(version),
      platform: imagePlatformOf(platform),
      architecture: image.architecture,
      secureBoot,
    }),
    disk: installs(platform) ? knownTo(version, installDiskOf(platform.provider, group, node)) : undefined,
  };
}

function schematicFor({ platform, schematicOf }: ConfigRequest, group: Group | undefined): string {
  const { extensions, kernelArgs } = platform.cluster.talos;
  const all = [...new Set([...extensions, ...(group?.extensions ?? [])])];
  return schematicOf?.(all) ?? schematicId({ extensions: all, extraKernelArgs: kernelArgs });
}

/** The first two releases of 1.9 look for a field that disks do not have, and refuse the whole configuration. */
function knownTo({ minor, patch }: Version, disk: InstallDisk): InstallDisk {
  const broken = minor === 9 && patch < 2 && disk.kind === 'selector' && disk.selector.busPath !== undefined;
  if (!broken) return disk;
  throw new Problem('bus-path-unknown', 'Talos 1.9.0 and 1.9.1 cannot look for a disk by its bus path.', {
    path: 'cluster.talos.version',
    remedy: 'Use Talos 1.9.2 or later, or select the disk by something else.',
  });
}
