import type { Datacenter } from '../datacenter.ts';
import { qemuVersion } from './status.ts';

/** A random UUID; the seed of the lab decides which. */
export function newUuid(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
  digits[12] = '4';
  digits[16] = (8 + Math.floor(random() * 4)).toString(16);
  const text = digits.join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}

/** Under which QEMU and when a VM was made; clones keep that of their source. */
export const newMeta = ({ clock }: Datacenter): string =>
  `creation-qemu=${qemuVersion},ctime=${Math.floor(clock.now().getTime() / 1000)}`;
