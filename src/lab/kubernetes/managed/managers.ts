import type { ManagedFields } from '../../../wire/kubernetes/objects.ts';
import { byCode } from './element.ts';
import { decodeFields, encodeFields, type FieldSet } from './field-set.ts';

/** Who owns what. */
export type Manager = {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
};

/** By who they are: appliers are one whatever version they speak, updaters are told apart by it. */
export type Managers = Map<string, Manager>;

export const identify = (who: Pick<Manager, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string =>
  JSON.stringify({
    ...(who.manager === '' ? {} : { manager: who.manager }),
    operation: who.operation,
    ...(who.operation === 'Apply' ? {} : { apiVersion: who.apiVersion }),
    ...(who.subresource === '' ? {} : { subresource: who.subresource }),
  });

function managersFrom(entries: readonly Manager[]): Managers {
  return new Map(entries.map((entry) => [identify(entry), entry]));
}

/** Throws a plain error in the server’s words when an entry is none. */
export function decodeManagers(entries: readonly ManagedFields[]): Managers {
  return managersFrom(
    entries.map((entry, at) => {
      if (entry.operation !== 'Apply' && entry.operation !== 'Update') {
        throw new Error('operation must be `Apply` or `Update`');
      }
      if ((entry.apiVersion ?? '') === '') throw new Error('apiVersion must not be empty');
      if ((entry.fieldsType as string | undefined) === undefined) {
        throw new Error(`missing fieldsType in managed fields entry ${at}`);
      }
      if (entry.fieldsType !== 'FieldsV1') {
        throw new Error(`invalid fieldsType ${JSON.stringify(entry.fieldsType)} in managed fields entry ${at}`);
      }
      return {
        manager: entry.manager ?? '',
        operation: entry.operation,
        apiVersion: entry.apiVersion ?? '',
        subresource: entry.subresource ?? '',
        time: entry.time,
        fields: decodeFields(entry.fieldsV1 ?? {}),
      };
    }),
  );
}

/** Appliers first, then the oldest. */
export function encodeManagers(managers: Managers): ManagedFields[] {
  return [...managers.values()]
    .sort(
      (a, b) =>
        byCode(a.operation, b.operation) ||
        seconds(a.time) - seconds(b.time) ||
        byCode(a.manager, b.manager) ||
        byCode(a.apiVersion, b.apiVersion) ||
        byCode(a.subresource, b.subresource),
    )
    .map(({ manager, operation, apiVersion, subresource, time, fields }) => ({
      ...(manager === '' ? {} : { manager }),
      operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: encodeFields(fields),
      ...(subresource === '' ? {} : { subresource }),
    }));
}

const seconds = (time: string | undefined): number => (time === undefined ? 0 : Math.floor(Date.parse(time) / 1000));

/** Times are kept to the second. */
export const timeOf = (now: Date): string => `${now.toISOString().slice(0, 19)}Z`;

const mostUpdaters = 10;

/** The oldest updates become one entry per version when there are more than ten. */
export function capUpdaters(managers: Managers): void {
  const updaters = [...managers]
    .filter(([, { operation }]) => operation === 'Update')
    .sort(([a, left], [b, right]) => seconds(left.time) - seconds(right.time) || byCode(a, b));
  let left = updaters.length;
  const first = new Map<string, string>();
  for (const [id, entry] of updaters) {
    if (left <= mostUpdaters) return;
    const seen = first.get(entry.apiVersion);
    if (seen === undefined) {
      first.set(entry.apiVersion, id);
      continue;
    }
    const ancient = { ...entry, manager: 'ancient-changes', subresource: '' };
    const bucket = identify(ancient);
    const before = managers.get(bucket) ?? managers.get(seen);
    if (!managers.has(bucket)) managers.delete(seen);
    managers.delete(id);
    managers.set(bucket, {
      ...ancient,
      fields: before === undefined ? entry.fields : entry.fields.union(before.fields),
    });
    left--;
  }
}
