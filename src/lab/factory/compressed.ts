import { crc32, gzipSync } from 'node:zlib';

/** Files that others can unpack. xz and zst hold what they were given as it is: Node 20 cannot press either. */
export const compress = {
  gz: (bytes: Uint8Array): Buffer => gzipSync(bytes, { level: 1 }),
  xz: xzOf,
  zst: zstOf,
} as const;

export type Compression = keyof typeof compress;

const piecesOf = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

/** One block of LZMA2 whose chunks are stored, with a CRC32 of the whole. */
function xzOf(bytes: Uint8Array): Buffer {
  const flags = Buffer.from([0, 1]);
  // One filter, LZMA2, with a dictionary of 64 KiB.
  const header = withCrc(Buffer.from([2, 0, 0x21, 1, 8, 0, 0, 0]));
  const chunks = piecesOf(bytes, 0x10000).flatMap((piece, index) => {
    const start = Buffer.from([index === 0 ? 1 : 2, 0, 0]);
    start.writeUInt16BE(piece.length - 1, 1);
    return [start, piece];
  });
  const data = Buffer.concat([...chunks, Buffer.from([0])]);
  const check = crcOf(bytes);
  const index = withCrc(
    padded(
      Buffer.concat([Buffer.from([0, 1]), varint(header.length + data.length + check.length), varint(bytes.length)]),
    ),
  );
  const footer = Buffer.alloc(6);
  footer.writeUInt32LE(index.length / 4 - 1);
  footer.set(flags, 4);
  return Buffer.concat([
    Buffer.from('\u00fd7zXZ\u0000', 'latin1'),
    withCrc(flags),
    header,
    padded(data),
    check,
    index,
    crcOf(footer),
    footer,
    Buffer.from('YZ'),
  ]);
}

function crcOf(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(bytes));
  return sum;
}

const withCrc = (bytes: Buffer): Buffer => Buffer.concat([bytes, crcOf(bytes)]);

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

/** Seven bits in each byte, the lowest first. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

/** One frame of stored blocks. */
function zstOf(bytes: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32LE(0xfd2fb528);
  // The size stands in eight bytes, and nothing else does.
  header.writeUInt8(0xe0, 4);
  header.writeBigUInt64LE(BigInt(bytes.length), 5);
  const pieces = piecesOf(bytes, 0x20000);
  const blocks = (pieces.length === 0 ? [bytes] : pieces).flatMap((piece, index) => {
    const start = Buffer.alloc(3);
    start.writeUIntLE(piece.length * 8 + (index >= pieces.length - 1 ? 1 : 0), 0, 3);
    return [start, piece];
  });
  return Buffer.concat([header, ...blocks]);
}
