/** What an image is made for: what it reads its settings from, and how its links are called. */
export type ImagePlatform = 'metal' | 'nocloud' | 'openstack';

type Architecture = 'amd64' | 'arm64';

export type ImageRequest = {
  /** https://factory.talos.dev, or a factory of one’s own. */
  readonly factory: string;
  readonly schematic: string;
  /** v1.13.9 */
  readonly version: string;
  readonly platform: ImagePlatform;
  readonly architecture: Architecture;
  readonly secureBoot: boolean;
};

export type DiskFormat = 'raw' | 'raw.xz' | 'raw.zst' | 'raw.gz' | 'qcow2';

export const isoUrl = (request: ImageRequest): string => `${fileUrl(request)}.iso`;

/** As compressed as every factory keeps it, unless another form is asked for. */
export const diskImageUrl = (
  request: ImageRequest,
  format: DiskFormat = request.platform === 'metal' ? 'raw.zst' : 'raw.xz',
): string => `${fileUrl(request)}.${format}`;

/** The image that puts Talos on a disk, and that an upgrade names: of another platform it would lose what this one tells. */
export const installerImage = ({ factory, platform, secureBoot, schematic, version }: ImageRequest): string =>
  `${hostOf(factory)}/${platform}-installer${suffix(secureBoot)}/${schematic}:${version}`;

/** The script that boots a machine from the network; the public factory serves it under a name of its own. */
export function pxeUrl({ factory, ...request }: ImageRequest): string {
  const server = hostOf(factory) === 'factory.talos.dev' ? 'https://pxe.talos.dev' : trimmed(factory);
  return `${server}/pxe/${request.schematic}/${request.version}/${nameOf(request)}`;
}

const fileUrl = (request: ImageRequest): string =>
  `${trimmed(request.factory)}/image/${request.schematic}/${request.version}/${nameOf(request)}`;

const nameOf = ({ platform, architecture, secureBoot }: Omit<ImageRequest, 'factory'>): string =>
  `${platform}-${architecture}${suffix(secureBoot)}`;

const suffix = (secureBoot: boolean): string => (secureBoot ? '-secureboot' : '');

const trimmed = (url: string): string => url.replace(/\/+$/, '');

/** Images of containers are named without a scheme. */
const hostOf = (factory: string): string => trimmed(factory).replace(/^[a-z]+:\/\//, '');
