import { once } from 'node:events';
import { groupVersion } from '../discovery/registry.ts';
import { expired } from '../refusal.ts';
import { listOptions } from '../verbs/list-options.ts';
import type { Told } from '../verbs/watch.ts';
import { watch, watchedVersion } from '../verbs/watch.ts';
import { faultOf } from './faulty.ts';
import { eventText } from './represent.ts';
import type { View } from './represent.ts';
import { viewOf } from './call.ts';
import type { Call } from './call.ts';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';

const bookmarkEveryMs = 60_000;
/** Where nobody says how long; the real one takes up to twice that. */
const longMs = 1800_000;

/** Tells what happens, one JSON document per line, until somebody has enough. */
export async function streamWatch(call: Call): Promise<void> {
  const { server, definition, target, info, exchange, struck } = call;
  const { cluster } = server;
  const options = listOptions(definition, info.query, true, target.name);
  if (faultOf(struck, 'forget') !== undefined && Number(options.resourceVersion) > 0)
    throw expired(`too old resource version: ${options.resourceVersion} (${cluster.store.version})`);
  const since = watchedVersion(options);
  const ending = new AbortController();
  const response = exchange.stream('application/json');
  const view = viewOf(call);
  let isFirst = true;
  let isSilent = faultOf(struck, 'silent-watch') !== undefined;
  const write = (told: Told): void => {
    if (isSilent || response.writableEnded) return;
    response.write(`${line(view, told, isFirst)}\n`);
    isFirst = false;
    if (told.type === 'ERROR') ending.abort();
  };
  const watching = watch(cluster, definition, target.namespace, options, since, write);
  const forget = server.watches.add({
    method: info.method,
    path: info.path,
    drop: () => {
      response.destroy();
      ending.abort();
    },
    silence: () => void (isSilent = true),
  });
  const end = (): void => ending.abort();
  response.once('close', end);
  cluster.signal.addEventListener('abort', end, { once: true });
  if (faultOf(struck, 'drop-watch') !== undefined) setImmediate(() => response.destroy());
  try {
    const seconds = options.timeoutSeconds ?? 0;
    await lasts(call, seconds > 0 ? seconds * 1000 : longMs, options.bookmarks, watching.bookmark, ending.signal);
    // Who is silent does not say goodbye either.
    if (isSilent && !ending.signal.aborted) await once(ending.signal, 'abort');
  } finally {
    watching.stop();
    forget();
    response.off('close', end);
    cluster.signal.removeEventListener('abort', end);
    if (cluster.signal.aborted) response.destroy();
    else response.end();
  }
}

async function lasts(
  { server }: Call,
  ms: number,
  wantsBookmarks: boolean,
  bookmark: () => void,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = server.cluster;
  const last = clock.now().getTime() + ms;
  for (let left = ms; left > 0 && !signal.aborted; left = last - clock.now().getTime()) {
    const step = wantsBookmarks ? Math.min(left, bookmarkEveryMs) : left;
    await clock.sleep(step, signal).catch(() => undefined);
    // The last bookmark comes a little before the end.
    if (!signal.aborted && wantsBookmarks) bookmark();
  }
}

function line(view: View, told: Told, isFirst: boolean): string {
  switch (told.type) {
    case 'BOOKMARK':
      return eventText(view, 'BOOKMARK', bookmarkOf(view, told), isFirst);
    case 'ERROR':
      return JSON.stringify({ type: 'ERROR', object: told.status });
    default:
      return eventText(view, told.type, told.object, isFirst);
  }
}

const bookmarkOf = (
  { definition }: View,
  { version, isInitialEnd }: Extract<Told, { type: 'BOOKMARK' }>,
): KubeObject => ({
  kind: definition.kind,
  apiVersion: groupVersion(definition),
  metadata: {
    resourceVersion: String(version),
    ...(isInitialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
  },
});
