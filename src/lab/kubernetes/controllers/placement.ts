import { hasAll, meets } from './selectors.ts';
import type { Affinity, Node, NodeSelectorTerm, Taint, Toleration } from './shapes.ts';

export function tolerates(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some(
    ({ key = '', operator = 'Equal', value = '', effect = '' }) =>
      (effect === '' || effect === taint.effect) &&
      (key === '' ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );
}

/** The first taint that keeps a pod without such tolerations away. */
export const untolerated = (node: Node, tolerations: readonly Toleration[] | undefined): Taint | undefined =>
  (node.spec.taints ?? []).find((taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(tolerations, taint));

/** Whether node selector and required node affinity let a pod onto a node. */
export function mayGoTo(
  node: Node,
  {
    nodeSelector,
    affinity,
  }: { readonly nodeSelector?: Readonly<Record<string, string>>; readonly affinity?: Affinity },
): boolean {
  if (!hasAll(nodeSelector ?? {}, node.metadata.labels)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => fits(node, term));
}

function fits(node: Node, { matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) => meets(requirement, node.metadata.labels ?? {})) &&
    matchFields.every((requirement) => meets(requirement, { 'metadata.name': node.metadata.name }))
  );
}
