import type { ConfigFile } from '../../vm.ts';

/** What the VM will have after its next cold start. */
export function merged({ config, pending, toDelete }: ConfigFile): Map<string, string> {
  const view = new Map([...config, ...pending]);
  for (const key of toDelete.keys()) view.delete(key);
  return view;
}

/** Changes that change nothing are forgotten; true: there were some. */
export function forgetIdle({ config, pending, toDelete }: ConfigFile): boolean {
  let changed = false;
  for (const [key, value] of pending) if (config.get(key) === value) changed = pending.delete(key) || changed;
  for (const key of toDelete.keys()) if (!config.has(key)) changed = toDelete.delete(key) || changed;
  return changed;
}

export const hasPending = ({ pending, toDelete }: ConfigFile): boolean => pending.size > 0 || toDelete.size > 0;

/** `GET pending`: every key with its value now and then. */
export function pendingRows(
  { config, pending, toDelete }: ConfigFile,
  show: (key: string, value: string) => unknown,
): Record<string, unknown>[] {
  const rows = [...config].map(([key, value]) => ({
    key,
    value: show(key, value),
    ...(pending.has(key) ? { pending: show(key, pending.get(key) ?? '') } : {}),
    ...(toDelete.has(key) ? { delete: toDelete.get(key) === 'destroy' ? 2 : 1 } : {}),
  }));
  const onlyThen = [...pending].filter(([key]) => !config.has(key));
  return [...rows, ...onlyThen.map(([key, value]) => ({ key, pending: show(key, value) }))];
}
