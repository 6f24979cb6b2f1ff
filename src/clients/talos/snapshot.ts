import { createHash } from 'node:crypto';
import { badData } from './problems.ts';

const hashBytes = 32;
/** etcd’s database is made of whole pages of at least this size; what follows them is their hash. */
const pageBytes = 512;

/** Passes a snapshot of etcd on, and fails at its end when it is not whole. What was written until then is to be thrown away. */
export async function* checkedSnapshot(
  host: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256');
  let size = 0;
  let held = Buffer.alloc(0);
  for await (const chunk of chunks) {
    size += chunk.length;
    const seen = Buffer.concat([held, chunk]);
    const sure = Math.max(0, seen.length - hashBytes);
    hash.update(seen.subarray(0, sure));
    held = seen.subarray(sure);
    yield chunk;
  }
  const complete = size % pageBytes === hashBytes && hash.digest().equals(held);
  if (!complete)
    throw badData('talos-bad-snapshot', `The snapshot of etcd from ${host} is damaged or incomplete (${size} bytes).`, {
      remedy: `Throw it away and take another one:\n    ichor talos etcd snapshot FILE -n ${host}`,
    });
}
