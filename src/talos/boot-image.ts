import type { Machine } from '../model/machine.ts';
import type { Platform } from '../spec/platform.ts';
import { groupOf, type Group } from './config/request.ts';
import { diskImageUrl, isoUrl, type ImagePlatform, type ImageRequest } from './images.ts';
import { schematicId } from './schematic/schematic.ts';

/** What the machines’ Talos images are made for; an installer of another one would lose what the platform tells. */
export function imagePlatformOf({ provider, cluster }: Platform): ImagePlatform {
  if (provider.kind === 'openstack') return 'openstack';
  if (provider.kind === 'existing') return 'metal';
  const { iso } = cluster.talos.image;
  if (iso !== undefined) return iso.includes('nocloud') ? 'nocloud' : 'metal';
  return 'nocloud';
}

/** Whether Talos is installed to a disk first: not where the machine's disk was made from an image. */
export function installs({ provider, cluster }: Platform): boolean {
  const { boot, iso } = cluster.talos.image;
  return (boot ?? (iso === undefined && provider.kind !== 'existing' ? 'disk' : 'iso')) === 'iso';
}

/** What is in the image of a group: the extensions of the cluster and its own. Hundreds of machines ask for the same few. */
export function schematicFor({ cluster: { talos } }: Platform, group: Group | undefined): string {
  const { extensions, kernelArgs, image } = talos;
  if (image.schematic !== undefined) return image.schematic;
  const known = schematics.get(talos) ?? new Map<Group | undefined, string>();
  schematics.set(talos, known);
  const id =
    known.get(group) ?? schematicId({ extensions: extensionsFor(extensions, group), extraKernelArgs: kernelArgs });
  known.set(group, id);
  return id;
}

const schematics = new WeakMap<Platform['cluster']['talos'], Map<Group | undefined, string>>();

export const extensionsFor = (extensions: readonly string[], group: Group | undefined): readonly string[] => [
  ...new Set([...extensions, ...(group?.extensions ?? [])]),
];

/** What a machine starts from: a file of the Image Factory, or a medium that somebody put on a storage. */
export type BootImage =
  | {
      readonly kind: 'disk' | 'iso';
      readonly url: string;
      /** Version and schematic are in it: the same name is the same content. */
      readonly name: string;
    }
  | { readonly kind: 'iso'; readonly volume: string };

export const bootImageOf = (platform: Platform, machine: Pick<Machine, 'role' | 'pool'>): BootImage =>
  imageWith(platform, schematicFor(platform, groupOf(platform, machine)));

/**
 * An image of the same version and kind that a factory has without being told about: it shows whether the machines’ own can be
 * had, before anybody has told it what is in those.
 */
export const likeBootImage = (platform: Platform): BootImage =>
  imageWith(platform, platform.cluster.talos.image.schematic ?? schematicId({}));

function imageWith(platform: Platform, schematic: string): BootImage {
  const { image, version, secureBoot } = platform.cluster.talos;
  if (image.iso !== undefined) return { kind: 'iso', volume: image.iso };
  const request: ImageRequest = {
    factory: image.factory,
    schematic,
    version,
    platform: imagePlatformOf(platform),
    architecture: image.architecture,
    secureBoot,
  };
  const kind = installs(platform) ? 'iso' : 'disk';
  const url = kind === 'iso' ? isoUrl(request) : diskImageUrl(request, 'qcow2');
  const file = url.slice(url.lastIndexOf('/') + 1);
  return { kind, url, name: `talos-${version}-${schematic.slice(0, 16)}-${file}` };
}
