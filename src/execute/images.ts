import type { Image, ImageRequest } from '../model/observed.ts';
import { Problem } from '../model/problem.ts';
import { imageName } from '../talos/image-requests.ts';
import type { Provider } from '../providers/provider.ts';
import type { Handlers, Tools } from './tools.ts';

export const imageHandlers: Pick<Handlers, 'image.ensure'> = {
  'image.ensure': async ({ image, hosts, schematic }, tools, _, signal) => {
    const { reader, writer } = mustProvide(tools);
    const there = await reader.images(image, hosts, signal);
    const missing = hosts.filter((host) => !there.some((each) => each.host === host));
    keep(image, there, tools);
    if (missing.length === 0) return;
    // Nobody can have an image that its factory was not told of.
    if (schematic !== undefined) await tools.registerSchematic(schematic, signal);
    keep(image, await writer.ensureImage(image, missing, signal), tools);
  },
};

/** Where an image is on a host, also when another run brought it there. */
export async function imageOn(host: string, name: string, tools: Tools, signal: AbortSignal): Promise<Image> {
  const known = tools.found.images.get(name)?.get(host);
  if (known !== undefined) return known;
  const request = tools.material.images.find((each) => imageName(each) === name);
  const [there] = request === undefined ? [] : await mustProvide(tools).reader.images(request, [host], signal);
  if (request === undefined || there === undefined)
    throw new Problem('image-missing', `The image ${name} is not on ${host}.`, {
      recovery: 'wait',
      remedy: 'Run this again: it brings images where they are missing.\n    ichor up',
    });
  keep(request, [there], tools);
  return there;
}

function keep(request: ImageRequest, images: readonly Image[], { found }: Tools): void {
  const name = imageName(request);
  found.images.set(
    name,
    new Map([...(found.images.get(name) ?? []), ...images.map((each) => [each.host, each] as const)]),
  );
}

/** Steps about machines are planned only where somebody makes them. */
export function mustProvide({ provider }: Pick<Tools, 'provider'>): Provider {
  if (provider === undefined) throw new Error('There is nobody who makes machines.');
  return provider;
}
