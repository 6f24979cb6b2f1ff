import type { Readable } from 'node:stream';

const newline = 0x0a;

/** A byte stream read piece by piece: lines first, then as many bytes as were announced. */
export class Incoming {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#source = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Without its end; undefined: the stream is over. */
  async line(): Promise<string | undefined> {
    for (let from = 0; ;) {
      const end = this.#rest.indexOf(newline, from);
      if (end >= 0) {
        const line = this.#rest.toString('latin1', 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line.endsWith('\r') ? line.slice(0, -1) : line;
      }
      from = this.#rest.length;
      if (!(await this.#more())) return undefined;
    }
  }

  /** Fewer than announced when the stream ends before. */
  async *bytes(announced: number): AsyncGenerator<Buffer> {
    for (let left = announced; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#more())) return;
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** Throws away what still comes. */
  async drain(): Promise<void> {
    this.#rest = Buffer.alloc(0);
    while (await this.#more()) this.#rest = Buffer.alloc(0);
  }

  async #more(): Promise<boolean> {
    // A connection that breaks is a connection that ends.
    const next = await this.#source.next().catch(() => undefined);
    if (next === undefined || next.done === true) return false;
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
    return true;
  }
}
