import { constants, performServerHandshake } from 'node:http2';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { frame, frameReader, percentEncoded, timeoutMs } from './frames.ts';
import { breakLater, endLater, hangUp } from './hang-up.ts';
import { GrpcStatus, grpcCode } from './status.ts';

/** Values of a key, in the order in which they came. */
type CallMetadata = ReadonlyMap<string, readonly string[]>;

export type Call = {
  /** `/machine.MachineService/Version`. */
  readonly path: string;
  readonly metadata: CallMetadata;
  /** Aborts when the caller is gone, its deadline is over, or the node stops. */
  readonly signal: AbortSignal;
  /** Messages as bytes; nothing looks into them here. */
  readonly requests: AsyncIterable<Uint8Array>;
  /** Resolves when the caller can take more. */
  send(message: Uint8Array): Promise<void>;
};

/** Ends well by returning, and otherwise by throwing a GrpcStatus. */
export type CallHandler = (call: Call) => Promise<void>;

export type GrpcConnection = {
  readonly openCalls: () => number;
  /** Says goodbye: no new calls, open ones go on. Resolves when the last one has ended. */
  drain(): Promise<void>;
  /** Ends every open call with this status, then the connection. */
  stop(status?: GrpcStatus): void;
  closed(): Promise<void>;
  destroy(): void;
};

const pingsAllowed = 3;

/** Speaks gRPC on a stream of bytes that is there already. */
export function serveGrpc(socket: Duplex, handle: CallHandler): GrpcConnection {
  const session = performServerHandshake(breakLater(socket), {
    settings: { initialWindowSize: 2_097_120 },
    // MiB; the default is less than one large message.
    maxSessionMemory: 256,
  });
  const calls = new Set<AbortController>();
  let strikes = 0;
  session.on('error', () => session.destroy());
  session.on('ping', () => {
    strikes += 1;
    if (strikes <= pingsAllowed) return;
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, Buffer.from('too_many_pings'));
    setImmediate(() => session.close());
  });
  session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    endLater(stream, session);
    const ended = new AbortController();
    calls.add(ended);
    void answer(stream, headers, ended, handle, () => (strikes = 0)).finally(() => calls.delete(ended));
  });
  return {
    openCalls: () => calls.size,
    drain: () => drain(session),
    stop: (status) => {
      for (const call of calls) call.abort(status ?? endedWell);
      if (!session.closed) session.close();
    },
    closed: () =>
      session.destroyed ? Promise.resolve() : new Promise<void>((resolve) => session.once('close', () => resolve())),
    destroy: () => hangUp(session, socket),
  };
}

/** Reason of an abort after which an endless stream ends as if it were complete. */
const endedWell = new GrpcStatus('OK', '');

async function drain(session: ServerHttp2Session): Promise<void> {
  if (session.destroyed) return;
  const over = new Promise<void>((resolve) => session.once('close', resolve));
  session.goaway(constants.NGHTTP2_NO_ERROR, 2_147_483_647, Buffer.from('graceful_stop'));
  session.close();
  await over;
}

async function answer(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  ended: AbortController,
  handle: CallHandler,
  onTraffic: () => void,
): Promise<void> {
  stream.on('error', () => undefined);
  stream.on('close', () => ended.abort(new GrpcStatus('CANCELLED', 'context canceled')));
  const refusedType = unwantedType(headers);
  if (refusedType !== undefined) {
    stream.respond(
      { ':status': 415, ...trailersOf(refusedType), 'content-type': 'application/grpc' },
      { endStream: true },
    );
    return;
  }
  const reply = replyOn(stream, ended.signal, onTraffic);
  const timeout = timeoutMs(headers['grpc-timeout'] as string | undefined);
  const timer =
    timeout === undefined
      ? undefined
      : setTimeout(() => ended.abort(new GrpcStatus('DEADLINE_EXCEEDED', 'context deadline exceeded')), timeout);
  try {
    const call: Call = {
      path: headers[':path'] ?? '',
      metadata: metadataOf(headers),
      signal: ended.signal,
      requests: messagesOf(stream, ended.signal),
      send: reply.send,
    };
    if (timeout !== undefined && timeout < 0.1) throw new GrpcStatus('DEADLINE_EXCEEDED', 'context deadline exceeded');
    await unlessAborted(handle(call), ended.signal);
    reply.end(endedWell);
  } catch (error) {
    reply.end(asStatus(error, ended.signal));
  } finally {
    clearTimeout(timer);
  }
}

function unwantedType(headers: IncomingHttpHeaders): GrpcStatus | undefined {
  const type = headers['content-type'] ?? '';
  if (/^application\/grpc($|[+;])/.test(type)) return undefined;
  return new GrpcStatus('INVALID_ARGUMENT', `invalid gRPC request content-type "${type}"`);
}

/** The handler, or the end of the call if that comes first; what the handler does after that concerns nobody. */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function asStatus(error: unknown, signal: AbortSignal): GrpcStatus {
  if (error instanceof GrpcStatus) return error;
  if (signal.aborted && signal.reason instanceof GrpcStatus) return signal.reason;
  return new GrpcStatus('UNKNOWN', error instanceof Error ? error.message : String(error));
}

function replyOn(
  stream: ServerHttp2Stream,
  signal: AbortSignal,
  onTraffic: () => void,
): { readonly send: Call['send']; readonly end: (status: GrpcStatus) => void } {
  let started = false;
  let ended = false;
  let trailers: OutgoingHttpHeaders = {};
  const start = (): void => {
    if (started || stream.destroyed || stream.closed) return;
    started = true;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  };
  return {
    send: async (message) => {
      signal.throwIfAborted();
      if (stream.destroyed || ended) throw new GrpcStatus('CANCELLED', 'context canceled');
      start();
      onTraffic();
      if (stream.write(frame(message))) return;
      await new Promise<void>((resolve) => {
        stream.once('drain', resolve);
        stream.once('close', resolve);
      });
    },
    end: (status) => {
      if (ended || stream.destroyed || stream.closed) return;
      ended = true;
      onTraffic();
      trailers = trailersOf(status);
      if (!started && status.code !== grpcCode.OK)
        return stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...trailers }, { endStream: true });
      start();
      stream.end();
    },
  };
}

const trailersOf = (status: GrpcStatus): OutgoingHttpHeaders => ({
  'grpc-status': String(status.code),
  'grpc-message': percentEncoded(status.message),
});

// Node joins the values of a repeated header with a comma and a space; a value with a comma of its own is left whole.
function metadataOf(headers: IncomingHttpHeaders): CallMetadata {
  const metadata = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(headers))
    if (!key.startsWith(':') && value !== undefined)
      metadata.set(key, typeof value === 'string' ? value.split(', ') : value);
  return metadata;
}

async function* messagesOf(stream: ServerHttp2Stream, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = frameReader();
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    yield* reader.push(chunk);
  }
  if (reader.rest() > 0) throw new GrpcStatus('INTERNAL', 'unexpected EOF');
}
