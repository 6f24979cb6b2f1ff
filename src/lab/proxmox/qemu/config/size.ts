const units: readonly (readonly [unit: string, bytes: number])[] = [
  ['K', 1024],
  ['M', 1024 ** 2],
  ['G', 1024 ** 3],
  ['T', 1024 ** 4],
];

/** `20G`, `528K`, `500000256`: the largest unit that leaves no remainder, and terabytes for nothing at all. */
export function printSize(bytes: number): string {
  let printed = String(bytes);
  for (const [unit, size] of units) {
    if (bytes % size !== 0) break;
    printed = `${bytes / size}${unit}`;
  }
  return printed;
}

/** Undefined: not a size. */
export function parseSize(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)([KMGT])?(?:iB)?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const factor = units.find(([each]) => each === unit)?.[1] ?? 1;
  return Math.trunc(Number(number) * factor);
}

const binary = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `64.0 MiB`, as progress is reported in. */
export function renderBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(binary.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toFixed(1)} ${binary[step]}`;
}
