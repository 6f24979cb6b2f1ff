import { Problem } from '../../model/problem.ts';
import { formatVersion, type Version } from '../../model/version.ts';
import { extensionsFor, imagePlatformOf, installs, schematicFor } from '../boot-image.ts';
import { installerImage } from '../images.ts';
import { installDiskOf } from './disks.ts';
import type { Install, InstallDisk } from './intent.ts';
import type { ConfigRequest, Group, NodeSettings } from './request.ts';

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
      schematic: schematicOf(request, group),
      version: formatVersion(version),
      platform: imagePlatformOf(platform),
      architecture: image.architecture,
      secureBoot,
    }),
    disk: installs(platform) ? knownTo(version, installDiskOf(platform.provider, group, node)) : undefined,
  };
}

/** Another factory may know the schematic by another id. */
function schematicOf({ platform, schematicOf: idOf }: ConfigRequest, group: Group | undefined): string {
  const { image, extensions } = platform.cluster.talos;
  return image.schematic ?? idOf?.(extensionsFor(extensions, group)) ?? schematicFor(platform, group);
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
