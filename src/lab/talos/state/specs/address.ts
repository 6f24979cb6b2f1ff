import { isIPv6 } from 'node:net';

/** As Go keeps it: 4 or 16 bytes, a zone behind them. */
export function addressBytes(address: string): Uint8Array {
  const [plain = '', zone = ''] = address.split('%');
  if (!isIPv6(plain)) return Uint8Array.from(plain.split('.'), Number);
  return Buffer.concat([
    Uint8Array.from(groupsOf(plain).flatMap((group) => [group >> 8, group & 255])),
    Buffer.from(zone),
  ]);
}

function groupsOf(address: string): readonly number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  if (dotted !== null) {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.slice(2).map(Number);
    return groupsOf(`${dotted[1]}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`);
  }
  const [before = '', after] = address.split('::');
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (after === undefined) return parse(before);
  const [head, tail] = [parse(before), parse(after)];
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

/** The shortest way to write it: lower case, the longest run of zeros left out. */
export function addressText(address: string): string {
  const [plain = '', zone] = address.split('%');
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const shown = zone === undefined ? '' : `%${zone}`;
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return `::ffff:${groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.')}${shown}`;
  const texts = groups.map((group) => group.toString(16));
  const { at, length } = longestZeros(groups);
  if (length < 2) return texts.join(':') + shown;
  return `${texts.slice(0, at).join(':')}::${texts.slice(at + length).join(':')}${shown}`;
}

function longestZeros(groups: readonly number[]): { readonly at: number; readonly length: number } {
  let longest = { at: 0, length: 0 };
  for (let at = 0; at < groups.length; at++) {
    const end = groups.findIndex((group, index) => index >= at && group !== 0);
    const length = (end === -1 ? groups.length : end) - at;
    if (length > longest.length) longest = { at, length };
  }
  return longest;
}

export const macBytes = (mac: string): Uint8Array => Buffer.from(mac.replaceAll(':', ''), 'hex');
