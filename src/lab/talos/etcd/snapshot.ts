import { createHash } from 'node:crypto';
import type { EtcdCluster } from './cluster.ts';

export type Restored = { readonly data: ReadonlyMap<string, string>; readonly revision: bigint };

/** The database as bytes, with the hash behind it by which a restore knows that nothing is missing. */
export function writeSnapshot(cluster: EtcdCluster): Uint8Array {
  const body = Buffer.from(JSON.stringify({ revision: String(cluster.revision), data: [...cluster.data] }));
  const padded = Buffer.alloc(Math.ceil((body.length + 4) / 4096) * 4096);
  padded.writeUInt32BE(body.length);
  body.copy(padded, 4);
  return Buffer.concat([padded, createHash('sha256').update(padded).digest()]);
}

/** The content, or what is wrong with the file in etcd’s words. */
export function readSnapshot(file: Uint8Array, skipHash: boolean): Restored | string {
  const hashed = file.length % 512 === 32;
  if (!hashed && !skipHash)
    return file.length === 0 ? 'invalid database' : "snapshot file doesn't exist or has no hash";
  const body = Buffer.from(hashed ? file.subarray(0, -32) : file);
  if (hashed && !skipHash && !createHash('sha256').update(body).digest().equals(file.subarray(-32)))
    return 'invalid database';
  try {
    const { revision, data } = JSON.parse(body.subarray(4, 4 + body.readUInt32BE(0)).toString('utf8')) as {
      readonly revision: string;
      readonly data: readonly (readonly [string, string])[];
    };
    return { data: new Map(data), revision: BigInt(revision) };
  } catch {
    return 'invalid database';
  }
}
