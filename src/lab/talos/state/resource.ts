/** A resource of a twin’s state: what the wire carries, with its spec in both encodings. */
export type TwinResource = {
  readonly namespace: string;
  readonly type: string;
  readonly id: string;
  /** Decimal counter. */
  readonly version: number;
  readonly owner: string;
  readonly phase: 'running' | 'tearingDown';
  readonly created: Date;
  readonly updated: Date;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly proto: Uint8Array;
  readonly yaml: string;
};

/** What a twin says about itself; the store adds version and times. */
export type ResourceContent = Pick<TwinResource, 'namespace' | 'type' | 'id' | 'proto' | 'yaml'> &
  Partial<Pick<TwinResource, 'owner' | 'labels' | 'annotations' | 'finalizers'>>;

/** The state of one node. Setting what is there already, unchanged, is no event. */
export interface ResourceStore {
  /** What costs something to make is made when somebody looks. */
  set(content: ResourceContent | (() => ResourceContent)): void;
  destroy(type: string, id: string): void;
  get(namespace: string, type: string, id: string): TwinResource | undefined;
  /** Sorted by id. */
  list(namespace: string, type: string): readonly TwinResource[];
}
