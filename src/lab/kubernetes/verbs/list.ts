import type { KubeObject, ListMeta } from '../../../wire/kubernetes/objects.ts';
import { resourceKey } from '../discovery/registry.ts';
import { badRequest, expired, quote } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import { keyOf } from '../store/collection.ts';
import type { Cluster } from './cluster.ts';
import { decodeContinue, encodeContinue } from './continue.ts';
import { tooLargeVersion } from './list-options.ts';
import type { ListOptions } from './list-options.ts';

export type Listed = { readonly metadata: ListMeta; readonly items: readonly KubeObject[] };

export function list(
  cluster: Cluster,
  definition: ResourceDefinition,
  namespace: string | undefined,
  options: ListOptions,
): Listed {
  const from = options.continue === '' ? undefined : decodeContinue(options.continue);
  const { version, objects } = snapshot(cluster, definition, namespace, options, from);
  const prefix = namespace === undefined ? '' : `${namespace}/`;
  const keyed = (object: KubeObject): string =>
    keyOf(object.metadata.namespace, object.metadata.name ?? '').slice(prefix.length);
  const rest = from === undefined ? objects : objects.filter((object) => keyed(object) >= from.start);
  // Whoever takes whatever is at hand is given all of it.
  const limit = options.resourceVersion === '0' && from === undefined ? 0 : options.limit;
  const found: KubeObject[] = [];
  for (const [index, object] of rest.entries()) {
    if (!options.matches(object)) continue;
    if (limit > 0 && found.length === limit) {
      const last = keyed(found.at(-1) as KubeObject);
      const remaining = rest.length - index;
      return {
        metadata: {
          resourceVersion: String(version),
          continue: encodeContinue(`${last}\0`, version),
          ...(options.isWhole ? { remainingItemCount: remaining } : {}),
        },
        items: found,
      };
    }
    found.push(object);
  }
  return { metadata: { resourceVersion: String(version) }, items: found };
}

type Snapshot = { readonly version: number; readonly objects: readonly KubeObject[] };

function snapshot(
  cluster: Cluster,
  definition: ResourceDefinition,
  namespace: string | undefined,
  options: ListOptions,
  from: { readonly version: number; readonly start: string } | undefined,
): Snapshot {
  const { store } = cluster;
  const key = resourceKey(definition);
  const now = (): Snapshot => ({ version: store.version, objects: store.list(key, namespace) });
  if (from !== undefined) {
    if (options.resourceVersion !== '' && options.resourceVersion !== '0')
      throw badRequest('specifying resource version is not allowed when using continue');
    if (from.version < 0) return now();
    const objects = store.listAt(key, from.version, namespace);
    if (objects === undefined) throw forgotten(from.start);
    return { version: from.version, objects };
  }
  const wanted = versionOf(options.resourceVersion);
  if (wanted > store.version) throw tooLargeVersion(wanted, store.version);
  const isExact =
    options.resourceVersionMatch === 'Exact' ||
    (options.resourceVersionMatch === '' && options.limit > 0 && wanted > 0);
  if (!isExact || wanted === 0) return now();
  const objects = store.listAt(key, wanted, namespace);
  if (objects === undefined) throw expired(`The resourceVersion for the provided list is too old.`);
  return { version: wanted, objects };
}

const forgotten = (start: string) =>
  expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    encodeContinue(start, -1),
  );

function versionOf(text: string): number {
  if (text === '') return 0;
  if (!/^\d+$/.test(text))
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: invalid syntax`,
    );
  return Number(text);
}
