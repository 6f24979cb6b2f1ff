export type Item = { [field: string]: unknown };

/** Items that the patch names in its order, the others in theirs, and both shuffled as the live list had them. */
export function inOrder(
  items: readonly unknown[],
  wanted: readonly unknown[],
  live: readonly unknown[],
  mergeKey: string,
): unknown[] {
  const keyOf = (item: unknown): unknown => (mergeKey === '' ? item : (item as Item)[mergeKey]);
  const places = (list: readonly unknown[]): ReadonlyMap<unknown, number> =>
    new Map(list.toReversed().map((item, at) => [keyOf(item), list.length - 1 - at]));
  const [inPatch, inLive] = [places(wanted), places(live)];
  const sorted = (list: readonly unknown[], by: ReadonlyMap<unknown, number>): unknown[] =>
    [...list].sort((a, b) => (by.get(keyOf(a)) ?? 0) - (by.get(keyOf(b)) ?? 0));
  const named = sorted(
    items.filter((item) => inPatch.has(keyOf(item))),
    inPatch,
  );
  const others = sorted(
    items.filter((item) => !inPatch.has(keyOf(item))),
    inLive,
  );

  const all: unknown[] = [];
  while (named.length > 0 || others.length > 0) {
    const [ours, theirs] = [
      inLive.get(others.length === 0 ? undefined : keyOf(others[0])),
      inLive.get(named.length === 0 ? undefined : keyOf(named[0])),
    ];
    const isOthersTurn =
      named.length === 0 || (others.length > 0 && ours !== undefined && theirs !== undefined && ours < theirs);
    all.push(isOthersTurn ? others.shift() : named.shift());
  }
  return all;
}
