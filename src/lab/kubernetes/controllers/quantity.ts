const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** `250m`, `64Mi`, `1e3`; what is none counts as nothing. */
export function amountOf(quantity: string | number | undefined): number {
  const found = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(String(quantity ?? '0'));
  return Number(found?.[1] ?? 0) * (suffixes[found?.[2] ?? ''] ?? 0);
}

/** `25%` of something, or just so many. */
export function shareOf(value: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  if (value === undefined) return 0;
  if (!value.endsWith('%')) return Number(value);
  const share = (Number(value.slice(0, -1)) * total) / 100;
  return round === 'up' ? Math.ceil(share) : Math.floor(share);
}
