import { compress, type Compression } from './compressed.ts';
import { iso9660Image } from './iso9660.ts';
import { writeTalosMarker, type TalosMarker } from './marker.ts';
import { qcow2Image } from './qcow2.ts';

/** What the last part of an image’s address asks for. */
export type ImageRequest = {
  readonly platform: string;
  readonly arch: 'amd64' | 'arm64';
  readonly secureboot: boolean;
  readonly kind: 'iso' | 'qcow2' | 'raw';
  readonly compression: Compression | undefined;
};

/** `nocloud-amd64-secureboot.raw.xz`; undefined: the factory knows no such file. */
export function parseImagePath(path: string): ImageRequest | undefined {
  const parts = /^([a-z]+)-(amd64|arm64)(-secureboot)?\.(iso|qcow2|raw)(?:\.(gz|xz|zst))?$/.exec(path);
  if (parts === null) return undefined;
  const [, platform = '', arch, secureboot, kind, compression] = parts;
  if (kind === 'iso' && compression !== undefined) return undefined;
  return {
    platform,
    arch: arch as ImageRequest['arch'],
    secureboot: secureboot !== undefined,
    kind: kind as ImageRequest['kind'],
    compression: compression as Compression | undefined,
  };
}

export const contentTypeOf = ({ kind, compression }: ImageRequest): string => {
  if (compression === 'xz') return 'application/x-xz';
  if (compression === 'gz') return 'application/gzip';
  if (compression === 'zst') return 'application/zstd';
  return { iso: 'application/x-iso9660-image', qcow2: 'application/x-qemu-disk', raw: 'application/octet-stream' }[
    kind
  ];
};

/** As large as the real one is when it is unpacked. */
const diskBytes = 1246 * 1024 * 1024;
// A raw image is as long as its disk; a real one would have to be carried over the wire as a whole.
const rawBytes = 4 * 1024 * 1024;

/** The stand-in for an image: what it is says its marker, which is where the system would be. */
export function buildImage(request: ImageRequest, marker: TalosMarker): Buffer {
  const whole = uncompressed(request, marker);
  return request.compression === undefined ? whole : compress[request.compression](whole);
}

function uncompressed({ kind, secureboot }: ImageRequest, marker: TalosMarker): Buffer {
  if (kind === 'iso') return iso9660Image(volumeId(marker.version, secureboot), 'TALOS.TXT', writeTalosMarker(marker));
  const start = beginningOfDisk(marker);
  if (kind === 'qcow2') return qcow2Image(diskBytes, start);
  return Buffer.concat([start, Buffer.alloc(rawBytes - start.length)]);
}

/** `TALOS_V1_13_9` */
const volumeId = (version: string, secureboot: boolean): string =>
  `Talos-${secureboot ? 'SB-' : ''}${version}`
    .toUpperCase()
    .replaceAll(/[-.]/g, '_')
    .replaceAll(/[^A-Z0-9_]/g, '');

/** A boot sector, so that nobody takes the disk for an empty one, and behind it the marker. */
function beginningOfDisk(marker: TalosMarker): Buffer {
  const start = Buffer.alloc(0x10000);
  start.set([0x55, 0xaa], 510);
  start.set(writeTalosMarker(marker), 4096);
  return start;
}
