import { createHash } from 'node:crypto';
import type { ResourceDefinition } from '../resource.ts';
import { subresourcesOf } from './documents.ts';
import { groupsOf } from './order.ts';

export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export type Tagged = { readonly text: string; readonly tag: string };

const made = new WeakMap<readonly ResourceDefinition[], Map<'api' | 'apis', Tagged>>();

/** All groups below `/api` or `/apis` in one document; the same text for all clusters that serve the same. */
export function aggregated(definitions: readonly ResourceDefinition[], root: 'api' | 'apis'): Tagged {
  let both = made.get(definitions);
  if (both === undefined) made.set(definitions, (both = new Map<'api' | 'apis', Tagged>()));
  let found = both.get(root);
  if (found === undefined) {
    const text = JSON.stringify(documentOf(definitions, root));
    const tag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`;
    both.set(root, (found = { text, tag }));
  }
  return found;
}

const documentOf = (definitions: readonly ResourceDefinition[], root: 'api' | 'apis'): object => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: groupsOf(definitions)
    .filter(({ group }) => (group === '') === (root === 'api'))
    .map(({ group, versions }) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versions.map(({ version, definitions: mine }) => ({
        version,
        resources: mine.map(resourceOf),
        freshness: 'Current',
      })),
    })),
});

function resourceOf(definition: ResourceDefinition): object {
  const { group, version, resource, singular, kind, namespaced, verbs, shortNames, categories, custom } = definition;
  const own = custom ? { group, version } : { group: '', version: '' };
  const subresources = subresourcesOf(definition).map((each) => ({
    subresource: each.name,
    responseKind: { group: each.group ?? own.group, version: each.version ?? own.version, kind: each.kind },
    verbs: each.verbs,
  }));
  return {
    resource,
    responseKind: { ...own, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
