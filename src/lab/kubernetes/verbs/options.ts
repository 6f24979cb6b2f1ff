import type { Mutable } from '../api.ts';
import { badRequest, invalid } from '../refusal.ts';
import type { Deletion } from './delete.ts';

/** What a query says about a write. */
export type WriteOptions = {
  readonly dryRun: boolean;
  readonly manager: string | undefined;
  readonly force: boolean | undefined;
  readonly validation: 'Ignore' | 'Warn' | 'Strict';
};

export function writeOptions(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
): WriteOptions {
  const dryRun = query.getAll('dryRun').filter((each) => each !== '');
  const validation = query.get('fieldValidation') ?? '';
  const meta = { group: 'meta.k8s.io', kind };
  if (dryRun.some((each) => each !== 'All')) throw invalid(meta, '', [unsupported('dryRun', [dryRun], ['All'])]);
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation))
    throw invalid(meta, '', [unsupported('fieldValidation', validation, ['', 'Ignore', 'Warn', 'Strict'])]);
  const manager = query.get('fieldManager') ?? '';
  return {
    dryRun: dryRun.length > 0,
    manager: manager === '' ? undefined : manager,
    force: query.get('force') === null ? undefined : query.get('force') === 'true',
    validation: validation === '' ? 'Warn' : (validation as WriteOptions['validation']),
  };
}

const unsupported = (field: string, value: unknown, supported: readonly string[]) => ({
  reason: 'FieldValueNotSupported' as const,
  field,
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.map((each) => JSON.stringify(each)).join(', ')}`,
});

/** Of a body, or of a query when there is none. */
export function deletionOf(body: Mutable | undefined, query: URLSearchParams): Deletion & { readonly dryRun: boolean } {
  const given: Mutable = body ?? {};
  const text = (name: string): string | undefined =>
    (given[name] as string | undefined) ?? query.get(name) ?? undefined;
  const grace = given['gracePeriodSeconds'] ?? query.get('gracePeriodSeconds') ?? undefined;
  const orphan = given['orphanDependents'] ?? query.get('orphanDependents') ?? undefined;
  const dryRun = (given['dryRun'] as readonly string[] | undefined) ?? query.getAll('dryRun');
  const propagation = text('propagationPolicy');
  if (grace !== undefined && !Number.isInteger(Number(grace))) throw badRequest(`invalid gracePeriodSeconds`);
  return {
    gracePeriodSeconds: grace === undefined ? undefined : Number(grace),
    orphanDependents: orphan === undefined ? undefined : String(orphan) === 'true',
    propagation: propagation as Deletion['propagation'],
    preconditions: (given['preconditions'] ?? {}) as NonNullable<Deletion['preconditions']>,
    dryRun: dryRun.some((each) => each === 'All'),
  };
}
