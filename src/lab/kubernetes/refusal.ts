import type { Status, StatusDetails, StatusReason } from '../../wire/kubernetes/objects.ts';
import type { FieldError } from './resource.ts';

/** A request that ends otherwise than it wished; thrown anywhere, answered as its Status. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? '');
    this.status = status;
  }
}

/** What a message is about: `deployments` of `apps`. */
export type Named = { readonly group: string; readonly resource: string };

const failure = (code: number, reason: StatusReason, message: string, details?: StatusDetails): Refusal =>
  new Refusal({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details === undefined ? {} : { details }),
    code,
  });

/** `deployments.apps`, `pods` */
const qualified = ({ group, resource }: Named): string => (group === '' ? resource : `${resource}.${group}`);

const detailsOf = ({ group, resource }: Named, name: string): StatusDetails => ({
  ...(name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  ...(resource === '' ? {} : { kind: resource }),
});

export const notFound = (what: Named, name: string): Refusal =>
  failure(404, 'NotFound', `${qualified(what)} ${quote(name)} not found`, detailsOf(what, name));

/** A path that leads to no resource at all. */
export const noSuchResource = (): Refusal =>
  failure(404, 'NotFound', 'the server could not find the requested resource', {});

export const alreadyExists = (what: Named, name: string): Refusal =>
  failure(409, 'AlreadyExists', `${qualified(what)} ${quote(name)} already exists`, detailsOf(what, name));

export const noUniqueName = (what: Named, name: string): Refusal =>
  failure(
    409,
    'AlreadyExists',
    `${qualified(what)} ${quote(name)} already exists, the server was not able to generate a unique name for the object`,
    { ...detailsOf(what, name), retryAfterSeconds: 1 },
  );

export const conflict = (what: Named, name: string, because: string): Refusal =>
  failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(what)} ${quote(name)}: ${because}`,
    detailsOf(what, name),
  );

export const applyConflict = (message: string, causes: NonNullable<StatusDetails['causes']>): Refusal =>
  failure(409, 'Conflict', message, { causes });

export function forbidden(what: Named, name: string, because: string): Refusal {
  const subject = name === '' ? qualified(what) : `${qualified(what)} ${quote(name)}`;
  const message = qualified(what) === '' ? `forbidden: ${because}` : `${subject} is forbidden: ${because}`;
  return failure(403, 'Forbidden', message, detailsOf(what, name));
}

export const unauthorized = (): Refusal => failure(401, 'Unauthorized', 'Unauthorized');

export const badRequest = (message: string): Refusal => failure(400, 'BadRequest', message);

export function invalid(
  what: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): Refusal {
  const lines = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  const all = lines.length === 1 ? lines.join('') : `[${lines.join(', ')}]`;
  const subject = `${qualified({ group: what.group, resource: what.kind })} ${quote(name)} is invalid`;
  return failure(422, 'Invalid', errors.length === 0 ? subject : `${subject}: ${all}`, {
    ...detailsOf({ group: what.group, resource: what.kind }, name),
    ...(errors.length === 0
      ? {}
      : { causes: errors.map(({ reason, field, message }) => ({ reason, message, field })) }),
  });
}

/** What the API server has no reason for. */
export const failed = (code: number, message: string): Refusal =>
  new Refusal({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code });

/** Only a verb that a resource does not have. */
export const methodNotAllowed = (): Refusal =>
  failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

export const notAcceptable = (accepted: readonly string[], target?: string): Refusal =>
  failure(
    406,
    'NotAcceptable',
    `only the following media types are accepted${target === undefined ? '' : ` when converting to ${target}`}: ${accepted.join(', ')}`,
  );

export const unsupportedMediaType = (accepted: readonly string[]): Refusal =>
  failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

export const tooLarge = (message: string): Refusal =>
  failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);

/** The version that somebody goes on from is forgotten. */
export const expired = (message: string, goOn?: string): Refusal => {
  const { status } = failure(410, 'Expired', message);
  return new Refusal(goOn === undefined ? status : { ...status, metadata: { continue: goOn } });
};

export const tooManyRequests = (message: string, retryAfterSeconds?: number): Refusal =>
  failure(429, 'TooManyRequests', message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });

export const serviceUnavailable = (message: string): Refusal => failure(503, 'ServiceUnavailable', message);

export const timedOut = (message: string, retryAfterSeconds?: number): Refusal =>
  failure(504, 'Timeout', `Timeout: ${message}`, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });

export const internalError = (because: string): Refusal =>
  failure(500, 'InternalError', `Internal error occurred: ${because}`, { causes: [{ message: because }] });

/** Text in the quotes of Go’s `%q`. */
export function quote(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\uffff]/g, (sign) => (isPrintable(sign) ? sign : escaped(sign)));
}

const isPrintable = (sign: string): boolean => !/[\p{C}\p{Z}]/u.test(sign) || /[\ud800-\udfff]/.test(sign);
const escaped = (sign: string): string => {
  const code = sign.charCodeAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
};
