import type { Volume } from '../../storage.ts';
import { renderBytes } from '../config/size.ts';

const chunk = 2 * 1024 ** 2;

/** What is told while an image is copied: a line for every percent at most, and none for what is empty. */
export function progress(total: number, written: number): string[] {
  const line = (bytes: number): string =>
    `transferred ${renderBytes(bytes)} of ${renderBytes(total)} (${((bytes / Math.max(1, total)) * 100).toFixed(2)}%)`;
  if (written < total / 100) return [line(0), line(total)];
  const step = Math.ceil(total / 100 / chunk) * chunk;
  const steps = Array.from({ length: Math.floor(total / step) + 1 }, (_, index) => line(index * step));
  return [...steps, ...(total % step === 0 ? [] : [line(total)]), line(total)];
}

/** What the tool that makes a volume prints. */
export function allocationLine(path: string, { format, bytes }: Volume): string {
  if (path.startsWith('/dev/')) return `  Logical volume "${path.slice(path.lastIndexOf('/') + 1)}" created.`;
  return format === 'qcow2'
    ? `Formatting '${path}', fmt=qcow2 cluster_size=65536 extended_l2=off preallocation=metadata compression_type=zlib size=${bytes} lazy_refcounts=off refcount_bits=16`
    : `Formatting '${path}', fmt=${format} size=${bytes} preallocation=off`;
}
