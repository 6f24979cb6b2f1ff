/** Values as the API wants them; what is undefined is not sent. */
export type Params = Readonly<Record<string, string | number | boolean | undefined>>;

/** Everything is encoded: hosts split at raw semicolons too, and lose what follows a second equals sign. */
export function formOf(params: Params): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    pairs.append(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value));
  }
  return pairs.toString();
}

/** A path with its variable parts encoded. */
export const path = (texts: TemplateStringsArray, ...parts: readonly (string | number)[]): string =>
  texts.reduce((sofar, text, index) => `${sofar}${encodeURIComponent(String(parts[index - 1]))}${text}`);
