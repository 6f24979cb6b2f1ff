/** Looks at every item, a few at a time; answers in the order of the items. */
export async function lookAtAll<T, R>(
  items: readonly T[],
  most: number,
  look: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const answers = new Map<number, R>();
  const queue = items.entries();
  const walk = async (): Promise<void> => {
    for (const [index, item] of queue) answers.set(index, await look(item));
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, walk));
  return items.map((_, index) => answers.get(index) as R);
}
