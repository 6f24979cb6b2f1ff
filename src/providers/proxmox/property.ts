/** `virtio=BC:24:11:00:00:01,bridge=vmbr0`: what stands first may do without its key. */
export type Properties = ReadonlyMap<string, string>;

export function propertiesOf(text: string, defaultKey: string): Properties {
  const found = new Map<string, string>();
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const at = part.indexOf('=');
    if (at < 0) found.set(defaultKey, part.trim());
    else found.set(part.slice(0, at).trim(), part.slice(at + 1).trim());
  }
  return found;
}

/** What is undefined is left out. */
export const propertyString = (
  first: string,
  rest: Readonly<Record<string, string | number | undefined>> = {},
): string =>
  [
    ...(first === '' ? [] : [first]),
    ...Object.entries(rest).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`])),
  ].join(',');

const unitBytes: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

/** `40G`, `528K`, `2560M`, `500000256`, as a number of GiB. */
export function gibOf(size: string | undefined): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(size ?? '') ?? [];
  return number === undefined ? undefined : (Number(number) * (unitBytes[unit ?? ''] ?? 1)) / 2 ** 30;
}
