import { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Client } from 'undici';
import type { Connector } from '../../../model/connector.ts';
import type { LocalFile } from '../../../model/file.ts';
import type { Deadlines } from '../tools.ts';
import type { Endpoint } from './endpoint.ts';
import { KeptOpen } from './kept-open.ts';
import { acquaintance, connectionEnded, handshake, type Acquaintance } from './handshake.ts';
import { firstOf, within } from '../../../model/signals.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What is sent, headers and all. */
export type Outgoing = {
  readonly method: Method;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | LocalFile | undefined;
};

export type Incoming = {
  readonly status: number;
  /** The words behind the status; before 8.4 the only place where a host says what is wrong. */
  readonly reason: string;
  readonly text: string;
  readonly date: string | undefined;
};

/** Nothing was sent: whoever was asked knows nothing of it. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** A host closes what was idle for 5 s; whoever is faster never writes to a connection that is being closed. */
const idleMs = 2500;
const largestAnswer = 64 * 1024 * 1024;

type Line = { readonly socket: TLSSocket; readonly kept: KeptOpen; readonly client: Client };

/** Connections to one endpoint; each carries one request at a time, and is used again while the host keeps it. */
export class Link {
  readonly endpoint: Endpoint;
  /** Of the certificate that was shown last: tells which host of the cluster this is. */
  fingerprint: string | undefined;
  readonly #connect: Connector;
  readonly #deadlines: Deadlines;
  #known: Acquaintance | undefined;
  readonly #open = new Set<Line>();
  readonly #idle: Line[] = [];

  constructor(endpoint: Endpoint, connect: Connector, deadlines: Deadlines) {
    this.endpoint = endpoint;
    this.#connect = connect;
    this.#deadlines = deadlines;
  }

  async send(outgoing: Outgoing, signal: AbortSignal): Promise<Incoming> {
    const line = await this.#line(signal);
    try {
      const incoming = await ask(line, outgoing, this.#deadlines, signal);
      // The host hangs up after a refusal, and a request that meets that would be lost.
      if (incoming.status < 400 && !line.socket.destroyed) this.#idle.push(line);
      else this.#drop(line);
      return incoming;
    } catch (error) {
      this.#drop(line);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((line) => hangUp(line)));
    this.#open.clear();
    this.#idle.length = 0;
  }

  async #line(signal: AbortSignal): Promise<Line> {
    for (let line = this.#idle.pop(); line !== undefined; line = this.#idle.pop()) {
      if (!line.socket.destroyed && line.socket.writable) return line;
      this.#drop(line);
    }
    using soon = within(this.#deadlines.dial, signal);
    try {
      return await this.#dial(soon);
    } catch (error) {
      signal.throwIfAborted();
      throw new NotSent(`${this.endpoint.name} could not be reached`, { cause: error });
    }
  }

  async #dial(signal: AbortSignal): Promise<Line> {
    const { host, port, name } = this.endpoint;
    const known = (this.#known ??= acquaintance(this.endpoint));
    // A bundled CommonJS module has no names when it is imported later, only this one.
    const [{ default: undici }, stream] = await Promise.all([import('undici'), this.#connect({ host, port }, signal)]);
    const { socket, fingerprint } = await handshake(stream, this.endpoint, known, signal);
    this.fingerprint = fingerprint;
    const kept = new KeptOpen(socket);
    let handed = false;
    const client = new undici.Client(`https://${name}`, {
      // Takes the connection that was looked at, and makes none of its own. An answer within the call would be missed.
      connect: (_, done) => {
        const second = handed;
        handed = true;
        queueMicrotask(() =>
          second ? done(new NotSent('the connection is used up'), null) : done(null, kept as unknown as TLSSocket),
        );
      },
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxResponseSize: largestAnswer,
    });
    const line = { socket, kept, client };
    this.#open.add(line);
    socket.once('close', () => this.#drop(line));
    return line;
  }

  #drop(line: Line): void {
    if (this.#open.delete(line)) void hangUp(line);
  }
}

const hangUp = async ({ client, socket }: Line): Promise<void> => {
  socket.destroy();
  await client.destroy();
};

async function ask(
  { client, kept }: Line,
  outgoing: Outgoing,
  deadlines: Deadlines,
  signal: AbortSignal,
): Promise<Incoming> {
  const { method, path, headers, body } = outgoing;
  const patience = new Patience(typeof body === 'object' ? deadlines.upload : deadlines.answer);
  using either = firstOf(signal, patience.signal);
  kept.expectAnswer();
  try {
    const answer = await client.request({
      method,
      path,
      headers: typeof body === 'object' ? { ...headers, 'content-length': String(body.bytes) } : headers,
      body: typeof body === 'object' ? Readable.from(patience.during(body.read())) : (body ?? null),
      signal: either,
    });
    const date = answer.headers.date;
    return {
      status: answer.statusCode,
      reason: answer.statusText,
      text: await answer.body.text(),
      date: typeof date === 'string' ? date : undefined,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (notSentIn(error)) throw new NotSent('the connection had gone', { cause: connectionEnded() });
    throw error;
  } finally {
    patience.end();
  }
}

const notSentIn = (error: unknown): boolean =>
  error instanceof NotSent || (error instanceof Error && error.cause instanceof NotSent);

/** Ends a request that does not get on. */
class Patience {
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number) {
    const late = Object.assign(new Error('no answer came in time'), { code: 'ETIMEDOUT' });
    this.#timer = setTimeout(() => this.#ending.abort(late), ms);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whatever is taken shows that it still gets on. */
  async *during(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      yield chunk;
      this.#timer.refresh();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
