import * as z from 'zod';

/** A rule of the schema in the Common Expression Language, for the API server. Each has a twin in `spec/rules/` or in the schema itself. */
export type CelRule = {
  readonly rule: string;
  readonly message: string;
  /** The field that the message is about, from where the rule stands, such as ".controlPlane.replicas". */
  readonly fieldPath?: string;
};

/** Keys of a mapping of which exactly one, or at most one, may be given. */
export type Choice = { readonly keys: readonly string[]; readonly count: 'exactly one' | 'at most one' };

/** What zod cannot carry about a schema: for error messages, for `explain`, and for the CRDs. */
export type Note = {
  /** What would be right, as the end of "expected …". */
  readonly wants?: string;
  /** The value is secret: only a reference to it may stand in a file. */
  readonly secret?: boolean;
  /** Somebody else's text, which may hold secrets: no message repeats it. */
  readonly private?: boolean;
  /** How an absent value is found when no constant default can say it. */
  readonly derived?: string;
  readonly cel?: readonly CelRule[];
  readonly choice?: Choice;
  readonly maxProperties?: number;
  /** A whole number or text, as Kubernetes writes quantities. */
  readonly intOrString?: boolean;
  /** Any YAML may stand here; it is checked by whoever receives it. */
  readonly free?: boolean;
  /** The keys that tell the items of a list apart, so that several writers can own one item each. */
  readonly listMapKeys?: readonly string[];
  /** People may write only what stands under this key, without the key. */
  readonly shortFor?: string;
};

const registry = z.registry<Note>();

export const noteOf = (schema: z.core.$ZodType): Note | undefined => registry.get(schema);

export function note<S extends z.ZodType>(schema: S, added: Note): S {
  const before = registry.get(schema) ?? {};
  const rules = [...(before.cel ?? []), ...(added.cel ?? [])];
  registry.add(schema, { ...before, ...added, ...(rules.length > 0 ? { cel: rules } : {}) });
  return schema;
}

export const cel = <S extends z.ZodType>(schema: S, rule: string, message: string, fieldPath?: string): S =>
  note(schema, { cel: [{ rule, message, ...(fieldPath === undefined ? {} : { fieldPath }) }] });
