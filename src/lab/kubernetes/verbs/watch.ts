import type { KubeObject, Status } from '../../../wire/kubernetes/objects.ts';
import type { ChangeKind, ResourceKey } from '../api.ts';
import { resourceKey } from '../discovery/registry.ts';
import { expired, failed, quote } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { Change } from '../store/store.ts';
import type { Cluster } from './cluster.ts';
import { tooLargeVersion } from './list-options.ts';
import type { ListOptions } from './list-options.ts';

export type Told =
  | { readonly type: ChangeKind; readonly object: KubeObject }
  | { readonly type: 'BOOKMARK'; readonly version: number; readonly isInitialEnd: boolean }
  | { readonly type: 'ERROR'; readonly status: Status };

export type Watching = {
  readonly stop: () => void;
  /** Says how far it is. */
  readonly bookmark: () => void;
};

/** Tells at once what has happened since the version that is asked for, and then everything as it happens. */
export function watch(
  cluster: Cluster,
  definition: ResourceDefinition,
  namespace: string | undefined,
  options: ListOptions,
  since: number,
  tell: (told: Told) => void,
): Watching {
  const { store } = cluster;
  const key = resourceKey(definition);
  const bookmark = (isInitialEnd = false): void => tell({ type: 'BOOKMARK', version: store.version, isInitialEnd });
  const hear = (change: Change): void => {
    if (namespace !== undefined && change.object.metadata.namespace !== namespace) return;
    const told = seen(change, options);
    if (told !== undefined) tell(told);
  };
  const nothing: Watching = { stop: () => undefined, bookmark: () => undefined };
  if (since > store.version && options.sendInitialEvents === true) {
    tell({ type: 'ERROR', status: tooLargeVersion(since, store.version).status });
    return nothing;
  }
  const wantsInitial = options.sendInitialEvents ?? since === 0;
  if (wantsInitial) {
    for (const object of store.list(key, namespace)) if (options.matches(object)) tell({ type: 'ADDED', object });
    if (options.sendInitialEvents === true && options.bookmarks) bookmark(true);
  } else if (since > 0) {
    const missed = store.changesSince(key, since);
    if (missed === undefined) {
      tell({ type: 'ERROR', status: forgotten(key, since, store.forgottenUntil(key)).status });
      return nothing;
    }
    for (const change of missed) hear(change);
  }
  // A version of the future: what happens until then is not told.
  const listener = since > store.version ? (change: Change) => change.version > since && hear(change) : hear;
  return { stop: store.onChange(key, listener), bookmark: () => bookmark() };
}

/** Events are not kept at hand: whoever watches them hears it from the store itself. */
const forgotten = (key: ResourceKey, since: number, oldest: number) =>
  expired(
    key === '/events'
      ? 'The resourceVersion for the provided watch is too old.'
      : `too old resource version: ${since} (${oldest})`,
  );

/** What a change is to somebody who sees only a part of all objects. */
function seen({ kind, object, old }: Change, { matches, isWhole }: ListOptions): Told | undefined {
  if (isWhole) return { type: kind, object };
  const isNow = kind !== 'DELETED' && matches(object);
  const was = old !== undefined && matches(old);
  if (isNow) return { type: was ? 'MODIFIED' : 'ADDED', object };
  if (!was) return undefined;
  const { resourceVersion } = object.metadata;
  return {
    type: 'DELETED',
    object: { ...old, metadata: { ...old.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) } },
  };
}

/** From where somebody watches. */
export function watchedVersion({ resourceVersion: text }: ListOptions): number {
  if (text === '') return 0;
  if (/^\d+$/.test(text)) return Number(text);
  const parsing = `strconv.ParseUint: parsing ${quote(text)}: invalid syntax`;
  throw failed(500, `resourceVersion: Invalid value: ${quote(text)}: ${parsing}`);
}
