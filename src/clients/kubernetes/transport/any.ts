import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connector } from '../../../model/connector.ts';
import type { ApiServer } from '../../kubernetes.ts';
import { firstOf } from '../../../model/signals.ts';

/** How long one may hesitate before the next is dialled besides: an address that nobody has is not refused, it is silent. */
const hesitatesMs = 300;

/**
 * Dials whoever serves the same API: the one that was asked for, and others when it does not answer at once. A virtual address
 * is nobody’s before etcd runs, and for some seconds whenever its holder dies.
 */
export function dialAny(connect: Connector, others: () => readonly ApiServer[], pauseMs = hesitatesMs): Connector {
  let last: ApiServer | undefined;
  return async (target, signal) => {
    const servers = different([...(last === undefined ? [] : [last]), target, ...others()]);
    const [only] = servers;
    if (servers.length === 1 && only !== undefined) return connect(only, signal);
    const { server, stream } = await race(servers, connect, pauseMs, signal);
    last = server;
    return stream;
  };
}

type Won = { readonly server: ApiServer; readonly stream: Duplex };

/** Each gets a head start; whoever fails lets the next one go at once. The first problem is the one that is told. */
async function race(
  servers: readonly ApiServer[],
  connect: Connector,
  pauseMs: number,
  signal: AbortSignal,
): Promise<Won> {
  const tooSlow = new Error('somebody else was faster');
  const over = new AbortController();
  const dialling = new Map<ApiServer, AbortController>();
  let won: ApiServer | undefined;
  const attempts: Promise<Won>[] = [];
  const dial = async (server: ApiServer): Promise<Won> => {
    // A signal of its own: what ends the others must not end the stream that won.
    const own = new AbortController();
    dialling.set(server, own);
    using both = firstOf(signal, own.signal);
    const stream = await connect(server, both);
    if (won === undefined && !both.aborted) won = server;
    if (won === server) return { server, stream };
    stream.on('error', () => undefined).destroy();
    throw tooSlow;
  };
  using waiting = firstOf(signal, over.signal);
  try {
    for (const server of servers) {
      const attempt = dial(server);
      attempts.push(attempt);
      const first = await Promise.race([
        Promise.any(attempts).catch(() => undefined),
        attempt.catch(() => undefined),
        sleep(pauseMs, undefined, { signal: waiting, ref: false }).catch(() => undefined),
      ]);
      if (first !== undefined) return first;
      signal.throwIfAborted();
    }
    return await Promise.any(attempts);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof AggregateError ? error.errors[0] : error;
  } finally {
    over.abort(tooSlow);
    for (const [server, own] of dialling) if (server !== won) own.abort(tooSlow);
  }
}

const different = (servers: readonly ApiServer[]): readonly ApiServer[] => [
  ...new Map(servers.map((server) => [`${server.host} ${server.port}`, server])).values(),
];
