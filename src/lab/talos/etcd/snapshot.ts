import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { createHash } from 'node:crypto';
import { readBolt, writeBolt } from './bolt.ts';
import type { Bucket } from './bolt.ts';
import type { EtcdCluster } from './cluster.ts';

export type Restored = { readonly data: ReadonlyMap<string, string>; readonly revision: bigint };

const hashLength = 32;

/** The database as etcd writes it, with the hash behind it by which a restore knows that nothing is missing. */
export function writeSnapshot({ data, revision }: Pick<EtcdCluster, 'data' | 'revision'>): Uint8Array {
  const first = revision - BigInt(data.size) + 1n;
  const keys: Bucket = [...data].map(([key, value], index) => {
    const at = first + BigInt(index);
    return [revisionKey(at), keyValue(key, value, at)];
  });
  const file = writeBolt({
    key: keys,
    meta: [[Buffer.from('storageVersion'), Buffer.from('3.6.0')]],
    members: [],
    alarm: [],
  });
  return Buffer.concat([file, createHash('sha256').update(file).digest()]);
}

/** The content, or what is wrong with the file, in etcd’s words. */
export function readSnapshot(file: Uint8Array, skipHash: boolean): Restored | string {
  const hashed = file.length % 512 === hashLength;
  const body = Buffer.from(hashed ? file.subarray(0, -hashLength) : file);
  const keys = readBolt(body, 'key');
  if (keys === undefined) return 'invalid database';
  if (!skipHash) {
    if (!hashed) return 'snapshot missing hash but --skip-hash-check=false';
    const expected = Buffer.from(file.subarray(-hashLength));
    const got = createHash('sha256').update(body).digest();
    if (!got.equals(expected)) return `expected sha256 [${[...expected].join(' ')}], got [${[...got].join(' ')}]`;
  }
  const data = new Map<string, string>();
  let revision = 1n;
  for (const [at, value] of keys) {
    revision = at.readBigUInt64BE(0);
    const [key, content] = pairOf(value);
    // A key with a mark behind its revision was deleted there.
    if (at.length > 17) data.delete(key);
    else data.set(key, content);
  }
  return { data, revision };
}

function revisionKey(revision: bigint): Buffer {
  const key = Buffer.alloc(17);
  key.writeBigUInt64BE(revision, 0);
  key.write('_', 8);
  return key;
}

const keyValue = (key: string, value: string, revision: bigint): Buffer =>
  Buffer.from(
    new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .string(key)
      .tag(2, WireType.Varint)
      .int64(revision)
      .tag(3, WireType.Varint)
      .int64(revision)
      .tag(4, WireType.Varint)
      .int64(1n)
      .tag(5, WireType.LengthDelimited)
      .string(value)
      .finish(),
  );

function pairOf(message: Buffer): readonly [string, string] {
  const reader = new BinaryReader(message);
  let key = '';
  let value = '';
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (field === 1) key = reader.string();
    else if (field === 5) value = Buffer.from(reader.bytes()).toString('utf8');
    else reader.skip(wire);
  }
  return [key, value];
}
