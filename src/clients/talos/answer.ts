import type { ClientHttp2Stream } from 'node:http2';

/**
 * Node 24 takes an answer that came as a whole before anybody began to read it for a stream that was closed too early, and throws
 * it away. Whoever reads this one gets what came, and then how it ended.
 */
export function readWhatCame(stream: ClientHttp2Stream): void {
  let failure: Error | undefined;
  let wake = (): void => undefined;
  for (const news of ['readable', 'end', 'close'] as const) stream.on(news, () => wake());
  stream.on('error', (error: Error) => {
    failure = error;
    wake();
  });
  stream[Symbol.asyncIterator] = async function* chunks(): AsyncGenerator<Buffer, undefined> {
    try {
      for (;;) {
        const chunk = stream.read() as Buffer | null;
        if (chunk !== null) yield chunk;
        else if (failure !== undefined) throw failure;
        else if (stream.readableEnded || stream.destroyed) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      stream.destroy();
    }
  };
}
