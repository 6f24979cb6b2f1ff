import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Api, User } from '../api.ts';
import { resourceKey } from '../discovery/registry.ts';
import { badRequest, invalid } from '../refusal.ts';
import type { FieldError, ResourceDefinition, Strategy } from '../resource.ts';
import { timestamp } from '../verbs/meta.ts';
import type { AccountTokens } from './account-tokens.ts';
import type { Attributes, Authorizer } from './authorize.ts';
import { granted } from './rbac.ts';
import type { Rule } from './rules.ts';

type Tools = {
  readonly api: Pick<Api, 'get' | 'list'>;
  readonly authorize: Authorizer;
  readonly tokens: AccountTokens;
  readonly known: ReadonlyMap<string, User>;
};

type AccessSpec = {
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly resourceAttributes?: {
    readonly namespace?: string;
    readonly verb?: string;
    readonly group?: string;
    readonly version?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly name?: string;
  };
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
};

/** How reviews are answered, by resource; undefined: it is none. */
export function reviewOf(definition: ResourceDefinition, tools: Tools): Strategy['answer'] {
  switch (resourceKey(definition)) {
    case 'authentication.k8s.io/tokenreviews':
      return (object) => reviewToken(object, tools);
    case 'authentication.k8s.io/selfsubjectreviews':
      return (_, { user, now }) => ({
        kind: definition.kind,
        apiVersion: 'authentication.k8s.io/v1',
        metadata: { creationTimestamp: timestamp(now) },
        status: { userInfo: userInfo(user) },
      });
    case 'authorization.k8s.io/selfsubjectaccessreviews':
      return (object, { user }) => reviewAccess(object, tools, user);
    case 'authorization.k8s.io/subjectaccessreviews':
    case 'authorization.k8s.io/localsubjectaccessreviews':
      return (object) => reviewAccess(object, tools, undefined);
    case 'authorization.k8s.io/selfsubjectrulesreviews':
      return (object, { user }) => reviewRules(object, tools, user);
    default:
      return undefined;
  }
}

const userInfo = ({ name, uid, groups, extra }: User) => ({
  username: name,
  ...(uid === undefined || uid === '' ? {} : { uid }),
  groups,
  ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra }),
});

function reviewToken(object: KubeObject, { tokens, known }: Tools): KubeObject {
  const { token = '', audiences = [] } = (object['spec'] ?? {}) as {
    readonly token?: string;
    readonly audiences?: readonly string[];
  };
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const fixed = known.get(token);
  const own = tokens.read(token);
  const bare = bareReview(object);
  const refuse = (error: string): KubeObject => ({ ...bare, status: { user: {}, error } });
  if (fixed !== undefined)
    return {
      ...bare,
      status: { authenticated: true, user: userInfo(authenticated(fixed)), audiences: [tokens.issuer] },
    };
  if (own === undefined) return refuse('invalid bearer token');
  const wanted = audiences.length === 0 ? [tokens.issuer] : audiences;
  const common = own.audiences.filter((each) => wanted.includes(each));
  const quoted = (list: readonly string[]): string => `[${list.map((each) => JSON.stringify(each)).join(' ')}]`;
  if (common.length === 0)
    return refuse(
      `[invalid bearer token, token audiences ${quoted(own.audiences)} is invalid for the target audiences ${quoted(wanted)}]`,
    );
  return {
    ...bare,
    status: { authenticated: true, user: userInfo(authenticated(own.user)), audiences: common },
  };
}

const authenticated = (user: User): User => ({ ...user, groups: [...user.groups, 'system:authenticated'] });

/** Reviews are not stored and have no identity. */
const bareReview = ({ kind, apiVersion, metadata, spec }: KubeObject & { readonly spec?: unknown }): KubeObject => {
  const { namespace } = metadata;
  return { kind, apiVersion, metadata: namespace === undefined ? {} : { namespace }, spec };
};

function reviewAccess(object: KubeObject, { authorize }: Tools, self: User | undefined): KubeObject {
  const spec = (object['spec'] ?? {}) as AccessSpec;
  const errors = accessErrors(object, spec, self);
  if (errors.length > 0) throw invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors);
  const user: User = self ?? {
    name: spec.user ?? '',
    groups: spec.groups ?? [],
    ...(spec.uid === undefined ? {} : { uid: spec.uid }),
    ...(spec.extra === undefined ? {} : { extra: spec.extra }),
  };
  const { isAllowed, reason } = authorize(attributesOf(spec, user));
  const bare = bareReview(object);
  return { ...bare, status: { allowed: isAllowed, ...(reason === '' ? {} : { reason }) } };
}

function attributesOf({ resourceAttributes, nonResourceAttributes }: AccessSpec, user: User): Attributes {
  if (resourceAttributes === undefined)
    return { user, verb: nonResourceAttributes?.verb ?? '', path: nonResourceAttributes?.path ?? '' };
  const { namespace, verb = '', group = '', version = '', resource = '', subresource, name } = resourceAttributes;
  const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text);
  return {
    user,
    verb,
    path: '',
    resource: {
      group,
      version,
      resource,
      subresource: given(subresource),
      namespace: given(namespace),
      name: given(name),
    },
  };
}

function accessErrors(object: KubeObject, spec: AccessSpec, self: User | undefined): readonly FieldError[] {
  const errors: FieldError[] = [];
  const wrong = (field: string, message: string): void =>
    void errors.push({ reason: 'FieldValueInvalid', field, message: `Invalid value: ${message}` });
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined)
    wrong('spec.nonResourceAttributes', 'cannot be specified in combination with resourceAttributes');
  if (resourceAttributes === undefined && nonResourceAttributes === undefined)
    wrong(
      'spec.resourceAttributes',
      'null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    );
  if (self === undefined && (spec.user ?? '') === '' && (spec.groups ?? []).length === 0)
    wrong('spec.user', '"": at least one of user or group must be specified');
  const { namespace } = object.metadata;
  if (namespace !== undefined && resourceAttributes !== undefined && resourceAttributes.namespace !== namespace)
    wrong(
      'spec.resourceAttributes.namespace',
      `${JSON.stringify(resourceAttributes.namespace ?? '')}: must match metadata.namespace`,
    );
  return errors;
}

function reviewRules(object: KubeObject, { api }: Tools, user: User): KubeObject {
  const { namespace = '' } = (object['spec'] ?? {}) as { readonly namespace?: string };
  if (namespace === '') throw badRequest('no namespace on request');
  const rules = [...granted(api, user, namespace)].flatMap((each): readonly Rule[] =>
    each.kind === 'rule' ? [each.rule] : [],
  );
  return {
    ...bareReview(object),
    spec: {},
    status: {
      resourceRules: rules.filter(({ resources }) => resources !== undefined),
      nonResourceRules: rules
        .filter(({ nonResourceURLs }) => nonResourceURLs !== undefined)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
      incomplete: false,
    },
  };
}
