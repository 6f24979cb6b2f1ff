const units: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

/** `1h30m` in nanoseconds; undefined for what is no duration. */
export function parseDuration(text: string): bigint | undefined {
  const [, sign = '', body = ''] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  if (body === '0') return 0n;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  const parts = [...body.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)];
  const total = parts.reduce(
    (sum, [, number = '', unit = '']) => sum + BigInt(Math.round(Number(number) * (units[unit] ?? 0))),
    0n,
  );
  return sign === '-' ? -total : total;
}

/** As Go prints a duration: 1h30m0s, 1.5s, 20ms. */
export function durationText(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < 1_000_000_000n) {
    const [unit, per] =
      size < 1000n ? (['ns', 1] as const) : size < 1_000_000n ? (['µs', 1e3] as const) : (['ms', 1e6] as const);
    return `${sign}${Number(size) / per}${unit}`;
  }
  const seconds = Number(size % 60_000_000_000n) / 1e9;
  const minutes = size / 60_000_000_000n;
  if (minutes === 0n) return `${sign}${seconds}s`;
  return minutes < 60n ? `${sign}${minutes}m${seconds}s` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}s`;
}

const sizeUnits: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  ...Object.fromEntries(Array.from('kmgtpe', (letter, at) => [`${letter}ib`, 1024 ** (at + 1)])),
  ...Object.fromEntries(Array.from('kmgtpe', (letter, at) => [`${letter}i`, 1024 ** (at + 1)])),
  ...Object.fromEntries(Array.from('kmgtpe', (letter, at) => [`${letter}b`, 1000 ** (at + 1)])),
  ...Object.fromEntries(Array.from('kmgtpe', (letter, at) => [letter, 1000 ** (at + 1)])),
};

/** `10 GiB` in bytes; a text is what is wrong with it. */
export function parseBytes(text: string): bigint | string {
  const digits = /^[\d.,]*/.exec(text)?.[0] ?? '';
  const plain = digits.replaceAll(',', '');
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(plain))
    return `strconv.ParseFloat: parsing ${JSON.stringify(plain)}: invalid syntax`;
  const unit = text.slice(digits.length).trim().toLowerCase();
  const factor = sizeUnits[unit];
  if (factor === undefined) return `unhandled size name: ${unit}`;
  const bytes = Number(plain) * factor;
  return bytes >= 2 ** 64 ? `too large: ${text}` : BigInt(Math.floor(bytes));
}
