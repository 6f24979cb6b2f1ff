import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { withCondition } from './conditions.ts';
import type { Controller } from './loop.ts';
import type { Condition, Namespace } from './shapes.ts';
import { change, controllerManager, find, isLeaving, itself, timestamp, writeStatus } from './tools.ts';
import type { Tools } from './tools.ts';

/** Empties namespaces that were deleted, and lets them go. */
export function namespaces(tools: Tools): Controller {
  const { api } = tools;
  return {
    name: 'namespace',
    watches: {
      '/namespaces': itself,
      '*': ({ metadata }) => {
        if (metadata.namespace === undefined) return [];
        const home = api.get('/namespaces', undefined, metadata.namespace);
        return home?.metadata.deletionTimestamp === undefined ? [] : [metadata.namespace];
      },
    },
    reconcile: (name) => {
      const namespace = find(api, '/namespaces', name);
      if (namespace === undefined || !isLeaving(namespace) || (namespace.spec.finalizers ?? []).length === 0) return;
      for (const { resource, object } of contentOf(tools, name))
        if (!isLeaving(object))
          api.delete(resource, name, object.metadata.name ?? '', { propagation: 'Background' }, controllerManager);
      const left = contentOf(tools, name);
      tell(tools, namespace, left);
      if (left.length > 0) return;
      change(
        api,
        '/namespaces',
        namespace,
        ({ spec }) => {
          const own = spec as { finalizers?: readonly string[] };
          own.finalizers = (own.finalizers ?? []).filter((each) => each !== 'kubernetes');
          if (own.finalizers.length === 0) delete own.finalizers;
        },
        controllerManager,
        'finalize',
      );
    },
  };
}

type Content = { readonly resource: string; readonly name: string; readonly object: KubeObject };

function contentOf({ api }: Tools, namespace: string): readonly Content[] {
  const seen = new Set<string>();
  return api.definitions().flatMap(({ group, resource, namespaced, verbs }) => {
    const key = `${group}/${resource}`;
    if (!namespaced || !verbs.includes('delete') || seen.has(key) || key === 'events.k8s.io/events') return [];
    seen.add(key);
    return api.list(key, namespace).map((object) => ({ resource: key, name: `${resource}.${group}`, object }));
  });
}

function tell({ api, clock }: Tools, namespace: Namespace, left: readonly Content[]): void {
  const counts = new Map<string, number>();
  for (const { name } of left) counts.set(name, (counts.get(name) ?? 0) + 1);
  const finalizers = new Map<string, number>();
  for (const { object } of left)
    for (const each of object.metadata.finalizers ?? []) finalizers.set(each, (finalizers.get(each) ?? 0) + 1);
  const list = (entries: ReadonlyMap<string, number>, words: (name: string, count: number) => string): string =>
    [...entries]
      .map(([name, count]) => words(name, count))
      .toSorted()
      .join(', ');
  const no = (type: string, reason: string, message: string): Condition => ({ type, status: 'False', reason, message });
  const yes = (type: string, reason: string, message: string): Condition => ({ type, status: 'True', reason, message });
  const told = [
    no('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    no(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    no(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    counts.size === 0
      ? no('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : yes(
          'NamespaceContentRemaining',
          'SomeResourcesRemain',
          `Some resources are remaining: ${list(counts, (name, count) => `${name} has ${count} resource instances`)}`,
        ),
    finalizers.size === 0
      ? no('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : yes(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${list(finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
        ),
  ];
  const now = timestamp(clock.now());
  const conditions = told.reduce<readonly Condition[]>(
    (all, each) => withCondition(all, each, now),
    namespace.status?.conditions ?? [],
  );
  writeStatus(
    api,
    '/namespaces',
    namespace,
    { ...namespace.status, phase: 'Terminating', conditions },
    controllerManager,
  );
}
