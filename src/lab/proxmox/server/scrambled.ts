/** The same value with the keys of its objects in another order; lists stay as they are. */
export function scrambled(value: unknown, random: () => number): unknown {
  const turn = random();
  const scramble = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map((item) => scramble(item));
    if (typeof each !== 'object' || each === null) return each;
    const entries = Object.entries(each);
    const start = Math.floor(turn * entries.length);
    return Object.fromEntries(
      [...entries.slice(start), ...entries.slice(0, start)].map(([key, item]) => [key, scramble(item)]),
    );
  };
  return scramble(value);
}
