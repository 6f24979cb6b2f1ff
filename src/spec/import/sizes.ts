import { formatGiB, formatMiB, parseGiB, parseMiB } from '../../model/size.ts';
import type { Part } from './foreign.ts';

/** Terraform modules count memory in MB; nobody means a machine of 511 MB, so a smaller number counts GB. */
const leastMiB = 512;

/** 8192, "8192", "8GiB", "8G": what people write for memory. Proxmox's MB and GB are MiB and GiB. */
export function memoryOf(part: Part): string | undefined {
  const text = part.text();
  if (text === undefined) return undefined;
  if (parseMiB(text) !== undefined) return text;
  const { amount, unit } = measured(text);
  const mebibytes = amount * (unit ? perUnit[unit] : amount >= leastMiB ? 1 : 1024);
  if (Number.isSafeInteger(mebibytes) && mebibytes > 0) return formatMiB(mebibytes);
  part.note('Not carried over: it is not an amount of memory.');
  return undefined;
}

/** 40, "40", "40G", "40GiB": what people write for disks, in GB unless they say otherwise. */
export function diskOf(part: Part): string | undefined {
  const text = part.text();
  if (text === undefined) return undefined;
  if (parseGiB(text) !== undefined) return text;
  const { amount, unit } = measured(text);
  const gibibytes = (amount * (unit ? perUnit[unit] : 1024)) / 1024;
  if (Number.isSafeInteger(gibibytes) && gibibytes > 0) return formatGiB(gibibytes);
  part.note('Not carried over: it is not the size of a disk in whole GB.');
  return undefined;
}

const perUnit = { M: 1, G: 1024, T: 1024 * 1024 } as const;

function measured(text: string): { readonly amount: number; readonly unit: keyof typeof perUnit | undefined } {
  const match = /^(\d+(?:\.\d+)?)\s*([MGT])?(?:i?B)?$/i.exec(text.trim());
  return {
    amount: Number(match?.[1] ?? Number.NaN),
    unit: match?.[2]?.toUpperCase() as keyof typeof perUnit | undefined,
  };
}
