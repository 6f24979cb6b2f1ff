type Family = 4 | 6;
export type Address = { readonly family: Family; readonly value: bigint };
/** A block of addresses. `first` is the network address, `exact` whether it was written without host bits. */
export type Cidr = {
  readonly family: Family;
  readonly first: bigint;
  readonly last: bigint;
  readonly prefix: number;
  readonly exact: boolean;
};
export type AddressRange = { readonly family: Family; readonly first: bigint; readonly last: bigint };

const bits = (family: Family): number => (family === 4 ? 32 : 128);

export function parseAddress(text: string): Address | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text);
}

function parseV4(text: string): Address | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return { family: 4, value };
}

function parseV6(text: string): Address | undefined {
  const halves = text.split('::');
  if (halves.length > 2 || text.length > 45) return undefined;
  const head = groups(halves[0] ?? '');
  const tail = halves.length === 2 ? groups(halves[1] ?? '') : [];
  if (!head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const all = [...head, ...Array<bigint>(missing).fill(0n), ...tail];
  return { family: 6, value: all.reduce((value, group) => (value << 16n) | group, 0n) };
}

function groups(text: string): bigint[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const last = parts.at(-1) ?? '';
  const embedded = last.includes('.') ? parseV4(last) : undefined;
  if (last.includes('.')) {
    if (!embedded) return undefined;
    parts.pop();
  }
  if (!parts.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part))) return undefined;
  const parsed = parts.map((part) => BigInt(`0x${part}`));
  return embedded ? [...parsed, embedded.value >> 16n, embedded.value & 0xffffn] : parsed;
}

export function parseCidr(text: string): Cidr | undefined {
  const match = /^([0-9a-fA-F:.]{2,45})\/(\d{1,3})$/.exec(text);
  const address = match?.[1] === undefined ? undefined : parseAddress(match[1]);
  if (!match || !address) return undefined;
  const prefix = Number(match[2]);
  const width = bits(address.family);
  if (prefix > width) return undefined;
  const host = (1n << BigInt(width - prefix)) - 1n;
  const first = address.value & ~host;
  return { family: address.family, first, last: first | host, prefix, exact: first === address.value };
}

/** "10.0.0.20-10.0.0.39", the short "10.0.0.20-39", one address, or a CIDR. */
export function parseRange(text: string): AddressRange | undefined {
  if (text.includes('/')) return parseCidr(text);
  const [from = '', to] = text.split('-').map((part) => part.trim());
  const first = parseAddress(from);
  if (!first || text.split('-').length > 2) return undefined;
  if (to === undefined) return { family: first.family, first: first.value, last: first.value };
  const short = first.family === 4 && /^\d{1,3}$/.test(to) ? from.replace(/\d+$/, to) : to;
  const last = parseAddress(short);
  if (!last || last.family !== first.family || last.value < first.value) return undefined;
  return { family: first.family, first: first.value, last: last.value };
}

export const contains = (range: AddressRange, address: Address): boolean =>
  range.family === address.family && range.first <= address.value && address.value <= range.last;

export const overlaps = (a: AddressRange, b: AddressRange): boolean =>
  a.family === b.family && a.first <= b.last && b.first <= a.last;

/** Whether a machine may carry it: inside, and neither the network's own address nor its broadcast. */
export const isHostAddress = (network: Cidr, address: Address): boolean =>
  contains(network, address) &&
  (network.family === 6 || network.prefix >= 31 || (address.value !== network.first && address.value !== network.last));

export function formatAddress(address: Address): string {
  if (address.family === 4) {
    return [24n, 16n, 8n, 0n].map((shift) => ((address.value >> shift) & 0xffn).toString()).join('.');
  }
  const parts = Array.from({ length: 8 }, (_, index) =>
    ((address.value >> BigInt(112 - index * 16)) & 0xffffn).toString(16),
  );
  const run = longestZeroRun(parts);
  if (run.length < 2) return parts.join(':');
  return `${parts.slice(0, run.start).join(':')}::${parts.slice(run.start + run.length).join(':')}`;
}

/** One way to write each address, so that FD00:0::1 and fd00::1 are the same text. */
export function canonical(text: string): string {
  const address = parseAddress(text);
  return address === undefined ? text : formatAddress(address);
}

function longestZeroRun(parts: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < parts.length; start++) {
    let length = 0;
    while (parts[start + length] === '0') length++;
    if (length > best.length) best = { start, length };
  }
  return best;
}
