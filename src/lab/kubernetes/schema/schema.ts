/** The shape of a value, whoever described it: our notation of the built-in types, or the schema of a CRD. */
export type Schema = {
  readonly type: 'object' | 'map' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'int-or-string' | 'any';
  readonly description?: string;
  /** `int32`, `int64`, `date-time`, `byte`, `quantity` … */
  readonly format?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  /** Of an object. Asked for one at a time: types are recursive. */
  readonly property?: (name: string) => Schema | undefined;
  readonly properties?: () => readonly string[];
  readonly required?: readonly string[];
  /** Of a map: its values. */
  readonly values?: () => Schema;
  /** Of an array. */
  readonly items?: () => Schema;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  /** A map or object whose fields are owned together. */
  readonly atomic?: boolean;
  /** Of a field whose type is atomic, or that is a map, and whose fields are owned one by one nevertheless. */
  readonly granular?: boolean;
  /** For strategic merge patches. */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  readonly preserveUnknown?: boolean;
  readonly embedded?: boolean;
  /** Of a custom resource: everything else that OpenAPI says about it, as its author wrote it. */
  readonly raw?: Readonly<Record<string, unknown>>;
  /** `io.k8s.api.core.v1.PodSpec`, where it has a name. */
  readonly name?: string;
  /** Of a built-in field: absent and empty are told apart. */
  readonly pointer?: boolean;
  /** Of a built-in field: even when it is empty, or not even as a struct without a value. Absent: as Go’s omitempty. */
  readonly written?: 'always' | 'unless zero';
  /** Of a built-in value that has several shapes: the first that fits. */
  readonly either?: () => readonly Schema[];
};
