import { all } from './tools.ts';
import type { Tools } from './tools.ts';

/** The first /24 of the cluster’s range that no node has. */
export function podRange({ api }: Tools, cidr: string): string | undefined {
  const [base = '', bits = '16'] = cidr.split('/');
  const taken = new Set(all(api, '/nodes').map(({ spec }) => spec.podCIDR));
  const [a = 0, b = 0, c = 0, d = 0] = base.split('.').map(Number);
  const first = ((a * 256 + b) * 256 + c) * 256 + d;
  for (let index = 0; index < 2 ** Math.max(0, 24 - Number(bits)); index++) {
    const start = first + index * 256;
    const range = `${[24, 16, 8, 0].map((shift) => Math.floor(start / 2 ** shift) % 256).join('.')}/24`;
    if (!taken.has(range)) return range;
  }
  return undefined;
}
