import { revisionsOf, upgradeReasons, type HelmRevision } from '../helm/release.ts';
import { titleOf, type Live } from '../live.ts';
import type { Release } from './network.ts';

/** How the release of a network stands in a cluster, by what helm and the objects themselves say. */
export type Standing =
  | { readonly kind: 'absent' }
  | { readonly kind: 'current'; readonly revision: number }
  | { readonly kind: 'differs'; readonly revision: number; readonly reasons: readonly string[] }
  /** Helm is at it, or was when it died. */
  | { readonly kind: 'pending'; readonly newest: HelmRevision }
  /** Somebody else keeps it from now on. */
  | { readonly kind: 'handed-over'; readonly to: string }
  /** It is there, and helm knows nothing of it. */
  | { readonly kind: 'foreign'; readonly object: string };

/** Marks of those who may have taken the network over, on its own objects. */
const keepers: readonly (readonly [who: string, mark: string])[] = [
  ['Flux', 'helm.toolkit.fluxcd.io/name'],
  ['Flux', 'kustomize.toolkit.fluxcd.io/name'],
  ['Argo CD', 'argocd.argoproj.io/tracking-id'],
  ['Argo CD', 'argocd.argoproj.io/instance'],
];

export function standingOf(release: Release, secrets: readonly Live[], agent: Live | undefined): Standing {
  const marks = { ...agent?.metadata.labels, ...agent?.metadata.annotations };
  const keeper = keepers.find(([, mark]) => mark in marks);
  if (keeper !== undefined) return { kind: 'handed-over', to: keeper[0] };
  const [newest] = revisionsOf(secrets);
  if (newest === undefined)
    return agent === undefined || marks['meta.helm.sh/release-name'] === release.name
      ? { kind: 'absent' }
      : { kind: 'foreign', object: titleOf(agent) };
  if (newest.status.startsWith('pending-') || newest.status === 'uninstalling') return { kind: 'pending', newest };
  if (newest.status === 'uninstalled') return { kind: 'absent' };
  const reasons = upgradeReasons(newest, release);
  return reasons.length === 0
    ? { kind: 'current', revision: newest.revision }
    : { kind: 'differs', revision: newest.revision, reasons };
}
