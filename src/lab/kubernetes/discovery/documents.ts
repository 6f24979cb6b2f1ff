import { createHash } from 'node:crypto';
import type { ApiResource } from '../../../wire/kubernetes/objects.ts';
import type { ResourceDefinition } from '../resource.ts';
import { groupsOf } from './order.ts';
import type { GroupVersions } from './order.ts';
import { groupVersion } from './registry.ts';
import type { Registry } from './registry.ts';

export const apiVersions = (address: string): object => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
});

function groupDocument({ group, versions }: GroupVersions): object {
  const listed = versions.map(({ version }) => ({ groupVersion: groupVersion({ group, version }), version }));
  return { name: group, versions: listed, preferredVersion: listed[0] };
}

const named = (registry: Registry): readonly GroupVersions[] =>
  groupsOf(registry.definitions()).filter(({ group }) => group !== '');

export const apiGroups = (registry: Registry): object => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: named(registry).map(groupDocument),
});

export function groupOf(registry: Registry, name: string): object | undefined {
  const found = named(registry).find(({ group }) => group === name);
  return found === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...groupDocument(found) };
}

export function resourcesOf(registry: Registry, group: string, version: string): object | undefined {
  const found = groupsOf(registry.definitions())
    .find((each) => each.group === group)
    ?.versions.find((each) => each.version === version);
  if (found === undefined) return undefined;
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersion({ group, version }),
    resources: found.definitions.flatMap(rowsOf),
  };
}

const standard = ['get', 'patch', 'update'];

/** Of a subresource: what it takes and gives, and by which verbs. */
export function subresourcesOf({ kind, subresources }: ResourceDefinition) {
  return Object.entries(subresources)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, each]) => {
      switch (each.kind) {
        case 'status':
          return { name, group: undefined, version: undefined, kind, verbs: standard };
        case 'scale':
          return { name, group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: standard };
        case 'other':
          return { name, group: each.group, version: each.version, kind: each.objectKind, verbs: each.verbs };
      }
    });
}

function rowsOf(definition: ResourceDefinition): readonly ApiResource[] {
  const { resource, singular, namespaced, kind, verbs, shortNames, categories } = definition;
  return [
    {
      name: resource,
      singularName: singular,
      namespaced,
      kind,
      verbs,
      ...(shortNames.length === 0 ? {} : { shortNames }),
      ...(categories.length === 0 ? {} : { categories }),
      ...(verbs.includes('watch') ? { storageVersionHash: storageHash(definition) } : {}),
    },
    ...subresourcesOf(definition).map((each) => ({
      name: `${resource}/${each.name}`,
      singularName: '',
      namespaced,
      ...(each.group === undefined ? {} : { group: each.group }),
      ...(each.version === undefined ? {} : { version: each.version }),
      kind: each.kind,
      verbs: each.verbs,
    })),
  ];
}

/** The same for everything that is stored as the same. */
const storageHash = ({ group, storageVersion, kind }: ResourceDefinition): string =>
  createHash('sha256')
    .update(`${group === 'events.k8s.io' ? '' : group}/${storageVersion}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
