import type { ApiResource } from '../../../wire/kubernetes/objects.ts';
import type { ResourceDefinition } from '../resource.ts';
import { groupVersion } from './registry.ts';
import type { Registry } from './registry.ts';

export const apiVersions = (): object => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
});

const groupsOf = (registry: Registry): readonly string[] => [
  ...new Set(
    registry
      .definitions()
      .map(({ group }) => group)
      .filter((group) => group !== ''),
  ),
];

function groupDocument(registry: Registry, group: string): object | undefined {
  const versions = [
    ...new Set(
      registry
        .definitions()
        .filter((each) => each.group === group)
        .map(({ version }) => version),
    ),
  ].map((version) => ({ groupVersion: groupVersion({ group, version }), version }));
  const [preferredVersion] = versions;
  return preferredVersion === undefined ? undefined : { name: group, versions, preferredVersion };
}

export const apiGroups = (registry: Registry): object => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groupsOf(registry).map((group) => groupDocument(registry, group)),
});

export function groupOf(registry: Registry, group: string): object | undefined {
  const document = group === '' ? undefined : groupDocument(registry, group);
  return document === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...document };
}

export function resourcesOf(registry: Registry, group: string, version: string): object | undefined {
  const definitions = registry.definitions().filter((each) => each.group === group && each.version === version);
  if (definitions.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersion({ group, version }),
    resources: definitions.flatMap(rowsOf),
  };
}

function rowsOf(definition: ResourceDefinition): readonly ApiResource[] {
  const { resource, singular, namespaced, kind, verbs, shortNames, categories, subresources } = definition;
  return [
    {
      name: resource,
      singularName: singular,
      namespaced,
      kind,
      verbs,
      ...(shortNames.length === 0 ? {} : { shortNames }),
      ...(categories.length === 0 ? {} : { categories }),
    },
    ...Object.entries(subresources).map(([name, each]): ApiResource => {
      const row = { name: `${resource}/${name}`, singularName: '', namespaced };
      switch (each.kind) {
        case 'status':
          return { ...row, kind, verbs: ['get', 'patch', 'update'] };
        case 'scale':
          return { ...row, group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] };
        case 'other':
          return {
            ...row,
            ...(each.group === undefined ? {} : { group: each.group }),
            ...(each.version === undefined ? {} : { version: each.version }),
            kind: each.objectKind,
            verbs: each.verbs,
          };
      }
    }),
  ];
}
