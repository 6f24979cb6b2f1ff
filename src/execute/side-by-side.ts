import { firstOf } from '../model/signals.ts';

/** Does something to every item, a few at a time; answers in the order of the items. The first failure ends the rest. */
export async function sideBySide<T, R>(
  items: readonly T[],
  most: number,
  act: (item: T, signal: AbortSignal) => Promise<R>,
  signal: AbortSignal,
): Promise<readonly R[]> {
  const stop = new AbortController();
  using both = firstOf(signal, stop.signal);
  const answers = new Map<number, R>();
  const queue = items.entries();
  const walk = async (): Promise<void> => {
    for (const [index, item] of queue) {
      both.throwIfAborted();
      answers.set(index, await act(item, both));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(most, items.length) }, walk));
  } catch (error) {
    stop.abort(error);
    throw error;
  }
  return items.map((_, index) => answers.get(index) as R);
}
