/** `[value,]key=value,…`: how the API writes a value that has parts. Keys are in the order that they were given in. */
export function parseProperties(text: string, defaultKey?: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const equals = part.indexOf('=');
    if (equals > 0) found.set(part.slice(0, equals), part.slice(equals + 1));
    else if (defaultKey !== undefined) found.set(defaultKey, part);
  }
  return found;
}

/** The default key’s value first, and the rest in the order of its keys. */
export function printProperties(properties: ReadonlyMap<string, string>, defaultKey?: string): string {
  const first = defaultKey === undefined ? undefined : properties.get(defaultKey);
  const rest = [...properties]
    .filter(([key]) => key !== defaultKey)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`);
  return [...(first === undefined ? [] : [first]), ...rest].join(',');
}

/** Inside of such a string, more words than 0 and 1 are booleans. */
export const isOn = (value: string | undefined): boolean => value !== undefined && /^(1|on|yes|true)$/i.test(value);

export const zeroOrOne = (value: string): string => (isOn(value) ? '1' : '0');

/** Lists may be separated by commas, semicolons or blanks. */
export const splitList = (text: string): string[] => text.split(/[\s,;]+/).filter((each) => each !== '');
