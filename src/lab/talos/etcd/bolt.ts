/** A bucket of a bolt database: keys and values as bytes. */
export type Bucket = readonly (readonly [key: Buffer, value: Buffer])[];

const pageSize = 4096;
const headerSize = 16;
const elementSize = 16;
const flags = { branch: 0x01, leaf: 0x02, meta: 0x04, freelist: 0x10 } as const;
const magic = 0xed0cdaed;
const version = 2;
const bucketElement = 1;
const noRoot = 0n;

/** The bytes of a bolt file with these buckets, each in one leaf: what etcd keeps, and what its tools open. */
export function writeBolt(buckets: Readonly<Record<string, Bucket>>): Buffer {
  const pages: Buffer[] = [];
  let next = 4n;
  const roots: [Buffer, Buffer][] = [];
  for (const [name, content] of Object.entries(buckets).toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const leaf = leafPage(next, sortedBucket(content), 0);
    const header = Buffer.alloc(16);
    header.writeBigUInt64LE(next);
    roots.push([Buffer.from(name), header]);
    pages.push(leaf);
    next += BigInt(leaf.length / pageSize);
  }
  return Buffer.concat([
    metaPage(0n, next),
    metaPage(1n, next),
    freelistPage(2n),
    leafPage(3n, roots, bucketElement),
    ...pages,
  ]);
}

const sortedBucket = (content: Bucket): Bucket => content.toSorted(([one], [other]) => one.compare(other));

function pageHeader(page: Buffer, id: bigint, kind: number, count: number): void {
  page.writeBigUInt64LE(id, 0);
  page.writeUInt16LE(kind, 8);
  page.writeUInt16LE(count, 10);
  page.writeUInt32LE(page.length / pageSize - 1, 12);
}

function leafPage(id: bigint, content: Bucket, elementFlags: number): Buffer {
  const bytes = content.reduce((sum, [key, value]) => sum + elementSize + key.length + value.length, headerSize);
  const page = Buffer.alloc(Math.ceil(bytes / pageSize) * pageSize);
  pageHeader(page, id, flags.leaf, content.length);
  let at = headerSize + content.length * elementSize;
  for (const [index, [key, value]] of content.entries()) {
    const element = headerSize + index * elementSize;
    page.writeUInt32LE(elementFlags, element);
    page.writeUInt32LE(at - element, element + 4);
    page.writeUInt32LE(key.length, element + 8);
    page.writeUInt32LE(value.length, element + 12);
    key.copy(page, at);
    value.copy(page, at + key.length);
    at += key.length + value.length;
  }
  return page;
}

function freelistPage(id: bigint): Buffer {
  const page = Buffer.alloc(pageSize);
  pageHeader(page, id, flags.freelist, 0);
  return page;
}

function metaPage(id: bigint, highWater: bigint): Buffer {
  const page = Buffer.alloc(pageSize);
  pageHeader(page, id, flags.meta, 0);
  const meta = page.subarray(headerSize);
  meta.writeUInt32LE(magic, 0);
  meta.writeUInt32LE(version, 4);
  meta.writeUInt32LE(pageSize, 8);
  meta.writeBigUInt64LE(3n, 16);
  meta.writeBigUInt64LE(2n, 32);
  meta.writeBigUInt64LE(highWater, 40);
  meta.writeBigUInt64LE(id, 48);
  meta.writeBigUInt64LE(fnv64a(meta.subarray(0, 56)), 56);
  return page;
}

function fnv64a(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash;
}

/** One bucket of a bolt file; undefined when the file is none, or has no such bucket. */
export function readBolt(file: Buffer, bucket: string): Bucket | undefined {
  try {
    const size = file.readUInt32LE(headerSize + 8);
    const metas = [0, size].map((at) => file.subarray(at + headerSize, at + headerSize + 64)).filter(isSound);
    const meta = metas.toSorted((one, other) => (one.readBigUInt64LE(48) > other.readBigUInt64LE(48) ? -1 : 1))[0];
    if (meta === undefined) return undefined;
    const root = [...leaves(file, size, meta.readBigUInt64LE(16))].find(([key]) => key.toString() === bucket)?.[1];
    if (root === undefined) return undefined;
    const page = root.readBigUInt64LE(0);
    // A small bucket lies inside of its own value.
    return page === noRoot ? [...elements(root.subarray(16))] : [...leaves(file, size, page)];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const isSound = (meta: Buffer): boolean =>
  meta.length === 64 && meta.readUInt32LE(0) === magic && meta.readBigUInt64LE(56) === fnv64a(meta.subarray(0, 56));

function* leaves(file: Buffer, size: number, id: bigint): Generator<readonly [Buffer, Buffer]> {
  const page = file.subarray(Number(id) * size);
  if ((page.readUInt16LE(8) & flags.leaf) !== 0) {
    yield* elements(page);
    return;
  }
  for (let index = 0; index < page.readUInt16LE(10); index++)
    yield* leaves(file, size, page.readBigUInt64LE(headerSize + index * elementSize + 8));
}

function* elements(page: Buffer): Generator<readonly [Buffer, Buffer]> {
  for (let index = 0; index < page.readUInt16LE(10); index++) {
    const element = headerSize + index * elementSize;
    const at = element + page.readUInt32LE(element + 4);
    const end = at + page.readUInt32LE(element + 8);
    yield [page.subarray(at, end), page.subarray(end, end + page.readUInt32LE(element + 12))];
  }
}
