import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { Duplex } from 'node:stream';

/** Standard input and output of a process as one stream; who destroys it ends the process. */
export class ChildStream extends Duplex {
  readonly #child: ChildProcessWithoutNullStreams;

  constructor(child: ChildProcessWithoutNullStreams) {
    super({ allowHalfOpen: true });
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) child.stdout.pause();
    });
    child.stdout.on('end', () => this.push(null));
    child.stdout.on('error', (error) => this.destroy(error));
    child.stdin.on('error', (error) => this.destroy(error));
    // What came before it ended is read before the stream ends.
    child.on('close', () => {
      const over = (): void => {
        if (!this.writableFinished) this.destroy();
      };
      if (this.readableEnded) over();
      else this.once('end', over);
    });
  }

  override _read(): void {
    this.#child.stdout.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#child.stdin.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#child.stdin.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#child.kill('SIGTERM');
    done(error);
  }
}
