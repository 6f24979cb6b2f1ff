import { createHash, type Hash } from 'node:crypto';

/** Of which a file’s checksum can be asked. */
const algorithms = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const;

/** By algorithm, in hex. */
export type Digests = Readonly<Record<string, string>>;

/** A file that came in; what is longer than its head was counted and hashed, and is gone. */
export type Received = { readonly bytes: number; readonly head: Uint8Array; readonly digests: Digests };

const headBytes = 1 << 20;

/** Takes in what comes, piece by piece. */
export class Receiver {
  #bytes = 0;
  readonly #head: Uint8Array[] = [];
  readonly #hashes: readonly (readonly [string, Hash])[] = algorithms.map((name) => [name, createHash(name)]);

  add(piece: Uint8Array): void {
    const missing = headBytes - this.#bytes;
    if (missing > 0) this.#head.push(piece.subarray(0, missing));
    this.#bytes += piece.length;
    for (const [, hash] of this.#hashes) hash.update(piece);
  }

  get bytes(): number {
    return this.#bytes;
  }

  end(): Received {
    const digests = Object.fromEntries(this.#hashes.map(([name, hash]) => [name, hash.digest('hex')]));
    return { bytes: this.#bytes, head: Buffer.concat(this.#head), digests };
  }
}
