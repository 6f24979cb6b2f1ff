import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { clusterRoleBindings, namespacedRoles, roleBindings } from './bootstrap-bindings.ts';
import type { Bound } from './bootstrap-bindings.ts';
import { controllerRoles } from './bootstrap-controllers.ts';
import { clusterRoles } from './bootstrap-roles.ts';
import { rolesOf } from './role-notation.ts';

const group = 'rbac.authorization.k8s.io';
const apiVersion = `${group}/v1`;
const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' };

/** Roles that are put together of those with a label, and what they are part of themselves. */
const aggregated: Readonly<Record<string, string | undefined>> = { admin: undefined, edit: 'admin', view: 'edit' };
const aggregateTo = (role: string): string => `${group}/aggregate-to-${role}`;

let made: readonly KubeObject[] | undefined;

/** Roles and bindings that every cluster starts with; the same for all, and not to be changed. */
export const bootstrapAccess = (): readonly KubeObject[] => (made ??= [...all()]);

function* all(): Generator<KubeObject> {
  for (const [name, rules] of rolesOf(clusterRoles)) yield clusterRole(name, rules);
  for (const [name, rules] of rolesOf(controllerRoles)) yield clusterRole(`system:controller:${name}`, rules);
  for (const bound of clusterRoleBindings) yield binding('ClusterRoleBinding', undefined, bound);
  for (const name of rolesOf(controllerRoles).keys())
    yield binding('ClusterRoleBinding', undefined, {
      role: `system:controller:${name}`,
      to: [`ServiceAccount kube-system/${name}`],
    });
  for (const [namespace, text] of Object.entries(namespacedRoles))
    for (const [name, rules] of rolesOf(text))
      yield { apiVersion, kind: 'Role', metadata: { name, namespace, labels, annotations }, rules };
  for (const [namespace, bindings] of Object.entries(roleBindings))
    for (const bound of bindings) yield binding('RoleBinding', namespace, bound);
}

function clusterRole(name: string, rules: readonly unknown[]): KubeObject {
  const base = { apiVersion, kind: 'ClusterRole' };
  if (name in aggregated) {
    const part = aggregated[name];
    const own = part === undefined ? labels : { ...labels, [aggregateTo(part)]: 'true' };
    return {
      ...base,
      metadata: { name, labels: own, annotations },
      rules: null,
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [aggregateTo(name)]: 'true' } }] },
    };
  }
  const part = /^system:aggregate-to-(.*)$/.exec(name)?.[1];
  const own = part === undefined ? labels : { ...labels, [aggregateTo(part)]: 'true' };
  return { ...base, metadata: { name, labels: own, annotations }, rules };
}

function binding(kind: string, namespace: string | undefined, { role, name = role, to }: Bound): KubeObject {
  const subjects = to.map((text) => {
    const [kindOf = '', who = ''] = text.split(' ');
    if (kindOf !== 'ServiceAccount') return { kind: kindOf, apiGroup: group, name: who };
    const [home = '', account = ''] = who.split('/');
    return { kind: kindOf, name: account, namespace: home };
  });
  return {
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels, annotations },
    ...(subjects.length === 0 ? {} : { subjects }),
    roleRef: { apiGroup: group, kind: kind === 'RoleBinding' ? 'Role' : 'ClusterRole', name: role },
  };
}
