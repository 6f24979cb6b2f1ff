import type { Pause } from '../../../model/pause.ts';
import { Problem } from '../../../model/problem.ts';
import type { WatchEvent } from '../../../wire/kubernetes/objects.ts';
import type { ListQuery, Watched, WatchOptions } from '../../kubernetes.ts';
import { linesOf } from '../lines.ts';
import { pathOf } from '../path.ts';
import { Backoff } from '../pause.ts';
import { KubernetesProblem } from '../problems/problem.ts';
import { refusalIn } from '../problems/refusal.ts';
import type { Stream } from '../transport/link.ts';
import { askedFor, withMapping, type Asking } from './asking.ts';
import { isExpired, list } from './read.ts';
import { firstOf } from '../../../model/signals.ts';

export type WatchTools = {
  readonly pause: Pause;
  readonly chance: () => number;
  readonly now: () => Date;
  /** Milliseconds without a word, not even a bookmark, after which a connection is taken for dead. */
  readonly silenceMs: number;
};

/** The server ends a watch by itself after this long; between once and twice of it, so that not all end together. */
const lifeSeconds = 300;
/** No server means it when it asks for more. */
const longestWaitMs = 600_000;
/** One that ended before this did not end because its time was over. */
const shortLifeMs = 1000;

/** Goes on from where it was after everything but a version that the server has forgotten. */
export async function* watch(
  asking: Asking,
  query: ListQuery,
  { resourceVersion }: WatchOptions,
  tools: WatchTools,
  callers: AbortSignal,
): AsyncGenerator<Watched, void, undefined> {
  using signal = firstOf(callers);
  let at = resourceVersion;
  if (at === undefined) {
    const { items, metadata } = await list(asking, query, {}, signal);
    for (const object of items) yield { type: 'ADDED', object };
    at = metadata.resourceVersion ?? '';
  }
  const backoff = new Backoff(250, 30_000, tools.chance);
  for (;;) {
    signal.throwIfAborted();
    const began = tools.now().getTime();
    let told = false;
    try {
      for await (const event of once(asking, query, at, tools, signal)) {
        told = true;
        backoff.reset();
        at = event.object.metadata.resourceVersion ?? at;
        yield event;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (isExpired(error)) {
        yield { type: 'EXPIRED' };
        return;
      }
      if (!passes(error)) throw error;
      const asked = error instanceof KubernetesProblem ? (error.told.retryAfterMs ?? 0) : 0;
      await tools.pause(Math.max(backoff.next(), Math.min(asked, longestWaitMs)), signal);
      continue;
    }
    // Ended by the server, as it should; at once again and again it should not.
    if (!told && tools.now().getTime() - began < shortLifeMs) await tools.pause(backoff.next(), signal);
  }
}

/** Whatever asking again may solve; what broke without being a problem is a connection. */
const passes = (error: unknown): boolean => !(error instanceof Problem) || error.recovery !== 'ask';

async function* once(
  asking: Asking,
  query: ListQuery,
  resourceVersion: string,
  tools: WatchTools,
  signal: AbortSignal,
): AsyncGenerator<Exclude<WatchEvent, { type: 'ERROR' }>, void, undefined> {
  const { stream, asked } = await opened(asking, query, resourceVersion, tools, signal);
  const guard = watchSilence(stream, tools, signal);
  try {
    for await (const line of linesOf(guard.heard)) {
      if (line === '') continue;
      const event = eventIn(line);
      if (event.type === 'ERROR') throw refusalIn(event.object, asked);
      yield event;
    }
  } finally {
    guard.end();
    stream.close();
  }
}

const opened = (
  asking: Asking,
  query: ListQuery,
  resourceVersion: string,
  { chance }: WatchTools,
  signal: AbortSignal,
) =>
  withMapping(asking, query, signal, async (mapping) => {
    const asked = askedFor(asking, mapping, 'watch', { namespace: query.namespace });
    const path = pathOf(
      mapping,
      { namespace: query.namespace },
      {
        watch: true,
        allowWatchBookmarks: true,
        labelSelector: query.labels,
        fieldSelector: query.fields,
        resourceVersion,
        timeoutSeconds: Math.round(lifeSeconds * (1 + chance())),
      },
    );
    const question = { asked, outgoing: { method: 'GET', path, body: undefined }, repeatable: true } as const;
    return { asked, stream: await asking.caller.stream(question, 0, signal) };
  });

/** A line that was cut off in the middle is a connection that broke. */
const eventIn = (line: string): WatchEvent => JSON.parse(line) as WatchEvent;

/** Hangs up a stream on which nothing came for too long: an end that vanished does not say so. */
function watchSilence({ body }: Stream, { pause, silenceMs }: WatchTools, signal: AbortSignal) {
  const ending = new AbortController();
  let heardAnything = true;
  const guard = async (): Promise<void> => {
    using until = firstOf(signal, ending.signal);
    while (heardAnything) {
      heardAnything = false;
      await pause(silenceMs, until);
    }
    body.destroy(Object.assign(new Error('nothing came for too long'), { code: 'ETIMEDOUT' }));
  };
  guard().catch(() => undefined);
  const heard = async function* (): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      heardAnything = true;
      yield chunk;
    }
  };
  return { heard: heard(), end: () => ending.abort() };
}
