import { backoffMs, type ProxmoxApi } from './api.ts';
import { ApiProblem } from './problem.ts';

/** Locks of hosts hold for 30 s at worst, after ten of waiting: whoever gives up earlier gives up too early. */
const patienceMs = 60_000;
/** A host that is off does not come back within a minute; whoever asked hears of it and decides. */
const absenceMs = 15_000;
const isAbsence = ({ code }: ApiProblem): boolean => code === 'proxmox-host-offline' || code === 'proxmox-unreachable';
const mostAttempts = 30;

export type Change<T> = {
  /** Does it, and waits for its end. */
  readonly act: () => Promise<T>;
  /** Asked before it is done again: has it been done meanwhile? Undefined: no, and nothing is under way. */
  readonly look: (problem: ApiProblem) => Promise<T | undefined>;
};

/**
 * Changes something although answers get lost and others hold locks. Nothing is sent a second time before somebody has
 * looked what became of the first.
 */
export async function persist<T>(api: ProxmoxApi, { act, look }: Change<T>, signal: AbortSignal): Promise<T> {
  const { clock, pause, random } = api.tools;
  const began = clock.now().getTime();
  let doubt: ApiProblem | undefined;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    // The last attempt begins when the time is over: what was in the way has had all of it.
    const waited = clock.now().getTime() - began;
    const last = attempt === mostAttempts || waited > patienceMs;
    try {
      const done = doubt === undefined ? undefined : await look(doubt);
      if (done !== undefined) return done;
      doubt = undefined;
      return await act();
    } catch (error) {
      const again = error instanceof ApiProblem && (error.fate !== 'refused' || error.passing);
      if (!again || last || (isAbsence(error) && waited > absenceMs)) throw error;
      if (error.fate !== 'not done') doubt = error;
      await pause(backoffMs(attempt, random), signal);
    }
  }
}
