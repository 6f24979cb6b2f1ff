declare const unit: unique symbol;
export type MiB = number & { readonly [unit]: 'MiB' };
export type GiB = number & { readonly [unit]: 'GiB' };

export const mib = (value: number): MiB => value as MiB;
export const gib = (value: number): GiB => value as GiB;

const bytesPerUnit: ReadonlyMap<string, bigint> = new Map([
  ['B', 1n],
  ['KiB', 1n << 10n],
  ['MiB', 1n << 20n],
  ['GiB', 1n << 30n],
  ['TiB', 1n << 40n],
  ['PiB', 1n << 50n],
]);

const form = /^(\d{1,12})(?:\.(\d{1,6}))?\s*([A-Za-z]+)$/;

/** Bytes of "16GiB", "1.5TiB" or Kubernetes' "16Gi"; undefined when it is not such a size or not a whole number of bytes. */
export function parseBytes(text: string): bigint | undefined {
  const match = form.exec(text.trim());
  if (!match) return undefined;
  const [, whole = '', fraction = '', written = ''] = match;
  const bytes = bytesPerUnit.get(/^[KMGTP]i$/.test(written) ? `${written}B` : written);
  if (bytes === undefined) return undefined;
  const scaled = BigInt(whole + fraction) * bytes;
  const scale = 10n ** BigInt(fraction.length);
  return scaled % scale === 0n ? scaled / scale : undefined;
}

const wholeUnits = (text: string, perUnit: bigint): number | undefined => {
  const bytes = parseBytes(text);
  return bytes === undefined || bytes % perUnit !== 0n ? undefined : Number(bytes / perUnit);
};

export const parseMiB = (text: string): MiB | undefined => wholeUnits(text, 1n << 20n) as MiB | undefined;
export const parseGiB = (text: string): GiB | undefined => wholeUnits(text, 1n << 30n) as GiB | undefined;

/** The shortest exact way to write it: 8192 MiB is "8GiB", 1536 MiB is "1536MiB". */
export function formatMiB(value: number): string {
  if (value !== 0 && value % (1024 * 1024) === 0) return `${value / (1024 * 1024)}TiB`;
  return value !== 0 && value % 1024 === 0 ? `${value / 1024}GiB` : `${value}MiB`;
}

export const formatGiB = (value: number): string =>
  value !== 0 && value % 1024 === 0 ? `${value / 1024}TiB` : `${value}GiB`;
