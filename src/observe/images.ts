import type { ImageRequest } from '../model/observed.ts';
import { known, unknown, type Seen } from '../model/seen.ts';
import type { MachineReader, Survey } from '../providers/provider.ts';
import type { Platform } from '../spec/platform.ts';
import { imageName, imageRequestsOf } from '../talos/image-requests.ts';
import { becauseOf } from './failure.ts';

/** Which hosts have the images that machines of the file start from. */
export async function lookAtImages(
  platform: Platform,
  reader: MachineReader,
  { inventory }: Survey,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Seen<readonly string[]>>> {
  const hosts = hostsOf(platform, inventory.hosts);
  const looks = imageRequestsOf(platform).map(
    async (image) => [imageName(image), await whoHas(image, hosts, reader, signal)] as const,
  );
  return new Map(await Promise.all(looks));
}

async function whoHas(
  image: ImageRequest,
  hosts: readonly string[],
  reader: MachineReader,
  signal: AbortSignal,
): Promise<Seen<readonly string[]>> {
  try {
    const images = await reader.images(image, hosts, signal);
    return known(images.map(({ host }) => host).toSorted());
  } catch (error) {
    return unknown(becauseOf(error, signal));
  }
}

/** Those of the file that answer. */
function hostsOf({ provider }: Platform, measured: readonly { readonly name: string }[]): readonly string[] {
  const names = measured.map(({ name }) => name);
  return provider.kind === 'proxmox' ? names.filter((name) => provider.hosts.includes(name)) : names;
}
