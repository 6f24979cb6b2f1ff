import type { Actor, Api, Mutable } from '../api.ts';
import { groupVersion, resourceKey } from '../discovery/registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import { clone, mutable } from './clone.ts';
import type { Cluster, Write } from './cluster.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { filled } from './incoming.ts';
import { metaOf } from './meta.ts';
import { update } from './update.ts';

const theSystem = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

const writeOf = ({ manager, user }: Actor, subresource?: string): Write => ({
  user: user ?? theSystem,
  manager,
  dryRun: false,
  subresource,
  warn: () => undefined,
});

/** The verbs as the cluster’s own controllers use them. */
export function apiOf(cluster: () => Cluster): Api {
  const known = (resource: string): ResourceDefinition => {
    const definition = cluster().registry.stored(resource);
    if (definition === undefined) throw new Error(`The twin serves no ${resource}.`);
    return definition;
  };
  return {
    definitions: () => cluster().registry.definitions(),
    definition: (apiVersion, kind) => cluster().registry.byKind(apiVersion, kind),
    get: (resource, namespace, name) => cluster().store.get(resource, namespace, name),
    list: (resource, namespace) => cluster().store.list(resource, namespace),
    onChange: (resource, listener) => cluster().store.onChange(resource, listener),
    create: (resource, object, as) => {
      const definition = known(resource);
      const made = clone(object) as Mutable;
      made['apiVersion'] = groupVersion(definition);
      made['kind'] = definition.kind;
      filled(definition, made);
      return create(cluster(), definition, object.metadata.namespace, made, writeOf(as));
    },
    update: (resource, namespace, name, change, as) => {
      const definition = known(resource);
      const old = cluster().store.get(resourceKey(definition), namespace, name);
      if (old === undefined) return undefined;
      const next = mutable(old);
      change(next);
      metaOf(next).resourceVersion = old.metadata.resourceVersion;
      filled(definition, next);
      return update(cluster(), definition, next, writeOf(as, as.subresource)).object;
    },
    delete: (resource, namespace, name, { propagation, gracePeriodSeconds, uid }, as) => {
      const deletion = { propagation, gracePeriodSeconds, preconditions: { uid } };
      remove(cluster(), known(resource), namespace, name, deletion, writeOf(as));
    },
  };
}
