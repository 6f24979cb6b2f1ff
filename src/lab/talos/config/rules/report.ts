import type { Values } from '../reading.ts';

/** What a rule has to say. */
export type Report = { readonly errors: string[]; readonly warnings: string[] };

export const emptyReport = (): Report => ({ errors: [], warnings: [] });

/** Several errors as Talos shows them in a list. */
export const listed = (errors: readonly string[]): string =>
  errors.length === 1
    ? `1 error occurred:\n\t* ${errors[0]}\n\n`
    : `${errors.length} errors occurred:\n\t${errors.map((error) => `* ${error}`).join('\n\t')}\n\n`;

export const section = (values: Values | undefined, key: string): Values | undefined =>
  values?.[key] as Values | undefined;
export const textAt = (values: Values | undefined, key: string): string => (values?.[key] as string | undefined) ?? '';
export const flagAt = (values: Values | undefined, key: string): boolean => values?.[key] === true;
export const numberAt = (values: Values | undefined, key: string): number => Number(values?.[key] ?? 0);
export const textsAt = (values: Values | undefined, key: string): readonly string[] =>
  (values?.[key] as readonly string[] | undefined) ?? [];
export const sectionsAt = (values: Values | undefined, key: string): readonly (Values | null)[] =>
  (values?.[key] as readonly (Values | null)[] | undefined) ?? [];
export const mapAt = (values: Values | undefined, key: string): Readonly<Record<string, string>> =>
  (values?.[key] as Readonly<Record<string, string>> | undefined) ?? {};

/** As Go quotes a text. */
export const quote = (text: string): string => JSON.stringify(text);
