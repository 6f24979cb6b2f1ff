/** Words of wget, which stand in the logs of downloads. */

/** `2026-11-15 23:03:01` */
export const stamp = (now: Date): string => now.toISOString().slice(0, 19).replace('T', ' ');

/** `Length: 300000 (293K) [application/x-iso9660-image]` */
export function lengthLine(bytes: number | undefined, type: string | undefined): string {
  const kind = type === undefined ? '' : ` [${type.split(';')[0]}]`;
  if (bytes === undefined) return `Length: unspecified${kind}`;
  return `Length: ${bytes}${bytes < 1024 ? '' : ` (${shortSize(bytes)})`}${kind}`;
}

/** `293K`, `1.9M` */
function shortSize(bytes: number): string {
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < 3) {
    value /= 1024;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)}${'KMGT'.charAt(unit)}`;
}

const MiB = 1024 * 1024;
const perCluster = 8;
const perLine = 4 * perCluster;

/** A dot for each mebibyte, and at the end of each line how far it is. */
export function* progressLines(bytes: number, seconds: number): Iterable<string> {
  const lines = Math.max(1, Math.ceil(bytes / (perLine * MiB)));
  for (let line = 0; line < lines; line++) {
    const here = Math.min(perLine, Math.floor(bytes / MiB) - line * perLine);
    const label = `${line * perLine * 1024}K`.padStart(7);
    const share = line === lines - 1 ? 100 : Math.floor((100 * (line + 1) * perLine * MiB) / bytes);
    const end = line === lines - 1 ? `=${timeText(seconds)}` : '';
    yield `${label}${dots(here).padEnd(36)}${`${share}%`.padStart(4)} ${shortRate(bytes, seconds).padStart(5)}${end}`;
  }
}

function dots(count: number): string {
  let text = '';
  for (let dot = 0; dot < count; dot++) text += dot % perCluster === 0 ? ' .' : '.';
  return text;
}

const rateOf = (bytes: number, seconds: number): number => bytes / Math.max(seconds, 0.0005);

const shortRate = (bytes: number, seconds: number): string => {
  const rate = rateOf(bytes, seconds);
  return rate < 1024 ? `${Math.round(rate)}B` : shortSize(rate);
};

/** `909 MB/s` */
export function rateText(bytes: number, seconds: number): string {
  const short = shortRate(bytes, seconds);
  const unit = short.slice(-1);
  return `${short.slice(0, -1)} ${unit === 'B' ? 'B' : `${unit}B`}/s`;
}

const timeText = (seconds: number): string =>
  seconds < 0.0005 ? '0s' : seconds < 1 ? `${Number(seconds.toPrecision(1))}s` : `${Math.round(seconds)}s`;
