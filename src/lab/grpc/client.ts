import { connect as connectHttp2 } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import type { Duplex } from 'node:stream';
import { frame, frameReader, percentDecoded } from './frames.ts';
import { breakLater } from './hang-up.ts';
import { GrpcStatus, grpcCode } from './status.ts';

export type OutgoingCall = {
  readonly path: string;
  readonly metadata: ReadonlyMap<string, readonly string[]>;
  readonly requests: AsyncIterable<Uint8Array>;
};

/** A session over a connection that is there already; whoever asked for it closes it. */
export const openSession = (socket: Duplex): ClientHttp2Session => {
  const session = connectHttp2('http://node', {
    createConnection: () => breakLater(socket),
    settings: { initialWindowSize: 2_097_120, enablePush: false },
    // MiB; the default is less than one large message.
    maxSessionMemory: 256,
  });
  session.on('error', () => session.destroy());
  return session;
};

/** One call, frames passed through as they are; what does not end well is thrown as a GrpcStatus. */
export async function* callThrough(
  session: ClientHttp2Session,
  call: OutgoingCall,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const stream = session.request({
    ':method': 'POST',
    ':path': call.path,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...Object.fromEntries([...call.metadata].map(([key, values]) => [key, [...values]])),
  });
  const ending = endOf(stream);
  const stop = (): void => stream.close(0x8);
  signal.addEventListener('abort', stop, { once: true });
  void sendAll(stream, call.requests);
  try {
    const reader = frameReader();
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) yield* reader.push(chunk);
    } catch (error) {
      if (error instanceof GrpcStatus) throw error;
      signal.throwIfAborted();
      // Who is answered before it has said everything still hears the answer.
      const early = await ending;
      if (early.code !== grpcCode.UNAVAILABLE) throw early;
      throw new GrpcStatus('UNAVAILABLE', `error reading from server: ${(error as Error).message}`);
    }
    signal.throwIfAborted();
    const status = await ending;
    if (status.code !== grpcCode.OK) throw status;
  } finally {
    signal.removeEventListener('abort', stop);
    // A stream that has ended closes by itself; many resets in a row look like an attack.
    if (!stream.closed && !stream.readableEnded) stream.close(0x8);
  }
}

async function sendAll(stream: ClientHttp2Stream, requests: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const message of requests)
      if (!stream.write(frame(message)))
        await new Promise<void>((resolve) => {
          stream.once('drain', resolve);
          stream.once('close', resolve);
        });
    stream.end();
  } catch {
    if (!stream.closed) stream.close(0x8);
  }
}

function endOf(stream: ClientHttp2Stream): Promise<GrpcStatus> {
  return new Promise((resolve) => {
    const take = (headers: IncomingHttpHeaders): void => {
      const code = headers['grpc-status'];
      if (typeof code === 'string')
        resolve(new GrpcStatus(Number(code), percentDecoded(String(headers['grpc-message'] ?? ''))));
    };
    stream.on('response', take);
    stream.on('trailers', take);
    stream.on('error', () => undefined);
    stream.on('close', () => resolve(new GrpcStatus('UNAVAILABLE', 'error reading from server: EOF')));
  });
}
