/** What was looked at, or could not be: unknown is not absent, and nothing is made or taken away because a look failed. */
export type Seen<T> =
  | { readonly kind: 'known'; readonly value: T }
  | { readonly kind: 'unknown'; readonly because: string };

export const known = <T>(value: T): Seen<T> => ({ kind: 'known', value });
export const unknown = (because: string): Seen<never> => ({ kind: 'unknown', because });
