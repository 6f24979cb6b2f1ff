import type { KubeObject } from '../../wire/kubernetes/objects.ts';
import type { Mutable, User } from './api.ts';
import type { Schema } from './schema/schema.ts';

/** One kind in one version, as the API serves it. Built in, or of a CustomResourceDefinition. */
export type ResourceDefinition = {
  readonly group: string;
  readonly version: string;
  /** Plural: `deployments`. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** In which version it is stored; others are converted from it. */
  readonly storageVersion: string;
  /** Where another group keeps it: events of `events.k8s.io` are those of the core. */
  readonly storageGroup?: string;
  readonly schema: Schema;
  readonly subresources: Readonly<Record<string, Subresource>>;
  readonly strategy: Strategy;
  readonly columns: readonly Column[];
  readonly custom: boolean;
  /** Fields besides metadata.name and metadata.namespace that a field selector may name, with their value. */
  readonly selectable: Readonly<Record<string, (object: KubeObject) => string>>;
};

export type Subresource =
  | { readonly kind: 'status' }
  | {
      readonly kind: 'scale';
      readonly specReplicas: readonly string[];
      readonly statusReplicas: readonly string[];
      /** Path of a label selector, as text or as an object; absent: none. */
      readonly selector?: readonly string[];
    }
  /** `eviction`, `binding`, `log`, `token`, `approval`, `finalize` …: whoever registers it answers. */
  | {
      readonly kind: 'other';
      readonly group?: string;
      readonly version?: string;
      readonly objectKind: string;
      readonly verbs: readonly string[];
    };

/** One thing that is wrong with an object, in the API server’s words. `Invalid value: "x": must be …` */
export type FieldError = {
  readonly reason:
    | 'FieldValueNotFound'
    | 'FieldValueRequired'
    | 'FieldValueDuplicate'
    | 'FieldValueInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueTypeInvalid'
    | 'InternalError';
  readonly field: string;
  /** Everything behind `field: `. */
  readonly message: string;
};

/** What is special about a kind. Everything that all kinds share is done by the server. */
export type Strategy = {
  /** Fills what people leave out. Schema defaults of custom resources have been filled before. */
  readonly defaults?: (object: Mutable) => void;
  /** Clears what clients may not set, chooses what the server chooses: cluster addresses, status. */
  readonly prepareCreate?: (object: Mutable, context: StrategyContext) => void;
  /** `next` came from the client, `old` is stored. Status is kept by the server unless this is the status subresource. */
  readonly prepareUpdate?: (next: Mutable, old: KubeObject, context: StrategyContext) => void;
  readonly validate?: (object: KubeObject, context: StrategyContext) => readonly FieldError[];
  readonly validateUpdate?: (next: KubeObject, old: KubeObject, context: StrategyContext) => readonly FieldError[];
  /** What is told with `Warning: 299 - …` besides. */
  readonly warnings?: (object: KubeObject) => readonly string[];
  /** Whether generation grows; the server’s rule (spec, or anything but metadata and status) when absent. */
  readonly specChanged?: (next: KubeObject, old: KubeObject) => boolean;
  /** When it is first asked to go; may hold it with a finalizer. */
  readonly prepareDelete?: (object: Mutable) => void;
  /** Seconds that an ordinary delete waits; absent: none. */
  readonly graceSeconds?: (object: KubeObject) => number;
  /** What creating does not store but answers at once: SubjectAccessReview, TokenReview. */
  readonly answer?: (object: KubeObject, context: StrategyContext) => KubeObject;
};

export type StrategyContext = {
  readonly user: User;
  readonly now: Date;
  readonly subresource: string | undefined;
  readonly dryRun: boolean;
  readonly server: ServerSide;
};

/** What strategies may ask of the server. */
export interface ServerSide {
  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  list(resource: string, namespace?: string): readonly KubeObject[];
  /** Random and from the twin’s seed: uids, suffixes, tokens. */
  random(bytes: number): Uint8Array;
}

/** A column of `kubectl get`. */
export type Column = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date' | 'boolean' | 'number';
  readonly format?: string;
  readonly description: string;
  /** 0: always; 1: only wide. */
  readonly priority: number;
  readonly value: (object: KubeObject, now: Date) => unknown;
};
