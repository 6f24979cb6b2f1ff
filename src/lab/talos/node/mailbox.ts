/** From callbacks to an async iteration that ends with the signal. */
export type Mailbox<Item> = { put(item: Item): void; close(): void; [Symbol.asyncIterator](): AsyncIterator<Item> };

export function mailbox<Item>(signal: AbortSignal): Mailbox<Item> {
  const items: Item[] = [];
  let wake: (() => void) | undefined;
  let closed = false;
  const stir = (): void => {
    wake?.();
    wake = undefined;
  };
  signal.addEventListener('abort', stir, { once: true });
  return {
    put: (item) => {
      items.push(item);
      stir();
    },
    close: () => {
      closed = true;
      stir();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        signal.throwIfAborted();
        const item = items.shift();
        if (item !== undefined) yield item;
        else if (closed) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
