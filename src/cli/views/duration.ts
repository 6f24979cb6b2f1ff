/** How long something took or takes: 0.4 s, 42 s, 1 min 52 s, 2 h 5 min. */
export function lasting(ms: number): string {
  if (ms < 9950) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return twoUnits(seconds, 60, 'min', 's');
  return twoUnits(Math.round(seconds / 60), 60, 'h', 'min');
}

/** What is only expected is said without tenths. */
export const about = (ms: number): string =>
  lasting(ms < 9950 ? Math.max(1, Math.ceil(ms / 1000)) * 1000 : ms).replace('.0', '');

function twoUnits(count: number, size: number, large: string, small: string): string {
  const rest = count % size;
  return `${Math.floor(count / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}
