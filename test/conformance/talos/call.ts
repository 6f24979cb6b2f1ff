import http2 from 'node:http2';
import tls from 'node:tls';
import { gunzipSync, gzipSync } from 'node:zlib';

/** Names of gRPC status codes, and what a caller can see besides. */
export const codeNames = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

/** NO_ANSWER: nothing that ends the call came in the time given. TAKEN: we had what we wanted and went. LOST: the connection did not hold. */
export type Code = (typeof codeNames)[number] | 'NO_ANSWER' | 'TAKEN' | 'LOST';

export type Identity = { readonly crt: string; readonly key: string };

export type Wanted = {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly bodies: readonly Uint8Array[];
  readonly metadata?: Readonly<Record<string, string | readonly string[]>>;
  readonly identity?: Identity | undefined;
  /** How long we wait for the end. */
  readonly waitMs: number;
  /** Goes away after that many messages. */
  readonly take?: number;
  /** Called when the first message has come: from then on the server knows that somebody listens. */
  readonly onFirst?: () => void;
  readonly gzip?: boolean;
  readonly contentType?: string;
  /** Says that the first body is that long, whatever it is. */
  readonly pretendLength?: number;
};

export type Heard = {
  readonly code: Code;
  readonly message: string;
  readonly bodies: readonly Uint8Array[];
  readonly http: number | undefined;
  /** Everything the server said about the call besides :status, content-type, grpc-status and grpc-message; the date is left out. */
  readonly more: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  readonly trailersOnly: boolean;
};

/** gRPC as it is on the wire and nothing else; one connection per address and identity, used again. */
export class RawCaller implements AsyncDisposable {
  readonly #sessions = new Map<string, http2.ClientHttp2Session>();

  async call(wanted: Wanted): Promise<Heard> {
    const session = this.#session(wanted);
    return exchange(session, wanted);
  }

  /** Connections of an address that is about to change who it is. */
  forget(host: string): void {
    for (const [key, session] of this.#sessions) if (key.startsWith(`${host}:`)) session.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions.values()) session.destroy();
    return Promise.resolve();
  }

  #session({ host, port, identity }: Wanted): http2.ClientHttp2Session {
    const key = `${host}:${port} ${identity?.crt ?? ''}`;
    const known = this.#sessions.get(key);
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    const session = http2.connect(`https://${host}:${port}`, {
      createConnection: () => tls.connect(tlsOptions(host, port, identity)),
      settings: { initialWindowSize: 8 * 1024 * 1024 },
    });
    session.on('error', () => this.#sessions.delete(key));
    session.on('close', () => this.#sessions.delete(key));
    this.#sessions.set(key, session);
    return session;
  }
}

export const tlsOptions = (host: string, port: number, identity: Identity | undefined): tls.ConnectionOptions => ({
  host,
  port,
  ALPNProtocols: ['h2'],
  rejectUnauthorized: false,
  ...(identity === undefined ? {} : { cert: identity.crt, key: identity.key }),
});

function exchange(session: http2.ClientHttp2Session, wanted: Wanted): Promise<Heard> {
  return new Promise((resolve) => {
    const bodies: Uint8Array[] = [];
    let pending = Buffer.alloc(0);
    let response: http2.IncomingHttpHeaders = {};
    let trailers: http2.IncomingHttpHeaders | undefined;
    let failure = '';
    let settled = false;
    const onLost = (error: Error): void => finish('LOST', error.message);
    const finish = (code: Code, message: string): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      session.off('error', onLost);
      const end = trailers ?? response;
      resolve({
        code,
        message,
        bodies,
        http: response[':status'] === undefined ? undefined : Number(response[':status']),
        contentType: response['content-type'],
        trailersOnly: trailers === undefined && end['grpc-status'] !== undefined,
        more: moreOf(response, trailers),
      });
    };
    const stream = request(session, wanted);
    const timer = setTimeout(() => {
      stream.close(http2.constants.NGHTTP2_CANCEL);
      finish('NO_ANSWER', '');
    }, wanted.waitMs);
    stream.on('response', (headers) => (response = headers));
    stream.on('trailers', (headers: http2.IncomingHttpHeaders) => (trailers = headers));
    stream.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (let size = frameSize(pending); size !== undefined; size = frameSize(pending)) {
        const body = pending.subarray(5, size);
        bodies.push(pending[0] === 1 ? gunzipSync(body) : body);
        pending = pending.subarray(size);
        if (bodies.length === 1) wanted.onFirst?.();
        if (bodies.length !== wanted.take) continue;
        stream.close(http2.constants.NGHTTP2_CANCEL);
        finish('TAKEN', '');
        return;
      }
    });
    stream.on('error', (error: Error) => (failure = error.message));
    session.once('error', onLost);
    const conclude = (): void => {
      const end = trailers ?? response;
      const status = end['grpc-status'];
      if (typeof status !== 'string') return finish('LOST', failure);
      finish(codeNames[Number(status)] ?? 'UNKNOWN', decodeURIComponent(String(end['grpc-message'] ?? '')));
    };
    // The server’s half may end while ours still sends; trailers are told after the data and before the end.
    stream.on('end', () => {
      if (trailers !== undefined || response['grpc-status'] !== undefined) conclude();
      if (!stream.writableFinished) stream.close(http2.constants.NGHTTP2_CANCEL);
    });
    stream.on('close', conclude);
  });
}

function request(session: http2.ClientHttp2Session, wanted: Wanted): http2.ClientHttp2Stream {
  const metadata = Object.entries(wanted.metadata ?? {}).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : [...value],
  ]);
  const stream = session.request({
    ':method': 'POST',
    ':path': wanted.path,
    'content-type': wanted.contentType ?? 'application/grpc',
    te: 'trailers',
    ...(wanted.gzip === true ? { 'grpc-encoding': 'gzip' } : {}),
    ...(Object.fromEntries(metadata) as Record<string, string | string[]>),
  });
  for (const body of wanted.bodies) stream.write(frame(body, wanted.gzip === true, wanted.pretendLength));
  stream.end();
  return stream;
}

function frame(body: Uint8Array, gzip: boolean, pretendLength: number | undefined): Buffer {
  const payload = gzip ? gzipSync(body) : Buffer.from(body);
  const head = Buffer.alloc(5);
  head.writeUInt8(gzip ? 1 : 0, 0);
  head.writeUInt32BE(pretendLength ?? payload.length, 1);
  return Buffer.concat([head, payload]);
}

const frameSize = (pending: Buffer): number | undefined => {
  if (pending.length < 5) return undefined;
  const size = 5 + pending.readUInt32BE(1);
  return pending.length < size ? undefined : size;
};

const said = new Set([':status', 'content-type', 'grpc-status', 'grpc-message', 'date']);

const moreOf = (...parts: readonly (http2.IncomingHttpHeaders | undefined)[]): Record<string, string> =>
  Object.fromEntries(
    parts.flatMap((part) =>
      Object.entries(part ?? {})
        .filter(([key]) => !said.has(key))
        .map(([key, value]) => [key, String(value)]),
    ),
  );
