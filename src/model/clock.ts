/** What time it is. Handed in, so that a test decides. */
export type Clock = { readonly now: () => Date };
