import { versionOfImage } from '../../talos/node/disk.ts';
import type { SystemImage, TwinPlatform } from '../../talos/twin.ts';

/** Extensions of a schematic; undefined: nobody knows it. */
export type SchematicExtensions = (id: string) => readonly string[] | undefined;

/**
 * What an installer leaves on the disk. One of the factory’s has a platform and a schematic in its name. The plain one is made
 * for metal and carries no extensions: what the platform says, and the guest agent, are lost with it.
 */
export function installerImage(
  reference: string,
  running: SystemImage,
  extensionsOf: SchematicExtensions,
): SystemImage {
  const version = versionOfImage(reference) ?? running.version;
  const [, named, schematic] = /\/(?:([a-z]+)-)?installer(?:-secureboot)?\/([0-9a-f]{64})[:@]/.exec(reference) ?? [];
  if (schematic === undefined) return { version, platform: plainPlatform(version, running), extensions: [] };
  const extensions = schematic === running.schematic ? running.extensions : (extensionsOf(schematic) ?? []);
  return { version, platform: platformOf(named) ?? plainPlatform(version, running), schematic, extensions };
}

const platformOf = (name: string | undefined): TwinPlatform | undefined =>
  name === 'nocloud' || name === 'openstack' || name === 'metal' ? name : undefined;

/** Before 1.10 an installer wrote the kernel’s command line itself, and kept the platform. */
const plainPlatform = (version: string, running: SystemImage): TwinPlatform =>
  Number(/^v\d+\.(\d+)/.exec(version)?.[1] ?? 0) >= 10 ? 'metal' : running.platform;
