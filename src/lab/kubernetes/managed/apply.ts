import { isDeepStrictEqual } from 'node:util';
import type { KubeObject, ManagedFields } from '../../../wire/kubernetes/objects.ts';
import type { Mutable } from '../api.ts';
import { badRequest } from '../refusal.ts';
import type { Schema } from '../schema/schema.ts';
import { wrongWith } from './check.ts';
import { type Conflict, conflictRefusal } from './conflicts.ts';
import { FieldSet } from './field-set.ts';
import { fieldsOf } from './fields-of.ts';
import { allowedByLastApplied, lastAppliedKey, withLastApplied } from './last-applied.ts';
import { decodeManagers, encodeManagers, identify, type Manager, type Managers, timeOf } from './managers.ts';
import { mergeTyped } from './merge.ts';
import { neverOwned } from './never-owned.ts';
import { removeFields } from './remove.ts';
import { serverError } from './server-error.ts';
import { bare, difference, emptyLike, resetOf, takeOver, type Write } from './update.ts';

export type Apply = Write & { readonly applied: Mutable; readonly force: boolean };
export type Applied = { readonly object: Mutable; readonly managedFields: ManagedFields[] };

/**
 * Server-side apply: the object as it is to be, before defaults are filled again, and who owns what.
 * What the applier owned and does not say any more goes, unless somebody else owns it too.
 */
export function applyConfiguration(request: Apply): Applied {
  refuseNonsense(request);
  const { apiVersion, kind } = request.applied as KubeObject;
  const live = bare(request.live ?? { apiVersion, kind, metadata: {} }) as KubeObject;
  const managers = managersBefore(request, live);
  try {
    return kept(request, attempt(request, live, managers, request.force));
  } catch (refused) {
    if (!(refused instanceof Conflicts) || request.manager !== 'kubectl') throw refusalOf(refused);
    return kept(request, attemptOverLastApplied(request, live, managers, refused.conflicts));
  }
}

class Conflicts extends Error {
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super('conflicts');
    this.conflicts = conflicts;
  }
}

const refusalOf = (error: unknown): unknown => (error instanceof Conflicts ? conflictRefusal(error.conflicts) : error);

/** What kubectl applied from the client’s side is its own: nobody else is in the way. */
function attemptOverLastApplied(
  request: Apply,
  live: KubeObject,
  managers: Managers,
  conflicts: readonly Conflict[],
): Attempt {
  const allowed = allowedByLastApplied(request.schema, live, request.apiVersion);
  const left = conflicts.filter(({ path }) => allowed?.has(path) !== true);
  if (left.length > 0) throw conflictRefusal(left);
  return attempt(request, live, managers, true);
}

function refuseNonsense({ schema, applied, apiVersion, live }: Apply): void {
  const metadata = (applied['metadata'] ?? {}) as KubeObject['metadata'];
  if (metadata.managedFields !== undefined && metadata.managedFields !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  const wrong = wrongWith(schema, applied);
  if (wrong.length === 0) return;
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const where = `${metadata.namespace ?? live?.metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  const what = `${where}; ${group}/${version}, Kind=${String(applied['kind'])}`;
  const all = wrong.length === 1 ? wrong.join('') : ['errors:', ...wrong.map((line) => `  ${line}`)].join('\n');
  throw serverError(`failed to create typed patch object (${what}): ${all}`);
}

/** Everything that was there before anybody applied belongs to `before-first-apply`. */
function managersBefore(request: Apply, live: KubeObject): Managers {
  const managers = decodeManagers(request.live?.metadata.managedFields ?? []);
  if (managers.size === 0 && request.live !== undefined) {
    const before = { ...request, manager: 'before-first-apply' };
    takeOver(managers, before, emptyLike(request, request.applied), live);
  }
  return managers;
}

type Attempt = { readonly object: Mutable; readonly managers: Managers; readonly changed: boolean };

function attempt(request: Apply, live: KubeObject, before: Managers, force: boolean): Attempt {
  const { schema, applied } = request;
  const managers = new Map(before);
  const self = {
    manager: request.manager,
    operation: 'Apply' as const,
    apiVersion: request.apiVersion,
    subresource: request.subresource ?? '',
  };
  const id = identify(self);
  const last = managers.get(id);
  const fields = fieldsOf(schema, applied).without(resetOf(request, String(applied['kind'])));
  managers.set(id, { ...self, time: last?.time, fields });

  const merged = mergeTyped(schema, live, applied);
  const pruned = last === undefined ? merged : prune(schema, merged, managers, last.fields);
  settle(request, managers, id, live, pruned, force);
  own(managers, id);
  return { object: pruned as Mutable, managers, changed: !isDeepStrictEqual(pruned, live) };
}

function own(managers: Managers, id: string): void {
  const entry = managers.get(id);
  if (entry === undefined) return;
  const fields = entry.fields.difference(neverOwned);
  if (fields.isEmpty) managers.delete(id);
  else managers.set(id, { ...entry, fields });
}

/** Without what the applier owned last time, except what anybody owns now and what was there without an owner. */
function prune(schema: Schema, merged: unknown, managers: Managers, last: FieldSet): unknown {
  const named = (set: FieldSet): FieldSet => set.withNamedFields(schema);
  const all = named(fieldsOf(schema, merged));
  const without = removeFields(schema, merged, named(last));
  const owned = [...managers.values()].reduce((sum, { fields }) => sum.union(fields), new FieldSet());
  const givenBack = removeFields(
    schema,
    merged,
    all.difference(named(fieldsOf(schema, without ?? {})).union(named(owned))),
  );
  const gone = all.difference(named(fieldsOf(schema, givenBack ?? {}))).intersection(named(last));
  return withoutNulls(removeFields(schema, merged, gone), merged);
}

/** What was emptied is not there; a null that somebody wrote is. */
function withoutNulls(value: unknown, before: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, undefined));
  if (typeof value !== 'object' || value === null) return value;
  const old = (typeof before === 'object' && before !== null ? before : {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      inner === null && old[name] !== null ? [] : [[name, withoutNulls(inner, old[name])]],
    ),
  );
}

/** Takes what changed from everybody else, or says with whom that is a conflict. */
function settle(request: Apply, managers: Managers, self: string, live: unknown, next: unknown, force: boolean): void {
  const before = request.live === undefined ? emptyLike(request, request.applied) : live;
  const comparison = difference(request, before, next);
  const changed = comparison.modified.union(comparison.added);
  const others = [...managers].filter(([id]) => id !== self);
  const conflicts = others.flatMap(([id, owner]) =>
    owner.fields
      .intersection(changed)
      .paths()
      .map((path): Conflict => ({ id, owner, path })),
  );
  if (!force && conflicts.length > 0) throw new Conflicts(conflicts);
  for (const [id, entry] of others) {
    const fields = entry.fields.difference(changed).difference(comparison.removed);
    managers.set(id, { ...entry, fields });
  }
  for (const [id, { fields }] of managers) if (fields.isEmpty) managers.delete(id);
}

function kept(request: Apply, { object, managers, changed }: Attempt): Applied {
  const id = identify({ ...request, operation: 'Apply', subresource: request.subresource ?? '' });
  const entry: Manager | undefined = managers.get(id);
  if (changed && entry !== undefined) managers.set(id, { ...entry, time: timeOf(request.now) });
  const annotations = (object['metadata'] as KubeObject['metadata'] | undefined)?.annotations ?? {};
  const isKubectls = request.manager === 'kubectl' && (annotations[lastAppliedKey] ?? '') !== '';
  return {
    object: isKubectls ? withLastApplied(object, request.applied) : object,
    managedFields: encodeManagers(managers),
  };
}
