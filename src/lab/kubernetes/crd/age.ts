const [minute, hour, day] = [60, 3600, 86_400];

/** How long ago something was, in the two largest units that say something. */
export function age(moment: string, now: Date): string {
  const then = Date.parse(moment);
  if (Number.isNaN(then)) return '<invalid>';
  return duration(Math.trunc((now.getTime() - then) / 1000));
}

function duration(seconds: number): string {
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * minute) return `${seconds}s`;
  const minutes = Math.floor(seconds / minute);
  if (minutes < 10) return two(minutes, 'm', seconds % minute, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(seconds / hour);
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(seconds / day);
  if (hours < 192) return two(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? two(years, 'y', days % 365, 'd') : `${years}y`;
}

const two = (large: number, unit: string, small: number, smaller: string): string =>
  small === 0 ? `${large}${unit}` : `${large}${unit}${small}${smaller}`;
