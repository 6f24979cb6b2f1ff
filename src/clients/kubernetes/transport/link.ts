import type { Duplex } from 'node:stream';
import type { Client, Dispatcher } from 'undici';
import type { Connector } from '../../../model/connector.ts';
import type { KubernetesDeadlines } from '../../kubernetes.ts';
import type { Identity, Proof } from '../credentials/proof.ts';
import type { Endpoint } from './endpoint.ts';
import { acquaintance, handshake, type Acquaintance, type Trust } from './handshake.ts';
import { firstOf, within } from '../../../model/signals.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Outgoing = {
  readonly method: Method;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | undefined;
};

export type Answer = {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
};

/** An answer whose body is still to come. Whoever opened it closes it, however it ends. */
export type Stream = {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Dispatcher.ResponseData['body'];
  /** Gives the connection back when the body has been read to its end, and hangs up otherwise. */
  readonly close: () => void;
};

/** Nothing was sent: the server knows nothing of it. `stale`: a connection that was open had gone meanwhile. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly stale: boolean;

  constructor(message: string, { stale, cause }: { readonly stale: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.stale = stale;
  }
}

/** It was sent, and what became of it is not known. */
export class Lost extends Error {
  override readonly name = 'Lost';
  /** The connection had been used before: as likely as not the server had just closed it. */
  readonly reused: boolean;
  /** It was waited for as long as anybody would; whoever asks again waits as long again. */
  readonly late: boolean;

  constructor(reused: boolean, cause: unknown) {
    super('no answer came', { cause });
    this.reused = reused;
    this.late = /^UND_ERR_\w+_TIMEOUT$/.test((cause as NodeJS.ErrnoException).code ?? '');
  }
}

/** The API server closes what was idle for 90 s, and many a load balancer after 60. */
const idleMs = 30_000;
const mostIdle = 32;

type Line = { readonly socket: Duplex; readonly client: Client; readonly identity: Identity; uses: number };

/** Connections to one API server; each carries one request at a time, and is used again while both ends keep it. */
export class Link {
  readonly endpoint: Endpoint;
  readonly #trust: Trust;
  readonly #connect: Connector;
  readonly #deadlines: KubernetesDeadlines;
  readonly #known = new WeakMap<Identity, Acquaintance>();
  readonly #open = new Set<Line>();
  readonly #ending = new AbortController();
  #idle: Line[] = [];

  constructor(endpoint: Endpoint, trust: Trust, connect: Connector, deadlines: KubernetesDeadlines) {
    this.endpoint = endpoint;
    this.#trust = trust;
    this.#connect = connect;
    this.#deadlines = deadlines;
  }

  async send(outgoing: Outgoing, proof: Proof, signal: AbortSignal): Promise<Answer> {
    const stream = await this.open(outgoing, proof, this.#deadlines.answer, signal);
    return { status: stream.status, headers: stream.headers, text: await this.rest(stream, signal) };
  }

  /** What is still to come of an answer, which is over then; however slowly a stream may speak, this may not. */
  async rest({ body, close }: Stream, signal: AbortSignal): Promise<string> {
    const late = (): Error => Object.assign(new Error('its body did not come'), { code: 'UND_ERR_BODY_TIMEOUT' });
    const timer = setTimeout(() => body.destroy(late()), this.#deadlines.answer);
    body.on('data', () => timer.refresh());
    try {
      return await body.text();
    } catch (error) {
      signal.throwIfAborted();
      throw new Lost(false, error);
    } finally {
      clearTimeout(timer);
      close();
    }
  }

  /** `silenceMs`: how long nothing may come between parts of the body; 0 means for ever. */
  async open(outgoing: Outgoing, { identity }: Proof, silenceMs: number, signal: AbortSignal): Promise<Stream> {
    const line = this.#idleLine(identity) ?? (await this.#newLine(identity, signal));
    const reused = line.uses++ > 0;
    try {
      const { statusCode, headers, body } = await line.client.request({
        method: outgoing.method,
        path: outgoing.path,
        headers: outgoing.headers,
        body: outgoing.body ?? null,
        headersTimeout: this.#deadlines.answer,
        bodyTimeout: silenceMs,
        signal,
      });
      return { status: statusCode, headers, body, close: () => this.#release(line, body) };
    } catch (error) {
      this.#drop(line);
      signal.throwIfAborted();
      if (notSentIn(error)) throw new NotSent('the connection had gone', { stale: reused, cause: error });
      throw new Lost(reused, error);
    }
  }

  async close(): Promise<void> {
    this.#ending.abort(new Error('the connection was closed by its owner'));
    const open = [...this.#open];
    this.#open.clear();
    this.#idle = [];
    await Promise.all(open.map((line) => hangUp(line)));
  }

  #idleLine(identity: Identity): Line | undefined {
    for (let line = this.#idle.pop(); line !== undefined; line = this.#idle.pop()) {
      // Whoever we were before is not who we are now.
      if (line.identity === identity && !line.socket.destroyed && line.socket.writable) return line;
      this.#drop(line);
    }
    return undefined;
  }

  #release(line: Line, body: Stream['body']): void {
    if (body.readableEnded && !line.socket.destroyed && this.#idle.length < mostIdle && this.#open.has(line)) {
      this.#idle.push(line);
    } else {
      body.on('error', () => undefined).destroy();
      this.#drop(line);
    }
  }

  async #newLine(identity: Identity, signal: AbortSignal): Promise<Line> {
    using either = firstOf(signal, this.#ending.signal);
    using soon = within(this.#deadlines.dial, either);
    try {
      return await this.#dial(identity, soon);
    } catch (error) {
      signal.throwIfAborted();
      throw new NotSent(`${this.endpoint.name} could not be reached`, { stale: false, cause: error });
    }
  }

  async #dial(identity: Identity, signal: AbortSignal): Promise<Line> {
    const { host, port, name, secure } = this.endpoint;
    const known = secure ? this.#acquaintance(identity) : undefined;
    // A bundled CommonJS module has no names when it is imported later, only this one.
    const [{ default: undici }, stream] = await Promise.all([import('undici'), this.#connect({ host, port }, signal)]);
    const socket = known === undefined ? stream : await handshake(stream, this.endpoint, this.#trust, known, signal);
    let handed = false;
    const client = new undici.Client(`${secure ? 'https' : 'http'}://${name}`, {
      // Takes the connection that was looked at, and makes none of its own. An answer within the call would be missed.
      connect: (_, done) => {
        const second = handed;
        handed = true;
        queueMicrotask(() =>
          second
            ? done(new NotSent('the connection is used up', { stale: true }), null)
            : done(null, socket as Parameters<typeof done>[1] & object),
        );
      },
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
    });
    const line: Line = { socket, client, identity, uses: 0 };
    this.#open.add(line);
    socket.once('close', () => this.#drop(line));
    return line;
  }

  #acquaintance(identity: Identity): Acquaintance {
    const known = this.#known.get(identity) ?? acquaintance(this.#trust, identity);
    this.#known.set(identity, known);
    return known;
  }

  #drop(line: Line): void {
    if (this.#open.delete(line)) void hangUp(line);
  }
}

const hangUp = async ({ client, socket }: Line): Promise<void> => {
  socket.on('error', () => undefined).destroy();
  await client.destroy();
};

const notSentIn = (error: unknown): boolean =>
  error instanceof NotSent || (error instanceof Error && error.cause instanceof NotSent);
