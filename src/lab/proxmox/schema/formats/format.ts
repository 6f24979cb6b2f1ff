import { holds } from '../perl-text.ts';

/** What is wrong with a value, in the words of the real thing; undefined: nothing. */
export type Format = (value: string) => string | undefined;

/** By name. */
export type Formats = Readonly<Record<string, Format>>;

export const matching =
  (pattern: RegExp, complaint: string | ((value: string) => string)): Format =>
  (value) =>
    holds(pattern, value) ? undefined : typeof complaint === 'string' ? complaint : complaint(value);

/** Good for one of them is good enough. */
export const anyOf =
  (formats: readonly Format[], complaint: string | ((value: string) => string)): Format =>
  (value) =>
    formats.some((format) => format(value) === undefined)
      ? undefined
      : typeof complaint === 'string'
        ? complaint
        : complaint(value);
