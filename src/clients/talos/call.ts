import { setTimeout as later } from 'node:timers';
import type { CallOptions, Transport } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import type { TalosTarget } from '../talos.ts';
import { deadlines, type Deadline, type Verb } from './deadlines.ts';
import { streamEnded, talosProblem, tooSlow } from './problems.ts';
import { TalosSession } from './session.ts';

const largestMessage = 32 * 1024 * 1024;

/** How every verb reaches the node: with a deadline, with the caller’s signal, and with problems instead of statuses. */
export class Line implements AsyncDisposable {
  readonly host: string;
  readonly transport: Transport;
  readonly session: TalosSession;

  constructor(target: TalosTarget) {
    this.host = target.host;
    this.session = new TalosSession(target);
    this.transport = createGrpcTransport({
      baseUrl: this.session.authority,
      sessionManager: this.session,
      readMaxBytes: largestMessage,
      writeMaxBytes: largestMessage,
      acceptCompression: [],
    });
  }

  async ask<T>(
    verb: Verb,
    signal: AbortSignal,
    call: (options: CallOptions) => Promise<T>,
    deadline: Deadline = deadlines[verb],
  ): Promise<T> {
    signal.throwIfAborted();
    const losses = this.session.losses;
    try {
      return await call({
        signal: ownSignal(signal),
        ...(deadline.totalMs === undefined ? {} : { timeoutMs: deadline.totalMs }),
      });
    } catch (error) {
      signal.throwIfAborted();
      throw talosProblem(error, { host: this.host, verb }, this.#lossSince(losses));
    }
  }

  /** Ends when the node ends it, or the reader stops reading; the call is then cancelled. */
  async *stream<T>(
    verb: Verb,
    signal: AbortSignal,
    call: (options: CallOptions) => AsyncIterable<T>,
    deadline: Deadline = deadlines[verb],
  ): AsyncGenerator<T, void, undefined> {
    signal.throwIfAborted();
    const losses = this.session.losses;
    const asked = { host: this.host, verb };
    const stop = new AbortController();
    const messages = call({ signal: AbortSignal.any([signal, stop.signal]) })[Symbol.asyncIterator]();
    let patienceMs = deadline.firstMs;
    try {
      for (;;) {
        const next = await within(patienceMs, messages.next(), () => tooSlow(asked));
        if (next.done === true) return;
        yield next.value;
        patienceMs = deadline.idleMs;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw talosProblem(error, asked, this.#lossSince(losses));
    } finally {
      stop.abort();
    }
  }

  /** For what never ends by itself: an end is a lost connection. */
  async *endless<T>(
    verb: Verb,
    signal: AbortSignal,
    call: (options: CallOptions) => AsyncIterable<T>,
  ): AsyncGenerator<T, void, undefined> {
    yield* this.stream(verb, signal, call);
    signal.throwIfAborted();
    throw streamEnded({ host: this.host, verb });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session[Symbol.asyncDispose]();
  }

  #lossSince(losses: number): Error | undefined {
    return this.session.losses > losses ? this.session.lastLoss : undefined;
  }
}

/** A hundred calls listening to one signal would look like a leak; what depends on it does not. */
const ownSignal = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal]);

async function within<T>(ms: number | undefined, promise: Promise<T>, late: () => Error): Promise<T> {
  if (ms === undefined) return promise;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = later(() => reject(late()), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
