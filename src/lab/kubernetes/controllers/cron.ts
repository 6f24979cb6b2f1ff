const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

const names: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

/** The first minute after `from` that a schedule names; undefined: none within a year, or it is no schedule. */
export function nextTime(schedule: string, from: Date): Date | undefined {
  const fields = (names[schedule] ?? schedule).trim().split(/\s+/).map(parse);
  const [minutes, hours, days, months, weekdays] = fields;
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  const at = new Date(Math.floor(from.getTime() / 60_000) * 60_000 + 60_000);
  const last = at.getTime() + 366 * 86_400_000;
  while (at.getTime() < last) {
    const onDay = days.values.has(at.getUTCDate());
    const onWeekday = weekdays.values.has(at.getUTCDay()) || (at.getUTCDay() === 0 && weekdays.values.has(7));
    // When both are narrowed, either is enough.
    const today = days.any || weekdays.any ? onDay && onWeekday : onDay || onWeekday;
    if (!today || !months.values.has(at.getUTCMonth() + 1)) at.setUTCHours(24, 0, 0, 0);
    else if (!hours.values.has(at.getUTCHours())) at.setUTCMinutes(60, 0, 0);
    else if (minutes.values.has(at.getUTCMinutes())) return at;
    else at.setTime(at.getTime() + 60_000);
  }
  return undefined;
}

function parse(
  text: string,
  field: number,
): { readonly any: boolean; readonly values: ReadonlySet<number> } | undefined {
  const [least, most] = ranges[field] ?? [0, 0];
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const found = /^(?:\*|\?|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    if (found === null) return undefined;
    const from = found[1] === undefined ? least : Number(found[1]);
    const open = found[1] === undefined || (found[3] !== undefined && found[2] === undefined);
    const to = found[2] === undefined ? (open ? most : from) : Number(found[2]);
    for (let value = from; value <= to; value += Number(found[3] ?? 1)) values.add(value);
  }
  return { any: /^[*?]/.test(text), values };
}
