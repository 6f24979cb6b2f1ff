import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Api } from '../api.ts';
import { same } from '../verbs/clone.ts';
import { selectorOf } from '../verbs/label-selector.ts';
import type { LabelSelector } from '../verbs/label-selector.ts';
import type { Rule } from './rules.ts';

const clusterRoles = 'rbac.authorization.k8s.io/clusterroles';
const manager = 'clusterrole-aggregation-controller';

/** Keeps the rules of roles that are put together of others, as the controller manager does. */
export function aggregateClusterRoles(api: Api): void {
  const settle = (): void => {
    for (let isSettled = false; !isSettled;) {
      isSettled = true;
      for (const role of api.list(clusterRoles)) {
        const rules = collected(api, role);
        if (rules === undefined || same(rules, role['rules'] ?? [])) continue;
        isSettled = false;
        api.update(clusterRoles, undefined, role.metadata.name ?? '', (next) => (next['rules'] = rules), { manager });
      }
    }
  };
  settle();
  api.onChange(clusterRoles, settle);
}

function collected(api: Api, role: KubeObject): readonly Rule[] | undefined {
  const { clusterRoleSelectors = [] } = (role['aggregationRule'] ?? {}) as {
    readonly clusterRoleSelectors?: readonly LabelSelector[];
  };
  if (clusterRoleSelectors.length === 0) return undefined;
  const rules: Rule[] = [];
  for (const selector of clusterRoleSelectors.map(selectorOf))
    for (const other of api.list(clusterRoles)) {
      if (other.metadata.name === role.metadata.name || !selector(other.metadata.labels)) continue;
      for (const rule of (other['rules'] ?? []) as readonly Rule[])
        if (!rules.some((each) => same(each, rule))) rules.push(rule);
    }
  return rules;
}
