import fc from 'fast-check';
import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { contains, formatAddress, isHostAddress, overlaps, parseAddress, parseCidr, parseRange } from './ip.ts';

const address = (text: string) => parseAddress(text)!;
const cidr = (text: string) => parseCidr(text)!;

test('Node agrees on what an address is, and on how it reads back', () => {
  const text = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{0,20}$/));
  fc.assert(
    fc.property(text, (candidate) => {
      const parsed = parseAddress(candidate);
      expect(parsed === undefined ? 0 : parsed.family).toBe(isIP(candidate));
      if (parsed) expect(parseAddress(formatAddress(parsed))).toEqual(parsed);
    }),
    { numRuns: 2000 },
  );
});

test.each(['10.0.0.0/33', '10.0.0/24', '10.0.0.0', 'fd00::/129', '10.0.0.0/-1', '10.0.0.0/24/8'])(
  '%j is no CIDR',
  (text) => {
    expect(parseCidr(text)).toBeUndefined();
  },
);

test('a CIDR with host bits says so', () => {
  expect(cidr('10.0.0.5/24').exact).toBe(false);
  expect(formatAddress({ family: 4, value: cidr('10.0.0.5/24').first })).toBe('10.0.0.0');
});

test('network and broadcast addresses are not for machines', () => {
  const network = cidr('10.10.0.0/24');
  expect(
    ['10.10.0.0', '10.10.0.1', '10.10.0.254', '10.10.0.255', '10.10.1.1'].map((text) =>
      isHostAddress(network, address(text)),
    ),
  ).toEqual([false, true, true, false, false]);
  expect(isHostAddress(cidr('10.10.0.0/31'), address('10.10.0.0'))).toBe(true);
});

test('ranges are written whole, short, as one address or as a CIDR', () => {
  const size = (text: string) => {
    const range = parseRange(text);
    return range && Number(range.last - range.first) + 1;
  };
  expect(['10.0.0.20-10.0.0.39', '10.0.0.20-39', '10.0.0.7', '10.0.0.64/27', 'fd00::1-fd00::f'].map(size)).toEqual([
    20, 20, 1, 32, 15,
  ]);
  expect(['10.0.0.39-10.0.0.20', '10.0.0.20-300', 'fd00::1-10.0.0.1', '1-2-3', ''].map(size)).toEqual(
    Array(5).fill(undefined),
  );
});

test('overlap and containment never cross families', () => {
  expect(overlaps(cidr('10.0.0.0/8'), cidr('10.244.0.0/16'))).toBe(true);
  expect(overlaps(cidr('10.0.0.0/16'), cidr('10.1.0.0/16'))).toBe(false);
  expect(contains(cidr('::/0'), address('10.0.0.1'))).toBe(false);
});
