import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ManagedFields } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { normalise } from '../schema/decode.ts';
import type { Schema } from '../schema/schema.ts';
import { compareTyped, type Comparison } from './comparison.ts';
import { FieldSet } from './field-set.ts';
import { capUpdaters, decodeManagers, encodeManagers, identify, type Managers, timeOf } from './managers.ts';
import { neverOwned, resetBy } from './never-owned.ts';

export type Write = {
  readonly schema: Schema;
  readonly live: KubeObject | undefined;
  readonly manager: string;
  readonly apiVersion: string;
  readonly now: Date;
  readonly subresource?: string;
  /** Of a CustomResourceDefinition. */
  readonly custom?: boolean;
  /** Whether the kind has the status subresource; by its schema when nobody says. */
  readonly hasStatus?: boolean;
};

/**
 * Who owns what after an object was created, replaced or patched. Asked with what the client wants, defaults filled:
 * what the server chooses afterwards (addresses, status, whatever admission adds) belongs to nobody.
 */
export function afterUpdate(request: Write & { readonly next: Mutable }): ManagedFields[] {
  const managers = managersBefore(request);
  // An object that lost its managers on purpose is not watched again before it is applied.
  if (managers.size === 0 && request.live !== undefined) return [];
  takeOver(managers, request, request.live ?? emptyLike(request, request.next), request.next);
  capUpdaters(managers);
  return encodeManagers(managers);
}

/** Gives whoever writes the fields that differ, and takes them from everybody else. */
export function takeOver(managers: Managers, request: Write, before: unknown, after: unknown): void {
  const comparison = difference(request, bare(before), bare(after));
  const changed = comparison.modified.union(comparison.added);
  const lost = changed.union(comparison.removed);
  for (const [id, entry] of managers) {
    const fields = entry.fields.difference(entry.fields.intersection(changed)).difference(comparison.removed);
    if (fields.isEmpty) managers.delete(id);
    else if (!lost.isEmpty) managers.set(id, { ...entry, fields });
  }
  const gained = changed.difference(neverOwned);
  if (gained.isEmpty) return;
  const self = {
    manager: request.manager === '' ? 'unknown' : request.manager,
    operation: 'Update' as const,
    apiVersion: request.apiVersion,
    subresource: request.subresource ?? '',
  };
  const fields = gained.union(managers.get(identify(self))?.fields ?? new FieldSet());
  managers.set(identify(self), { ...self, time: timeOf(request.now), fields });
}

/** Managers are not a field of the object that they manage. */
export function bare(object: unknown): unknown {
  const { metadata, ...rest } = object as { readonly metadata?: Readonly<Record<string, unknown>> };
  if (metadata === undefined) return object;
  const { managedFields: _, ...others } = metadata;
  return { ...rest, metadata: others };
}

/** Before it was made. Of a built-in kind, some fields are there even then: nobody owns that they exist. */
export function emptyLike({ schema, custom }: Write, object: { readonly [field: string]: unknown }): KubeObject {
  const empty = { apiVersion: String(object['apiVersion']), kind: String(object['kind']), metadata: {} };
  return custom === true ? empty : (normalise(schema, empty) as KubeObject);
}

export function resetOf(request: Write, kind: string): FieldSet {
  return resetBy(groupOf(request), kind, {
    custom: request.custom ?? false,
    hasStatus: request.hasStatus ?? request.schema.property?.('status') !== undefined,
    subresource: request.subresource,
  });
}

/** What a write changed, but for what it could not. */
export function difference(request: Write, before: unknown, after: unknown): Comparison {
  const kind = String((after as Mutable)['kind']);
  const comparison = compareTyped(request.schema, before, after);
  const reset = resetOf(request, kind);
  if (reset.isEmpty) return comparison;
  return {
    removed: comparison.removed.without(reset),
    modified: comparison.modified.without(reset),
    added: comparison.added.without(reset),
  };
}

const groupOf = ({ apiVersion }: Write): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

/** What a client says about managers counts, unless it says nothing, says nonsense or writes a subresource. */
function managersBefore(request: Write & { readonly next: Mutable }): Managers {
  const said = (request.next['metadata'] as KubeObject['metadata'] | undefined)?.managedFields;
  const live = request.live?.metadata.managedFields ?? [];
  if ((request.subresource ?? '') !== '' || said === undefined || said === null) return decoded(live);
  if (isReset(said)) return new Map();
  const managers = decoded(said);
  return managers.size === 0 ? decoded(live) : managers;
}

/** `[]` and `[{}]`: nobody owns anything any more. */
const isReset = (entries: readonly ManagedFields[]): boolean =>
  entries.length === 0 || (entries.length === 1 && isDeepStrictEqual(entries[0], {}));

function decoded(entries: readonly ManagedFields[]): Managers {
  try {
    return decodeManagers(entries);
  } catch {
    return new Map();
  }
}

/** Whether two lists of managers differ in nothing but when: then the older one stays, and nothing was written. */
export function differInTimeOnly(a: readonly ManagedFields[], b: readonly ManagedFields[]): boolean {
  const timeless = (entries: readonly ManagedFields[]): unknown =>
    entries.map((entry) => ({ ...entry, time: undefined }));
  return isDeepStrictEqual(timeless(a), timeless(b));
}
