import { connect, type ClientHttp2Session, type ClientHttp2Stream, type OutgoingHttpHeaders } from 'node:http2';
import { setImmediate } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { createGrpcTransport } from '@connectrpc/connect-node';
import type { TalosTarget } from '../talos.ts';
import { readWhatCame } from './answer.ts';
import { connectionEnded, handshake } from './handshake.ts';
import { fingerprintChanged } from './problems.ts';
import { dialTcp } from './tcp.ts';
import { within } from '../../model/signals.ts';

const MiB = 1024 * 1024;
/** Node’s 64 KiB let one snapshot crawl over any link with latency; both windows have to grow. */
const streamWindow = 4 * MiB;
const connectionWindow = 16 * MiB;
const dialDeadlineMs = 10_000;

const apidPort = 50_000;

type SessionManager = NonNullable<Parameters<typeof createGrpcTransport>[0]['sessionManager']>;

/** One connection to one node, dialled when it is needed, used again, and dialled anew after it was lost. It never pings: apid takes that ill. */
export class TalosSession implements SessionManager, AsyncDisposable {
  readonly authority: string;
  /** Of the certificate that the node showed last. */
  fingerprint: string | undefined;
  /** How often a connection broke, and why it did last: what a call saw of that itself is vague. */
  losses = 0;
  /** How often a connection was made. */
  connections = 0;
  lastLoss: Error | undefined;

  readonly #target: TalosTarget;
  readonly #port: number;
  readonly #ending = new AbortController();
  #pinned: string | undefined;
  #session: ClientHttp2Session | undefined;
  #dialling: Promise<ClientHttp2Session> | undefined;
  readonly #open = new Map<ClientHttp2Session, TLSSocket>();

  constructor(target: TalosTarget) {
    this.#target = target;
    this.#port = target.port ?? apidPort;
    const host = target.host.includes(':') ? `[${target.host}]` : target.host;
    this.authority = new URL(`https://${host}:${this.#port}`).origin;
    this.#pinned = target.access.kind === 'maintenance' ? target.access.fingerprint : undefined;
  }

  async request(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    options: object,
  ): Promise<ClientHttp2Stream> {
    for (let attempt = 1; ; attempt++) {
      const session = await this.#ready();
      try {
        const stream = session.request({ ...headers, ':method': method, ':path': path }, options);
        endLater(stream, session);
        keepProcessWhileOpen(session, stream);
        readWhatCame(stream);
        failWhenCutShort(stream);
        return stream;
      } catch (error) {
        // It ended between being looked up and being used; nothing was sent.
        if (attempt === 3 || !(session.closed || session.destroyed)) throw error;
      }
    }
  }

  notifyResponseByteRead(): void {}

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error('the connection was closed by its owner'));
    await Promise.all([...this.#open].map(([session, socket]) => hangUp(session, socket)));
  }

  #ready(): Promise<ClientHttp2Session> {
    const known = this.#session;
    if (known !== undefined && !known.closed && !known.destroyed) return Promise.resolve(known);
    this.#dialling ??= this.#dial().finally(() => (this.#dialling = undefined));
    return this.#dialling;
  }

  async #dial(): Promise<ClientHttp2Session> {
    const { host, access, connect: dial = dialTcp } = this.#target;
    using signal = within(dialDeadlineMs, this.#ending.signal);
    signal.throwIfAborted();
    const stream = await dial({ host, port: this.#port }, signal);
    const { socket, fingerprint } = await handshake(stream, host, access, signal);
    this.fingerprint = fingerprint;
    if (access.kind === 'maintenance') {
      this.#pinned ??= fingerprint;
      if (this.#pinned !== fingerprint) {
        socket.destroy();
        throw fingerprintChanged(host, this.#pinned, fingerprint);
      }
    }
    this.#session = await this.#speakHttp2(socket);
    return this.#session;
  }

  #speakHttp2(socket: TLSSocket): Promise<ClientHttp2Session> {
    return new Promise((resolve, reject) => {
      const settings = { initialWindowSize: streamWindow, enablePush: false };
      breakLater(socket);
      const session = connect(this.authority, { createConnection: () => socket, settings });
      const lost = (error: Error): void => {
        this.losses++;
        this.lastLoss = error;
        reject(error);
      };
      this.#open.set(session, socket);
      session.once('error', lost).on('error', () => undefined);
      session.once('close', () => {
        this.#open.delete(session);
        reject(connectionEnded());
      });
      session.once('connect', () => {
        session.setLocalWindowSize(connectionWindow);
        session.unref();
        this.connections++;
        resolve(session);
      });
    });
  }
}

/**
 * A session ends at once when writing to its connection fails, which may be while it reads from it, and Node 20 does not survive
 * that any better: such news waits until nobody reads.
 */
function breakLater(socket: TLSSocket): void {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...words: readonly unknown[]) => boolean;
  socket.emit = (event: string | symbol, ...words: readonly unknown[]): boolean => {
    if (event !== 'error' && event !== 'close') return emit(event, ...words);
    void setImmediate().then(() => emit(event, ...words));
    return true;
  };
}

/** Likewise a stream: one that is reset while an answer is read is gone before its reader is done with it. */
function endLater(stream: ClientHttp2Stream, session: ClientHttp2Session): void {
  const [close, destroy] = [stream.close.bind(stream), stream.destroy.bind(stream)];
  const afterReading = (act: () => void): void => (session.destroyed ? act() : void setImmediate().then(act));
  stream.close = (code, closed) => afterReading(() => close(code, closed));
  stream.destroy = (error) => {
    afterReading(() => void destroy(error));
    return stream;
  };
}

/**
 * Never at once: whoever heard an answer is still within the reading of the connection, and a session that is destroyed in there
 * corrupts the memory of Node 20.
 */
async function hangUp(session: ClientHttp2Session, socket: TLSSocket): Promise<void> {
  await setImmediate();
  // Broken off by an alert, it is gone and never says that it closed: a real node does that to who has no certificate.
  const closed = session.destroyed ? undefined : new Promise((resolve) => void session.once('close', resolve));
  session.destroy();
  // One that was told to go away would wait for the other end to hang up.
  socket.destroy();
  await closed;
}

const openStreams = new WeakMap<ClientHttp2Session, number>();

/** An idle connection does not keep a program from ending, a call does. */
function keepProcessWhileOpen(session: ClientHttp2Session, stream: ClientHttp2Stream): void {
  const change = (by: 1 | -1): void => {
    const count = (openStreams.get(session) ?? 0) + by;
    openStreams.set(session, count);
    if (session.destroyed) return;
    if (count > 0) session.ref();
    else session.unref();
  };
  change(1);
  stream.once('close', () => change(-1));
}

/**
 * A connection that goes away without a word closes its streams without one too, some of them as if they had ended well: whoever
 * waits for an answer there would wait for ever.
 */
function failWhenCutShort(stream: ClientHttp2Stream): void {
  let answered = false;
  stream.once('response', () => (answered = true));
  stream.on('error', () => undefined);
  stream.once('close', () => {
    if (!answered || !stream.readableEnded) stream.emit('error', connectionEnded());
  });
}
