import { setTimeout as later } from 'node:timers';
import type { CallOptions, Transport } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import type { TalosTarget } from '../talos.ts';
import { deadlines, looks, type Deadline, type Verb } from './deadlines.ts';
import { isLost, streamEnded, talosProblem, tooSlow } from './problems.ts';
import { TalosSession } from './session.ts';
import { firstOf } from '../../model/signals.ts';

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
    const timeout = deadline.totalMs === undefined ? {} : { timeoutMs: deadline.totalMs };
    // Connect does not let go of the signal of a call that is over.
    const once = async (): Promise<T> => {
      using own = firstOf(signal);
      return await call({ signal: own, ...timeout });
    };
    const { connections } = this.session;
    try {
      return await this.#told(verb, signal, once);
    } catch (error) {
      if (!this.#wasDead(verb, connections, error)) throw error;
      return await this.#told(verb, signal, once);
    }
  }

  /** A connection that lay idle may have died long ago without a word: whoever only looks asks again on another one. */
  #wasDead(verb: Verb, connections: number, error: unknown): boolean {
    return looks.has(verb) && connections > 0 && this.session.connections === connections && isLost(error);
  }

  async #told<T>(verb: Verb, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { losses } = this.session;
    try {
      return await call();
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
    const { connections } = this.session;
    let silent = true;
    try {
      for await (const message of this.#spoken(verb, signal, call, deadline)) {
        silent = false;
        yield message;
      }
    } catch (error) {
      if (!silent || !this.#wasDead(verb, connections, error)) throw error;
      yield* this.#spoken(verb, signal, call, deadline);
    }
  }

  async *#spoken<T>(
    verb: Verb,
    signal: AbortSignal,
    call: (options: CallOptions) => AsyncIterable<T>,
    deadline: Deadline,
  ): AsyncGenerator<T, void, undefined> {
    signal.throwIfAborted();
    const losses = this.session.losses;
    const asked = { host: this.host, verb };
    const stop = new AbortController();
    using either = firstOf(signal, stop.signal);
    const messages = call({ signal: either })[Symbol.asyncIterator]();
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
