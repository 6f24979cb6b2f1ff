import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { badRequest, invalid, quote, Refusal } from '../refusal.ts';
import type { FieldError, ResourceDefinition } from '../resource.ts';
import { fieldSelector } from './field-selector.ts';
import { labelSelector } from './label-selector.ts';

/** What a query says about a list or a watch. */
export type ListOptions = {
  readonly matches: (object: KubeObject) => boolean;
  /** Nothing is left out. */
  readonly isWhole: boolean;
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
};

export function listOptions(
  definition: ResourceDefinition,
  query: URLSearchParams,
  isWatch: boolean,
  name?: string,
): ListOptions {
  const [labels, fields] = [query.get('labelSelector') ?? '', query.get('fieldSelector') ?? ''];
  const [byLabels, byFields] = [labelSelector(labels), fieldSelector(definition, fields)];
  const options = {
    matches: (object: KubeObject) =>
      byLabels(object.metadata.labels) && byFields(object) && (name === undefined || object.metadata.name === name),
    isWhole: labels === '' && fields === '' && name === undefined,
    limit: integer(query.get('limit')) ?? 0,
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    sendInitialEvents: switchOf(query.get('sendInitialEvents')),
    bookmarks: switchOf(query.get('allowWatchBookmarks')) ?? false,
    timeoutSeconds: integer(query.get('timeoutSeconds')),
  };
  const errors = isWatch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return options;
}

function integer(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: invalid syntax`);
  return Number(text);
}

const switchOf = (text: string | null): boolean | undefined =>
  text === null ? undefined : !['false', '0'].includes(text.toLowerCase());

const prohibited = (field: string, why: string): FieldError => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${why}`,
});

const match = 'resourceVersionMatch';

const notSupported = (value: string, supported: readonly string[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  field: match,
  message: `Unsupported value: ${quote(value)}: supported values: ${supported.map(quote).join(', ')}`,
});

function listErrors(options: ListOptions): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (options.sendInitialEvents !== undefined)
    errors.push(prohibited('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  if (options.resourceVersionMatch === '') return errors;
  if (options.resourceVersion === '')
    errors.push(prohibited(match, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  if (options.continue !== '')
    errors.push(prohibited(match, 'resourceVersionMatch is forbidden when continue is provided'));
  if (!['Exact', 'NotOlderThan'].includes(options.resourceVersionMatch))
    errors.push(notSupported(options.resourceVersionMatch, ['Exact', 'NotOlderThan', '']));
  if (options.resourceVersionMatch === 'Exact' && options.resourceVersion === '0')
    errors.push(prohibited(match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  return errors;
}

function watchErrors(options: ListOptions): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (options.sendInitialEvents !== undefined && options.resourceVersionMatch === '')
    errors.push(prohibited(match, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  if (options.resourceVersionMatch === '') return errors;
  if (options.sendInitialEvents === undefined)
    errors.push(prohibited(match, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  if (options.resourceVersionMatch !== 'NotOlderThan')
    errors.push(notSupported(options.resourceVersionMatch, ['NotOlderThan']));
  if (options.continue !== '')
    errors.push(prohibited(match, 'resourceVersionMatch is forbidden when continue is provided'));
  return errors;
}

/** Who asks for a version that is not there yet waits for it, and is told that it did not come. */
export const tooLargeVersion = (wanted: number, current: number): Refusal =>
  new Refusal({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    reason: 'Timeout',
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
    code: 504,
  });
