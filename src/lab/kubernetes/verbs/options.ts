import type { Mutable } from '../api.ts';
import { badRequest, invalid, quote } from '../refusal.ts';
import type { FieldError } from '../resource.ts';
import type { Deletion } from './delete.ts';

/** What a query says about a write. */
export type WriteOptions = {
  readonly dryRun: boolean;
  readonly manager: string | undefined;
  readonly force: boolean | undefined;
  readonly validation: 'Ignore' | 'Warn' | 'Strict';
};

const longestManager = 128;

export function writeOptions(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  isApply = false,
): WriteOptions {
  const validation = query.get('fieldValidation') ?? '';
  const manager = query.get('fieldManager') ?? '';
  const force = query.get('force');
  const dryRun = query.getAll('dryRun').filter((each) => each !== '');
  const errors: FieldError[] = [];
  if (kind === 'PatchOptions' && isApply && manager === '')
    errors.push({
      reason: 'FieldValueRequired',
      field: 'fieldManager',
      message: 'Required value: is required for apply patch',
    });
  if (kind === 'PatchOptions' && !isApply && force !== null)
    errors.push({
      reason: 'FieldValueForbidden',
      field: 'force',
      message: 'Forbidden: may not be specified for non-apply patch',
    });
  if (Buffer.byteLength(manager) > longestManager)
    errors.push({
      reason: 'FieldValueTooLong',
      field: 'fieldManager',
      message: `Too long: may not be more than ${longestManager} bytes`,
    });
  errors.push(...dryRunErrors(dryRun));
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation))
    errors.push(unsupported('fieldValidation', quote(validation), ['', 'Ignore', 'Strict', 'Warn']));
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    manager: manager === '' ? undefined : manager,
    force: force === null ? undefined : !['false', '0'].includes(force.toLowerCase()),
    validation: validation === '' ? 'Warn' : (validation as WriteOptions['validation']),
  };
}

const unsupported = (field: string, value: string, supported: readonly string[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${value}: supported values: ${supported.map(quote).join(', ')}`,
});

const dryRunErrors = (dryRun: readonly string[]): readonly FieldError[] =>
  dryRun.some((each) => each !== 'All') ? [unsupported('dryRun', JSON.stringify(dryRun), ['All'])] : [];

/** Of a body, or of a query when there is none. */
export function deletionOf(body: Mutable | undefined, query: URLSearchParams): Deletion & { readonly dryRun: boolean } {
  const kind = body?.['kind'];
  if (body !== undefined && kind !== undefined && kind !== 'DeleteOptions')
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(body['apiVersion'] ?? '')} in scheme "pkg/runtime/scheme.go:111"`,
    );
  const given = body ?? fromQuery(query);
  const dryRun = (given['dryRun'] ?? []) as readonly string[];
  const propagation = given['propagationPolicy'] as string | undefined;
  const orphan = given['orphanDependents'] as boolean | undefined;
  const errors = [...propagationErrors(propagation, orphan), ...dryRunErrors(dryRun)];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return {
    gracePeriodSeconds: given['gracePeriodSeconds'] as number | undefined,
    orphanDependents: orphan,
    propagation: propagation as Deletion['propagation'],
    preconditions: given['preconditions'] ?? {},
    dryRun: dryRun.length > 0,
  };
}

function fromQuery(query: URLSearchParams): Mutable {
  const [grace, orphan, policy] = ['gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'].map((name) =>
    query.get(name),
  );
  if (typeof grace === 'string' && !/^[+-]?\d+$/.test(grace))
    throw badRequest(`strconv.ParseInt: parsing ${quote(grace)}: invalid syntax`);
  return {
    ...(typeof grace === 'string' ? { gracePeriodSeconds: Number(grace) } : {}),
    ...(typeof orphan === 'string' ? { orphanDependents: orphan === 'true' } : {}),
    ...(typeof policy === 'string' ? { propagationPolicy: policy } : {}),
    dryRun: query.getAll('dryRun').filter((each) => each !== ''),
  };
}

function propagationErrors(policy: string | undefined, orphan: boolean | undefined): readonly FieldError[] {
  if (policy === undefined) return [];
  const both = 'orphanDependents and deletionPropagation cannot be both set';
  return [
    ...(orphan === undefined
      ? []
      : [
          {
            reason: 'FieldValueInvalid' as const,
            field: 'propagationPolicy',
            message: `Invalid value: ${quote(policy)}: ${both}`,
          },
        ]),
    ...(['Foreground', 'Background', 'Orphan'].includes(policy)
      ? []
      : [unsupported('propagationPolicy', quote(policy), ['Foreground', 'Background', 'Orphan', 'nil'])]),
  ];
}
