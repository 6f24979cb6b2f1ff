import type { Call } from '../call.ts';
import { died, Refusal } from '../refusal.ts';

/**
 * Changes a file of the cluster, which only a majority of the hosts may do: who is cut off waits, and then learns it. `failing`
 * stands before every refusal: `create pool failed`.
 */
export async function changingFile<T>(
  { datacenter, host, signal }: Call,
  lock: string,
  failing: string | undefined,
  change: () => T | Promise<T>,
): Promise<T> {
  const because = (words: string): string => (failing === undefined ? words : `${failing}: ${words}`);
  if (!datacenter.quorate(host)) {
    await datacenter.clock.sleep(datacenter.durations.lockWait, signal);
    throw died(because(`cfs-lock '${lock}' error: no quorum!`));
  }
  try {
    return await change();
  } catch (error) {
    throw error instanceof Refusal && failing !== undefined ? died(because(wordsOf(error))) : error;
  }
}

/** A refusal inside of another one is nothing but words. */
function wordsOf({ status, message, errors }: Refusal): string {
  if (status === 500 && errors === undefined) return message;
  return [`${status} ${message}`, ...Object.entries(errors ?? {}).map(([name, words]) => `${name}: ${words}`)].join(
    '\n',
  );
}

/** What is refused at once where there is no majority. */
export function mustBeQuorate({ datacenter, host }: Call): void {
  if (!datacenter.quorate(host)) throw died('cluster not ready - no quorum?');
}
