import type { Worker } from '../tasks/task.ts';
import type { FileLock } from '../vm.ts';

/** Work under the lock of a VM; whoever waits says so in its log. */
export const holding = <T>(worker: Worker, lock: FileLock, waitMs: number, work: () => Promise<T>): Promise<T> =>
  lock.take(waitMs, work, holderOf(worker));

export const sharing = <T>(worker: Worker, lock: FileLock, waitMs: number, work: () => Promise<T>): Promise<T> =>
  lock.share(waitMs, work, holderOf(worker));

const holderOf = ({ say, signal, killed }: Worker) => ({
  waits: () => say('trying to acquire lock...'),
  got: () => say(' OK'),
  signal,
  killed,
});
