import type { ResourceKey } from '../api.ts';
import type { ResourceDefinition } from '../resource.ts';

/** Under which name things are kept. Events are the same in both of their groups. */
export const resourceKey = ({ group, resource }: { readonly group: string; readonly resource: string }): ResourceKey =>
  group === 'events.k8s.io' ? `/${resource}` : `${group}/${resource}`;

export const groupVersion = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === '' ? version : `${group}/${version}`;

type Index = {
  readonly all: readonly ResourceDefinition[];
  readonly byPath: ReadonlyMap<string, ResourceDefinition>;
  readonly byKind: ReadonlyMap<string, ResourceDefinition>;
  readonly stored: ReadonlyMap<ResourceKey, ResourceDefinition>;
};

const nothing: Index = indexOf([]);

/** What is served now: built in, the same for every twin, and what CustomResourceDefinitions add to it. */
export class Registry {
  readonly #builtin: Index;
  #custom: Index = nothing;
  #all: readonly ResourceDefinition[];
  /** Grows whenever something else is served. */
  revision = 0;

  constructor(builtin: readonly ResourceDefinition[]) {
    this.#builtin = indexFor(builtin);
    this.#all = builtin;
  }

  definitions(): readonly ResourceDefinition[] {
    return this.#all;
  }

  setCustom(definitions: readonly ResourceDefinition[]): void {
    this.#custom = indexOf(definitions);
    this.#all = [...this.#builtin.all, ...definitions];
    this.revision += 1;
  }

  /** By what a path says. */
  find(group: string, version: string, resource: string): ResourceDefinition | undefined {
    const path = `${group}/${version}/${resource}`;
    return this.#builtin.byPath.get(path) ?? this.#custom.byPath.get(path);
  }

  byKind(apiVersion: string, kind: string): ResourceDefinition | undefined {
    const name = `${apiVersion}/${kind}`;
    return this.#builtin.byKind.get(name) ?? this.#custom.byKind.get(name);
  }

  /** As it is stored. */
  stored(resource: ResourceKey): ResourceDefinition | undefined {
    return this.#builtin.stored.get(resource) ?? this.#custom.stored.get(resource);
  }

  hasGroup(group: string): boolean {
    return this.#all.some((each) => each.group === group);
  }
}

const indices = new WeakMap<readonly ResourceDefinition[], Index>();

function indexFor(definitions: readonly ResourceDefinition[]): Index {
  let index = indices.get(definitions);
  if (index === undefined) indices.set(definitions, (index = indexOf(definitions)));
  return index;
}

function indexOf(all: readonly ResourceDefinition[]): Index {
  const [byPath, byKind, stored] = [
    new Map<string, ResourceDefinition>(),
    new Map<string, ResourceDefinition>(),
    new Map<ResourceKey, ResourceDefinition>(),
  ];
  for (const each of all) {
    byPath.set(`${each.group}/${each.version}/${each.resource}`, each);
    byKind.set(`${groupVersion(each)}/${each.kind}`, each);
    const key = resourceKey(each);
    if (!key.startsWith(`${each.group}/`)) continue;
    if (each.version === each.storageVersion || !stored.has(key)) stored.set(key, each);
  }
  return { all, byPath, byKind, stored };
}
