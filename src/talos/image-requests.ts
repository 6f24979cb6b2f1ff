import type { Machine } from '../model/machine.ts';
import type { ImageRequest } from '../model/observed.ts';
import type { Schematic } from '../model/step.ts';
import type { Platform } from '../spec/platform.ts';
import { bootImageOf, extensionsFor, likeBootImage, schematicFor, type BootImage } from './boot-image.ts';
import { groupOf } from './config/request.ts';
import { schematicId, schematicText } from './schematic/schematic.ts';

/** What a machine starts from, as its provider is asked for it. */
export const imageRequestFor = (platform: Platform, machine: Pick<Machine, 'role' | 'pool'>): ImageRequest =>
  asked(platform, bootImageOf(platform, machine));

/** Every image that machines of the file start from, each once. */
export function imageRequestsOf(platform: Platform): readonly ImageRequest[] {
  const requests = platform.machines.map((machine) => imageRequestFor(platform, machine));
  return [...new Map(requests.map((request) => [imageName(request), request])).values()];
}

/** What the factory must hear of; it knows the plain image, and what somebody names by id. */
export function schematicOf(platform: Platform, machine: Pick<Machine, 'role' | 'pool'>): Schematic | undefined {
  const { image, extensions, kernelArgs } = platform.cluster.talos;
  if (image.schematic !== undefined) return undefined;
  const group = groupOf(platform, machine);
  const content = { extensions: extensionsFor(extensions, group), extraKernelArgs: kernelArgs };
  const id = schematicFor(platform, group);
  return id === schematicId({}) ? undefined : { factory: image.factory, id, text: schematicText(content) };
}

/** The same for all machines of a file, each once. */
export function schematicsOf(platform: Platform): readonly Schematic[] {
  const groups = new Map(platform.machines.map((machine) => [groupOf(platform, machine), machine]));
  const all = [...groups.values()].flatMap((machine) => schematicOf(platform, machine) ?? []);
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

/** What an image is known by: its name, or where somebody put it. */
export const imageName = (image: ImageRequest): string => ('volume' in image ? image.volume : image.name);

/** What shows whether hosts can have the images of a platform. */
export const sampleImage = (platform: Platform): ImageRequest => asked(platform, likeBootImage(platform));

function asked(platform: Platform, image: BootImage): ImageRequest {
  if ('volume' in image) return image;
  const { checksum, download } = platform.cluster.talos.image;
  return { ...image, checksum, download, datastore: imageDatastore(platform) };
}

const imageDatastore = ({ provider }: Platform): string =>
  provider.kind === 'proxmox' ? provider.imageDatastore : provider.kind === 'libvirt' ? provider.pool.name : '';
