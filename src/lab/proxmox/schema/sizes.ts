const units = ['', 'K', 'M', 'G', 'T'] as const;

/** Bytes of `32G`, `0.5T`, `528KiB`, `1073741824`; undefined: no size. */
export function parseSize(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(?:([KMGT])(?:iB)?)?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return Math.floor(Number(digits) * 1024 ** units.findIndex((each) => each === unit));
}

/** In the largest unit that divides it. */
export function printSize(bytes: number): string {
  let rest = Math.floor(bytes);
  let unit = 0;
  // Nothing at all is 0T, as with the real thing.
  while (unit < units.length - 1 && rest % 1024 === 0) {
    rest /= 1024;
    unit += 1;
  }
  return `${rest}${units[unit] ?? ''}`;
}
