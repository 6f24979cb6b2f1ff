/** The name of a number in a generated enum, in the vendor’s spelling; the number itself when it is new to us. */
export function nameOf(values: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(values).find((name) => values[name] === value) ?? String(value);
}

/** SHUTTING_DOWN: "shutting down". */
export const plainWords = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

/** INITIALIZED: "Initialized". */
export const capitalized = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase();
