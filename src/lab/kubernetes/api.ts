import type { KubeObject } from '../../wire/kubernetes/objects.ts';
import type { ResourceDefinition } from './resource.ts';

/** Who asks, after authentication. */
export type User = {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
};

/** Objects inside of the twin are plain and may be changed by whoever made them; what the store returns may not. */
export type Mutable = { [field: string]: unknown };

export type ChangeKind = 'ADDED' | 'MODIFIED' | 'DELETED';

/** `group/resource`; of the core group `/pods`. Stored in one version, served in all. */
export type ResourceKey = string;

/** What controllers, garbage collection and admission hold: the same verbs as over HTTP, by the same rules, in-process. */
export interface Api {
  /** Definitions that are served now, built in and custom, in discovery’s order. */
  definitions(): readonly ResourceDefinition[];
  definition(apiVersion: string, kind: string): ResourceDefinition | undefined;
  get(resource: ResourceKey, namespace: string | undefined, name: string): KubeObject | undefined;
  /** Every object of a resource, of one namespace or of all; in the order of their keys. */
  list(resource: ResourceKey, namespace?: string): readonly KubeObject[];
  /** Called after each change, in order; what it throws is a bug. Returns how to stop. */
  onChange(
    resource: ResourceKey | undefined,
    listener: (change: {
      readonly kind: ChangeKind;
      readonly resource: ResourceKey;
      readonly object: KubeObject;
      readonly old: KubeObject | undefined;
    }) => void,
  ): () => void;
  create(resource: ResourceKey, object: KubeObject, as: Actor): KubeObject;
  /** Reads, lets `change` alter a copy, writes; a `Refusal` of the API is thrown. Undefined: it is not there. */
  update(
    resource: ResourceKey,
    namespace: string | undefined,
    name: string,
    change: (object: Mutable) => void,
    as: Actor & { readonly subresource?: string },
  ): KubeObject | undefined;
  delete(
    resource: ResourceKey,
    namespace: string | undefined,
    name: string,
    options: {
      readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
      readonly gracePeriodSeconds?: number;
      readonly uid?: string;
    },
    as: Actor,
  ): void;
}

/** Whose name stands in managedFields, and as whom it happens. */
export type Actor = { readonly manager: string; readonly user?: User };
