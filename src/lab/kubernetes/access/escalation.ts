import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Api, User } from '../api.ts';
import { resourceKey } from '../discovery/registry.ts';
import { forbidden, notFound, quote } from '../refusal.ts';
import type { ResourceDefinition } from '../resource.ts';
import { isMaster } from './authorize.ts';
import type { Authorizer } from './authorize.ts';
import { granted, rulesOf } from './rbac.ts';
import type { RoleRef } from './rbac.ts';
import { describeRules, listOf, missingRules } from './rules.ts';
import type { Rule } from './rules.ts';

const group = 'rbac.authorization.k8s.io';
const everything: readonly Rule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

type Role = KubeObject & {
  readonly rules?: readonly Rule[];
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly unknown[] };
};

/** Nobody gives away, with a role or a binding, what they do not have; refused in the API server’s words. */
export function checkEscalation(
  api: Pick<Api, 'get' | 'list'>,
  authorize: Authorizer,
  definition: ResourceDefinition,
  next: KubeObject,
  old: KubeObject | undefined,
  user: User,
): void {
  if (definition.group !== group || isMaster(user)) return;
  const { name = '', namespace } = next.metadata;
  const may = (verb: string, resource: string, of: string): boolean =>
    authorize({
      user,
      verb,
      path: '',
      resource: { group, version: '*', resource, subresource: undefined, namespace, name: of },
    }).isAllowed;
  const confirm = (rules: readonly Rule[], message?: string): void => {
    const owned = [...granted(api, user, namespace)].flatMap((each) => (each.kind === 'rule' ? [each.rule] : []));
    const missing = missingRules(owned, rules);
    if (missing.length === 0) return;
    const detail = `user ${quote(user.name)} (groups=${listOf(user.groups)}) is attempting to grant RBAC permissions not currently held:\n${describeRules(missing).join('\n')}`;
    throw forbidden(definition, name, message ?? detail);
  };
  switch (resourceKey(definition)) {
    case `${group}/roles`:
    case `${group}/clusterroles`: {
      if (may('escalate', definition.resource, name)) return;
      const role = next as Role;
      confirm(role.rules ?? []);
      if (isAggregated(role) || (old !== undefined && isAggregated(old)))
        confirm(everything, 'must have cluster-admin privileges to use the aggregationRule');
      return;
    }
    case `${group}/rolebindings`:
    case `${group}/clusterrolebindings`: {
      const ref = next['roleRef'] as RoleRef | undefined;
      if (ref === undefined) return;
      if (may('bind', ref.kind === 'ClusterRole' ? 'clusterroles' : 'roles', ref.name)) return;
      const rules = rulesOf(api, ref, namespace);
      if (typeof rules === 'string')
        throw notFound({ group, resource: ref.kind === 'ClusterRole' ? 'clusterroles' : 'roles' }, ref.name);
      return confirm(rules);
    }
    default:
      return;
  }
}

const isAggregated = ({ aggregationRule }: Role): boolean => (aggregationRule?.clusterRoleSelectors ?? []).length > 0;
