import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Api, User } from '../api.ts';
import { quote } from '../refusal.ts';
import { isMaster } from './authorize.ts';
import type { Attributes, Authorizer } from './authorize.ts';
import { allowsPath, allowsResource } from './rules.ts';
import type { Rule } from './rules.ts';

const group = 'rbac.authorization.k8s.io';

export type RoleRef = { readonly apiGroup?: string; readonly kind: string; readonly name: string };
type Subject = { readonly kind: string; readonly name: string; readonly namespace?: string };
type Reader = Pick<Api, 'get' | 'list'>;

/** A rule that somebody has, with the sentence that says why; or a role that is not there. */
type Granted =
  | { readonly kind: 'rule'; readonly rule: Rule; readonly because: string }
  | { readonly kind: 'missing'; readonly error: string };

/** Everything that somebody may do in the cluster, and in one namespace besides. */
export function* granted(api: Reader, user: User, namespace: string | undefined): Generator<Granted> {
  for (const binding of api.list(`${group}/clusterrolebindings`)) yield* through(api, user, binding, undefined);
  if (namespace === undefined || namespace === '') return;
  for (const binding of api.list(`${group}/rolebindings`, namespace)) yield* through(api, user, binding, namespace);
}

function* through(api: Reader, user: User, binding: KubeObject, namespace: string | undefined): Generator<Granted> {
  const subjects = (binding['subjects'] ?? []) as readonly Subject[];
  const subject = subjects.find((each) => isMeant(each, user, namespace));
  if (subject === undefined) return;
  const ref = binding['roleRef'] as RoleRef;
  const rules = rulesOf(api, ref, namespace);
  if (typeof rules === 'string') {
    yield { kind: 'missing', error: rules };
    return;
  }
  const name =
    namespace === undefined
      ? `ClusterRoleBinding ${quote(binding.metadata.name ?? '')}`
      : `RoleBinding ${quote(`${binding.metadata.name ?? ''}/${namespace}`)}`;
  const because = `RBAC: allowed by ${name} of ${ref.kind} ${quote(ref.name)} to ${described(subject, namespace)}`;
  for (const rule of rules) yield { kind: 'rule', rule, because };
}

const described = (subject: Subject, namespace: string | undefined): string =>
  subject.kind === 'ServiceAccount'
    ? `ServiceAccount ${quote(`${subject.name}/${subject.namespace ?? namespace ?? ''}`)}`
    : `${subject.kind} ${quote(subject.name)}`;

/** The rules of a role, or that there is none. */
export function rulesOf(api: Reader, ref: RoleRef, namespace: string | undefined): readonly Rule[] | string {
  const isCluster = ref.kind === 'ClusterRole';
  const resource = isCluster ? 'clusterroles' : 'roles';
  const role = api.get(`${group}/${resource}`, isCluster ? undefined : namespace, ref.name);
  if (role === undefined) return `${resource.slice(0, -1)}.${group} ${quote(ref.name)} not found`;
  return (role['rules'] ?? []) as readonly Rule[];
}

function isMeant(subject: Subject, user: User, namespace: string | undefined): boolean {
  switch (subject.kind) {
    case 'User':
      return user.name === subject.name;
    case 'Group':
      return user.groups.includes(subject.name);
    case 'ServiceAccount':
      return user.name === `system:serviceaccount:${subject.namespace ?? namespace ?? ''}:${subject.name}`;
    default:
      return false;
  }
}

export function rbacAuthorizer(api: Reader): Authorizer {
  return (attributes) => {
    if (isMaster(attributes.user)) return { isAllowed: true, reason: '' };
    const errors: string[] = [];
    for (const each of granted(api, attributes.user, attributes.resource?.namespace)) {
      if (each.kind === 'missing') errors.push(each.error);
      else if (allows(each.rule, attributes)) return { isAllowed: true, reason: each.because };
    }
    if (errors.length === 0) return { isAllowed: false, reason: '' };
    return { isAllowed: false, reason: `RBAC: ${errors.length === 1 ? errors.join('') : `[${errors.join(', ')}]`}` };
  };
}

function allows(rule: Rule, { verb, resource, path }: Attributes): boolean {
  if (resource === undefined) return allowsPath(rule, verb, path);
  const { subresource } = resource;
  return allowsResource(rule, {
    verb,
    group: resource.group,
    resource: subresource === undefined ? resource.resource : `${resource.resource}/${subresource}`,
    name: resource.name ?? '',
  });
}
