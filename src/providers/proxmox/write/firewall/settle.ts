import type { ProxmoxApi } from '../../api/api.ts';
import { persist } from '../../api/persist.ts';
import { ApiProblem } from '../../api/problem.ts';

export const right = { path: '/', privilege: 'Sys.Modify' };

/** Looks and changes what differs; when an answer gets lost, it looks again from the beginning. */
export async function settle(api: ProxmoxApi, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const act = async (): Promise<true> => {
    await work();
    return true;
  };
  await persist(api, { act, look: () => Promise.resolve(undefined) }, signal);
}

/** Whoever made it first, it is there. */
export async function thereAlready(act: () => Promise<unknown>): Promise<unknown> {
  try {
    return await act();
  } catch (error) {
    const exists =
      error instanceof ApiProblem && Object.values(error.errors).some((text) => text.includes('already exists'));
    if (exists) return undefined;
    throw error;
  }
}
