/** A value as YAML has it. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };

export type Fields = { readonly [key: string]: Value };

/** One YAML document of a machine configuration: the old one (`version: v1alpha1`, no kind), or one with a kind. */
export type ConfigDocument = Fields;

/** A machine configuration: the v1alpha1 document first, the others in the order in which they are written. */
export type MachineConfig = readonly ConfigDocument[];
