import type { ServerResponse } from 'node:http';
import type { KubeObject } from '../../src/wire/kubernetes/objects.ts';
import { configMap, refusal, type Asked, type Say } from './scripted.ts';

/** What is done to an answer instead of giving it. */
export type Fault = 'hang up' | 'fail' | 'busy' | 'cut' | 'end' | 'none';

type Event = { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject; readonly version: number };
type Watcher = { readonly response: ServerResponse; at: number };

const listPath = '/api/v1/namespaces/default/configmaps';

/** Config maps with a past: lists of one moment in pages, watches from any version that is not forgotten. */
export class History {
  readonly objects = new Map<string, KubeObject>();
  /** Asked before every answer. */
  fault: () => Fault = () => 'none';
  readonly #events: Event[] = [];
  readonly #watchers = new Set<Watcher>();
  readonly #pages = new Map<string, readonly KubeObject[]>();
  #version = 1;
  #floor = 0;
  #uids = 0;

  /** Made, changed, or taken away and made anew. */
  put(name: string): void {
    const version = ++this.#version;
    const old = this.objects.get(name);
    const uid = old?.metadata.uid ?? `uid-${++this.#uids}`;
    const made = configMap(name, String(version), { at: String(version) });
    const object = { ...made, metadata: { ...made.metadata, uid } };
    this.objects.set(name, object);
    this.#tell({ type: old === undefined ? 'ADDED' : 'MODIFIED', object, version });
  }

  remove(name: string): void {
    const old = this.objects.get(name);
    if (old === undefined) return;
    const version = ++this.#version;
    this.objects.delete(name);
    const object = { ...old, metadata: { ...old.metadata, resourceVersion: String(version) } };
    this.#tell({ type: 'DELETED', object, version });
  }

  /** Nothing before this moment can be asked for any more. */
  forget(): void {
    this.#floor = this.#version;
    this.#pages.clear();
  }

  /** Gone while nobody looked, and before what can be asked for. */
  vanish(name: string): void {
    this.cut();
    this.remove(name);
    this.forget();
  }

  bookmark(): void {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { resourceVersion: String(this.#version) } };
    for (const { response } of this.#watchers) response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
  }

  /** Breaks off every watch, perhaps in the middle of a word. */
  cut(text = ''): void {
    for (const { response } of this.#watchers) response.write(text, () => response.socket?.destroy());
    this.#watchers.clear();
  }

  end(): void {
    for (const { response } of this.#watchers) response.end();
    this.#watchers.clear();
  }

  answer({ path, query }: Asked): Say | undefined {
    if (path !== listPath) return undefined;
    const fault = this.fault();
    if (fault === 'hang up') return 'hang up';
    if (fault === 'fail') return refusal(500, 'InternalError', 'etcdserver: leader changed');
    if (fault === 'busy') return refusal(429, 'TooManyRequests', 'later', {}, { 'retry-after': '1' });
    return query['watch'] === 'true' ? this.#watch(Number(query['resourceVersion']), fault) : this.#list(query);
  }

  #list(query: Asked['query']): Say {
    const limit = Number(query['limit'] ?? Infinity);
    const token = query['continue'];
    const rest = token === undefined ? [...this.objects.values()] : this.#pages.get(token);
    if (rest === undefined) return refusal(410, 'Expired', 'The provided continue parameter is too old');
    const version = token === undefined ? String(this.#version) : (token.split(' ')[0] ?? '');
    const metadata: Record<string, string> = { resourceVersion: version };
    if (rest.length > limit) {
      metadata['continue'] = `${version} ${rest.length - limit}`;
      this.#pages.set(metadata['continue'], rest.slice(limit));
    }
    return { body: { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items: rest.slice(0, limit) } };
  }

  #watch(from: number, fault: Fault): Say {
    if (from < this.#floor) return refusal(410, 'Expired', `too old resource version: ${from} (${this.#floor})`);
    return (response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      const watcher = { response, at: from };
      const missed = this.#events
        .filter(({ version }) => version > from)
        .map(lineOf)
        .join('');
      if (fault === 'cut')
        return void response.write(missed.slice(0, missed.length / 2), () => response.socket?.destroy());
      if (missed !== '') response.write(missed);
      if (fault === 'end') return void response.end();
      response.on('close', () => this.#watchers.delete(watcher));
      return void this.#watchers.add(watcher);
    };
  }

  #tell(event: Event): void {
    this.#events.push(event);
    for (const { response } of this.#watchers) response.write(lineOf(event));
  }
}

const lineOf = ({ type, object }: Event): string => `${JSON.stringify({ type, object })}\n`;
