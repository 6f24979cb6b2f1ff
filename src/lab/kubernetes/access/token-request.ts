import type { Mutable } from '../api.ts';
import { badRequest, conflict, invalid, notFound } from '../refusal.ts';
import type { FieldError } from '../resource.ts';
import { timestamp, uuid } from '../verbs/meta.ts';
import type { SubresourceHandler } from '../verbs/subresource.ts';
import type { AccountTokens, BoundObject } from './account-tokens.ts';

type Spec = {
  readonly audiences?: readonly string[];
  readonly expirationSeconds?: number;
  readonly boundObjectRef?: (BoundObject & { readonly apiVersion?: string }) | null;
};

const leastSeconds = 600;
const mostSeconds = 2 ** 32;
const hour = 3600;

/** `serviceaccounts/token`: a token for whoever may ask for one. */
export const tokenRequest =
  (tokens: AccountTokens): SubresourceHandler =>
  ({ parent, body, namespace = '', api, server, clock }) => {
    const spec = ((body ?? {})['spec'] ?? {}) as Spec;
    const { expirationSeconds = hour, boundObjectRef } = spec;
    const errors: FieldError[] = [];
    const wrong = (message: string): void =>
      void errors.push({
        reason: 'FieldValueInvalid',
        field: 'spec.expirationSeconds',
        message: `Invalid value: ${expirationSeconds}: ${message}`,
      });
    if (expirationSeconds < leastSeconds) wrong('may not specify a duration less than 10 minutes');
    if (expirationSeconds > mostSeconds) wrong('may not specify a duration larger than 2^32 seconds');
    const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
    if (errors.length > 0) throw invalid(kind, '', errors);
    const audiences = spec.audiences === undefined || spec.audiences.length === 0 ? [tokens.issuer] : spec.audiences;
    const { name = '', uid = '' } = parent.metadata;
    const bound = boundObjectRef ?? undefined;
    const { token, expires } = tokens.issue(
      {
        namespace,
        account: { name, uid },
        audiences,
        seconds: expirationSeconds,
        bound: bound === undefined ? undefined : boundTo(bound),
      },
      uuid((bytes) => server.random(bytes)),
    );
    const object: Mutable = {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name, namespace, uid, creationTimestamp: timestamp(clock.now()) },
      spec: { audiences, expirationSeconds, boundObjectRef: boundObjectRef ?? null },
      status: { token, expirationTimestamp: timestamp(expires) },
    };
    return { kind: 'object', code: 201, object };

    function boundTo(ref: BoundObject): BoundObject {
      const resources: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' };
      const resource = resources[ref.kind];
      if (resource === undefined) throw badRequest(`cannot bind token to object of type ${ref.kind}`);
      const found = api.get(`/${resource}`, ref.kind === 'Node' ? undefined : namespace, ref.name);
      if (found === undefined) throw notFound({ group: '', resource }, ref.name);
      const is = found.metadata.uid ?? '';
      if (ref.uid !== undefined && ref.uid !== '' && ref.uid !== is)
        throw conflict(
          { group: '', resource },
          ref.name,
          `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
        );
      return { kind: ref.kind, name: ref.name, uid: is };
    }
  };
