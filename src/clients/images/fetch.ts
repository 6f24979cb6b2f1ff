import { createHash, randomBytes, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checksum, FetchFile, FileWanted, LocalFile, TryFile } from '../../model/file.ts';
import { download, tryDownload, type Proxies } from './download.ts';
import { wrongChecksum } from './problems.ts';

export type ImageStore = {
  /** Where files are kept for the next time. */
  readonly folder: string;
  readonly proxies?: Proxies;
  /** Milliseconds without a word after which a server is given up. */
  readonly silenceMs?: number;
};

/** Brings files here. Who asks for the same one twice, even at the same moment, gets the one that was brought first. */
export function imageFetcher(store: ImageStore): FetchFile {
  const underWay = new Map<string, Promise<LocalFile>>();
  return async (wanted, signal) => {
    const key = `${wanted.name} ${wanted.checksum?.hex ?? ''}`;
    const asked = underWay.get(key) ?? fetchOnce(store, wanted, signal).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };
}

/** Whether a file could be brought; one that is here already can. */
export function imageTrier(store: ImageStore): TryFile {
  return async (wanted, signal) => {
    if ((await kept(pathOf(store, wanted), wanted.checksum)) === undefined)
      await tryDownload(wanted.url, store, signal);
  };
}

const pathOf = ({ folder }: ImageStore, { name }: FileWanted): string =>
  join(folder, name.replaceAll(/[^A-Za-z0-9._-]/g, '_'));

async function fetchOnce(store: ImageStore, wanted: FileWanted, signal: AbortSignal): Promise<LocalFile> {
  const path = pathOf(store, wanted);
  const there = await kept(path, wanted.checksum);
  if (there !== undefined) return there;
  await mkdir(store.folder, { recursive: true });
  // Under a name of its own until it is whole: two programs may bring it at the same time.
  const partial = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await bring(store, wanted, partial, signal);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return fileAt(path);
}

/** What is here under this name; one that is not what it should be is brought again. */
async function kept(path: string, checksum: Checksum | undefined): Promise<LocalFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) return undefined;
  if (checksum === undefined) return fileAt(path);
  const hash = createHash(checksum.algorithm);
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex') === checksum.hex.toLowerCase() ? fileAt(path) : undefined;
}

async function bring(store: ImageStore, wanted: FileWanted, partial: string, signal: AbortSignal): Promise<void> {
  const { url, checksum } = wanted;
  const hash: Hash | undefined = checksum === undefined ? undefined : createHash(checksum.algorithm);
  await using file = await open(partial, 'w', 0o644);
  for await (const chunk of download(url, store, signal)) {
    hash?.update(chunk);
    await file.write(chunk);
  }
  const got = hash?.digest('hex');
  if (checksum !== undefined && got !== checksum.hex.toLowerCase()) throw wrongChecksum(url, checksum, got ?? '');
  await file.sync();
}

async function fileAt(path: string): Promise<LocalFile> {
  const { size } = await stat(path);
  return { bytes: size, read: () => createReadStream(path, { highWaterMark: 256 * 1024 }) };
}
