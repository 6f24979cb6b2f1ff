/** VMIDs from `first` to `last`, both included. */
export type VmidRange = { readonly first: number; readonly last: number };

/** What Proxmox VE accepts as a VMID. */
const lowestVmid = 100;
const highestVmid = 999_999_999;

/** "401-499", or "501-" for no upper bound. */
export function parseVmidRange(text: string): VmidRange | undefined {
  const match = /^(\d{1,9})\s*-\s*(\d{1,9})?$/.exec(text);
  if (!match) return undefined;
  const first = Number(match[1]);
  const last = match[2] === undefined ? highestVmid : Number(match[2]);
  return first >= lowestVmid && first <= last ? { first, last } : undefined;
}

export const rangesOverlap = (a: VmidRange, b: VmidRange): boolean => a.first <= b.last && b.first <= a.last;
