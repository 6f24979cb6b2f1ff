import { answer, type Call, type Handler } from '../call.ts';
import { died, type Refusal } from '../refusal.ts';
import type { Worker } from '../tasks/task.ts';
import { contentsOf, rootOf, type StorageDefinition } from './definition.ts';
import { incomingFile, type FileContent, type IncomingFile } from './file-name.ts';
import { storageKinds } from './kinds.ts';
import { inSectors } from './new-volume.ts';
import { probeImage } from './probe.ts';
import { Receiver, type Received } from './received.ts';
import { unpackerFor } from './unpack.ts';
import { wget } from './wget.ts';

const GiB = 1024 ** 3;

/** What is to be downloaded where, after everything that can be wrong with the request was looked at. */
type Download = {
  readonly call: Call;
  readonly definition: StorageDefinition;
  readonly file: IncomingFile;
  readonly url: string;
  /** Where it ends up. */
  readonly path: string;
  readonly checksum: { readonly algorithm: string; readonly expected: string } | undefined;
  readonly compression: string | undefined;
};

export const downloadUrl: Handler = (call) => {
  const id = call.text('storage') ?? '';
  const definition = call.datacenter.storages.enabled(call.host, id);
  if (!storageKinds[definition.type].files)
    throw died(`can't upload to storage type '${definition.type}', not a file based storage!`);
  const content = call.text('content') as FileContent;
  if (!contentsOf(definition).includes(content))
    throw died(`storage '${id}' is not configured for content-type '${content}'`);
  const file = incomingFile(content, call.text('filename') ?? '');
  const algorithm = call.text('checksum-algorithm');
  const download: Download = {
    call,
    definition,
    file,
    url: call.text('url') ?? '',
    path: `${rootOf(definition)}/${file.folder}/${file.file}`,
    checksum: algorithm === undefined ? undefined : { algorithm, expected: call.text('checksum') ?? '' },
    compression: call.text('compression'),
  };
  // The file has the number of the process in its name until it is whole.
  let pid = 0;
  const upid = call.datacenter.startTask({
    host: call.host,
    who: call.who,
    type: 'download',
    id: file.file,
    work: async (worker) => {
      await Promise.resolve();
      await work(download, pid, worker);
    },
  });
  pid = Number.parseInt(upid.split(':')[2] ?? '0', 16);
  return answer(upid);
};

async function work(download: Download, pid: number, worker: Worker): Promise<void> {
  const { compression, file, url, path } = download;
  if (compression !== undefined && file.content !== 'iso')
    throw died(`decompression not supported for ${file.content}`);
  worker.say(`downloading ${url} to ${path}`);
  if (isThere(download, worker)) return;
  const received = await fetchAndCheck(download, pid, worker);
  worker.say(`download of '${url}' to '${path}' finished`);
  keep(download, received);
}

/** A file that is there already is kept when it is the one that was asked for, and else stands in the way. */
function isThere({ call, definition, file, path, checksum }: Download, worker: Worker): boolean {
  const { storages } = call.datacenter;
  const present = storages.spaceOf(call.host, definition).volumes.get(file.name);
  if (present === undefined) return false;
  if (checksum === undefined) throw died(`refusing to override existing file '${path}'`);
  const got = storages.digestOf(present, checksum.algorithm);
  if (got.toLowerCase() === checksum.expected.toLowerCase()) {
    worker.say('calculating checksum of existing file...OK, got correct file already, no need to download');
    return true;
  }
  worker.say('calculating checksum of existing file...');
  throw died(`checksum mismatch: got '${got}' != expect '${checksum.expected}', aborting`);
}

async function fetchAndCheck(
  download: Download,
  pid: number,
  worker: Worker,
): Promise<Received & { readonly size: number }> {
  const { call, definition, file, path, checksum, compression } = download;
  const { datacenter } = call;
  const space = datacenter.storages.spaceOf(call.host, definition);
  const packed = new Receiver();
  const unpacker = compression === undefined ? undefined : unpackerFor(compression);
  const temporary = `${path}.tmp_dwnl.${pid}`;
  await wget({
    url: download.url,
    path: temporary,
    web: { verify: call.text('verify-certificates') !== '0', trust: datacenter.storages.trust, signal: worker.signal },
    say: worker.say,
    now: () => datacenter.clock.now(),
    room: () => space.freeBytes,
    take: async (piece) => {
      packed.add(piece);
      await unpacker?.add(piece);
    },
  });
  const downloaded = packed.end();
  await worker.sleep((datacenter.durations.downloadPerGiB * downloaded.bytes) / GiB).catch(() => {
    throw died('download failed: received interrupt');
  });
  if (checksum !== undefined) checkSum(downloaded.digests[checksum.algorithm] ?? '', checksum.expected, worker.say);
  const whole = unpacker === undefined ? downloaded : await unpacker.end();
  const lies = unpacker === undefined ? temporary : `${path}.tmp_dcom.${pid}`;
  if (unpacker !== undefined) worker.say(`decompressing ${temporary} to ${lies}`);
  try {
    return { ...whole, size: probeImage(whole.head, whole.bytes, file.format, lies, worker.say).bytes };
  } catch (error) {
    throw died(`failed to verify file: ${(error as Refusal).message}`);
  }
}

/** The words go on where the sum is right, and the refusal has a line of its own where it is not. */
export function checkSum(got: string, expected: string, say: (line: string) => void): void {
  if (got.toLowerCase() === expected.toLowerCase()) return say('calculating checksum...OK, checksum verified');
  say('calculating checksum...');
  throw died(`checksum mismatch: got '${got}' != expect '${expected}'`);
}

/** What came in, onto the storage. */
function keep(
  { call, definition, file }: Download,
  { bytes, head, digests, size }: Received & { readonly size: number },
): void {
  call.datacenter.storages.put(
    call.host,
    definition,
    {
      name: file.name,
      bytes: inSectors(size),
      fileBytes: bytes,
      written: { head, fileName: file.file, state: new Map() },
    },
    digests,
  );
}
