import { Problem } from '../../src/model/problem.ts';

export type Told = { readonly code: string; readonly recovery: string; readonly message: string };

/** What a person would read of a failure; anything but a problem is a failure of the test. */
export async function told(failing: Promise<unknown>): Promise<Told> {
  const error = await failing.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Problem)) throw new Error(`This is not a problem: ${String(error)}`, { cause: error });
  return { code: error.code, recovery: error.recovery, message: error.message };
}

export type Gate = { readonly opened: Promise<void>; open(): void };

export function aGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
