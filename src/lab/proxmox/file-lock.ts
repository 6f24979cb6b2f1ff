import type { LabClock } from '../clock.ts';
import type { Host } from './host.ts';
import { died } from './refusal.ts';
import type { FileLock, LockHolder } from './vm.ts';

type Ticket = { readonly shared: boolean; readonly enter: () => void };

/** The lock of a VM on a host, whether there is such a VM or not. */
export const lockFile = (clock: LabClock, host: Host, vmid: number): FileLock =>
  lockAt(clock, host, `/var/lock/qemu-server/lock-${vmid}.conf`);

/** A lock file of a host; it is made when somebody first wants it. */
export function lockAt(clock: LabClock, host: Host, path: string, refusal?: string): FileLock {
  const known = host.lockFiles.get(path) ?? fileLock(clock, refusal ?? `can't lock file '${path}' - got timeout`);
  host.lockFiles.set(path, known);
  return known;
}

/** As flock(2) has it: one holder, or several that share it. Whoever waits gets it in the order of asking. */
export function fileLock(clock: LabClock, refusal: string): FileLock {
  const queue: Ticket[] = [];
  let holders = 0;
  let alone = false;

  const admits = ({ shared }: Ticket): boolean => holders === 0 || (shared && !alone);
  const admitNext = (): void => {
    for (let next = queue[0]; next !== undefined && admits(next); next = queue[0]) {
      queue.shift();
      enter(next);
    }
  };
  const enter = (ticket: Ticket): void => {
    holders += 1;
    alone = !ticket.shared;
    ticket.enter();
  };
  const leave = (): void => {
    holders -= 1;
    if (holders === 0) alone = false;
    admitNext();
  };

  const wait = async (shared: boolean, waitMs: number, holder: LockHolder): Promise<void> => {
    let entered = false;
    const inside = new Promise<void>((resolve) => {
      const ticket: Ticket = {
        shared,
        enter: () => {
          entered = true;
          resolve();
        },
      };
      if (queue.length === 0 && admits(ticket)) enter(ticket);
      else queue.push(ticket);
    });
    if (entered) return;
    holder.waits?.();
    const mine = queue.at(-1);
    const patience = new AbortController();
    const signals = [patience.signal, holder.signal, holder.killed].filter((each) => each !== undefined);
    const timeUp = clock.sleep(waitMs, AbortSignal.any(signals)).then(() => {
      throw died(refusal);
    });
    try {
      await Promise.race([inside, timeUp]);
    } catch (error) {
      // Given up: the place in the queue is free, also where the lock came at the same moment.
      if (entered) leave();
      else if (mine !== undefined) queue.splice(queue.indexOf(mine), 1);
      if (isDead(holder)) await never();
      throw error;
    } finally {
      timeUp.catch(() => undefined);
      patience.abort(new Error('no longer waiting'));
    }
    holder.got?.();
  };

  const hold = async <T>(shared: boolean, waitMs: number, work: () => Promise<T>, holder: LockHolder): Promise<T> => {
    const { killed } = holder;
    if (isDead(holder)) return never();
    await wait(shared, waitMs, holder);
    let held = true;
    const letGo = (): void => {
      if (held) leave();
      held = false;
    };
    killed?.addEventListener('abort', letGo, { once: true });
    try {
      return await work();
    } finally {
      killed?.removeEventListener('abort', letGo);
      letGo();
      if (isDead(holder)) await never();
    }
  };

  return {
    get held() {
      return holders > 0;
    },
    take: (waitMs, work, holder = {}) => hold(false, waitMs, work, holder),
    share: (waitMs, work, holder = {}) => hold(true, waitMs, work, holder),
  };
}

const isDead = ({ killed }: LockHolder): boolean => killed?.aborted === true;

/** Nothing of a killed process goes on. */
export const never = (): Promise<never> => new Promise(() => undefined);
