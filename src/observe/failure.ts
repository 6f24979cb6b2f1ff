import { Problem, Problems } from '../model/problem.ts';
import { known, unknown, type Seen } from '../model/seen.ts';

/** Why a look failed, in words. What is no problem of the world is a mistake of ours, and goes on. */
export function becauseOf(error: unknown, signal: AbortSignal): string {
  signal.throwIfAborted();
  if (error instanceof Problem || error instanceof Problems) return error.message;
  // A deadline of a single look has passed.
  if (error instanceof DOMException) return 'it did not answer in time';
  throw error;
}

/** What the file comes to, unless that hangs on an address that nobody can see at the moment. */
export async function unlessHidden<T>(make: () => Promise<T>): Promise<Seen<T>> {
  try {
    return known(await make());
  } catch (error) {
    if (error instanceof Problem && error.code === 'endpoint-unknown') return unknown(error.message);
    throw error;
  }
}
