import { once } from 'node:events';
import * as zlib from 'node:zlib';
import type { Transform } from 'node:stream';
import { died } from '../refusal.ts';
import { Receiver, type Received } from './received.ts';

/** Unpacks what comes, piece by piece. */
export interface Unpacker {
  add(piece: Buffer): Promise<void>;
  end(): Promise<Received>;
}

/** Node has no program for `lzo` and `bz2`, and for `zst` only from 22.15 on. */
export function unpackerFor(compression: string): Unpacker {
  if (compression === 'gz') return streaming(zlib.createGunzip());
  if (compression === 'zst') return 'createZstdDecompress' in zlib ? streaming(newZstd()) : storedZst();
  throw died(`decompression of ${compression} is not possible in the lab`);
}

const newZstd = (): Transform => (zlib as unknown as { createZstdDecompress(): Transform }).createZstdDecompress();

function streaming(stream: Transform): Unpacker {
  const receiver = new Receiver();
  stream.on('data', (piece: Buffer) => receiver.add(piece));
  const ended = once(stream, 'end');
  // Looked at when the end is waited for.
  ended.catch(() => undefined);
  return {
    add: async (piece) => {
      if (!stream.write(piece) && !stream.destroyed) await Promise.race([once(stream, 'drain'), ended]);
    },
    end: async () => {
      stream.end();
      await ended;
      return receiver.end();
    },
  };
}

/** Frames whose blocks are stored as they are, such as those of the lab’s own factory. */
function storedZst(): Unpacker {
  const pieces: Buffer[] = [];
  return {
    add: async (piece) => void pieces.push(piece),
    end: async () => {
      const receiver = new Receiver();
      for (const block of storedBlocks(Buffer.concat(pieces))) receiver.add(block);
      return receiver.end();
    },
  };
}

function* storedBlocks(file: Buffer): Iterable<Buffer> {
  const unreadable = (): Error => died('this zst can be unpacked only where the lab runs on Node 22.15 or later');
  if (file.length < 13 || file.readUInt32LE(0) !== 0xfd2fb528 || file.readUInt8(4) !== 0xe0) throw unreadable();
  for (let at = 13, last = false; !last;) {
    if (at + 3 > file.length) throw unreadable();
    const header = file.readUIntLE(at, 3);
    if (((header >> 1) & 3) !== 0) throw unreadable();
    const end = at + 3 + (header >> 3);
    if (end > file.length) throw unreadable();
    yield file.subarray(at + 3, end);
    last = (header & 1) === 1;
    at = end;
  }
}
