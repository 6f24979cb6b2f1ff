import { Duplex } from 'node:stream';

const end = '\r\n\r\n';
const longestHead = 64 * 1024;
const closes = /\r\nConnection: close(?=\r\n)/i;
const keeps = /\r\nConnection: keep-alive(?=\r\n)/i;

/**
 * A host that passes a call on to its root daemon answers with `Connection: close` and then with `Connection: Keep-Alive`, and
 * keeps the connection. Whoever parses that believes the first one and hangs up; so it is not told.
 */
export class KeptOpen extends Duplex {
  readonly #socket: Duplex;
  /** The beginning of an answer, as far as it has come; undefined: what comes is passed on. */
  #head: Buffer | undefined;

  constructor(socket: Duplex) {
    super();
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#pass(chunk));
    socket.once('end', () => this.push(null));
    socket.once('error', (error) => this.destroy(error));
    // What came before an orderly end can still be read.
    socket.once('close', () => (socket.readableEnded ? undefined : this.destroy()));
  }

  /** A request is about to be sent: what comes next begins with a head. */
  expectAnswer(): void {
    this.#head = Buffer.alloc(0);
  }

  #pass(chunk: Buffer): void {
    const ready = this.#head === undefined ? chunk : this.#withHead(Buffer.concat([this.#head, chunk]));
    if (ready !== undefined && !this.push(ready)) this.#socket.pause();
  }

  #withHead(bytes: Buffer): Buffer | undefined {
    const at = bytes.indexOf(end);
    if (at < 0 && bytes.length < longestHead) {
      this.#head = bytes;
      return undefined;
    }
    this.#head = undefined;
    const head = bytes.toString('latin1', 0, at + 2);
    if (at < 0 || !closes.test(head) || !keeps.test(head)) return bytes;
    return Buffer.concat([Buffer.from(head.replace(closes, ''), 'latin1'), bytes.subarray(at + 2)]);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
