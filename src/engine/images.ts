import type { ImageRequest } from '../providers/provider.ts';
import type { Platform } from '../spec/platform.ts';
import { likeBootImage, type BootImage } from '../talos/boot-image.ts';

/** What shows whether hosts can have the images of a platform. */
export const sampleImage = (platform: Platform): ImageRequest => asked(platform, likeBootImage(platform));

/** An image as its provider is asked for it. */
function asked(platform: Platform, image: BootImage): ImageRequest {
  if ('volume' in image) return image;
  const { checksum, download } = platform.cluster.talos.image;
  return { ...image, checksum, download, datastore: imageDatastore(platform) };
}

const imageDatastore = ({ provider }: Platform): string =>
  provider.kind === 'proxmox' ? provider.imageDatastore : provider.kind === 'libvirt' ? provider.pool.name : '';
