import { GrpcStatus } from '../../grpc/status.ts';

// Positions of another process mean nothing here; the word in front tells them apart.
const cookie = Buffer.from('ichor-lab'.slice(0, 8), 'latin1');

/** A place in the history of one collection. */
export function bookmarkAt(position: number): Uint8Array {
  const place = Buffer.alloc(8);
  place.writeBigInt64BE(BigInt(position));
  return Buffer.concat([cookie, place]);
}

export function positionOf(bookmark: Uint8Array): number {
  const bytes = Buffer.from(bookmark);
  if (bytes.length !== 16 || !bytes.subarray(0, 8).equals(cookie)) throw invalidBookmark();
  return Number(bytes.readBigInt64BE(8));
}

export const invalidBookmark = (): GrpcStatus => new GrpcStatus('FAILED_PRECONDITION', 'invalid watch bookmark');
