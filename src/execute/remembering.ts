import type { Memory } from '../model/world.ts';
import type { Store } from '../state/store.ts';
import type { Tools } from './tools.ts';

const turns = new WeakMap<Store, Promise<unknown>>();

/** Changes what is kept between runs; steps side by side do so one after the other. Durable when it resolves. */
export function rememberThat(
  { store, material }: Pick<Tools, 'store' | 'material'>,
  change: (memory: Memory) => Memory,
): Promise<Memory> {
  const turn = async (): Promise<Memory> => {
    const before = await store.memory(material.platform);
    const after = change(before);
    if (JSON.stringify(after) !== JSON.stringify(before)) await store.remember(after);
    return after;
  };
  const mine = (turns.get(store) ?? Promise.resolve()).then(turn, turn);
  turns.set(store, mine);
  return mine;
}

/** A machine of `existing` is nobody’s again. */
export const forgetMachine = (machine: string, tools: Pick<Tools, 'store' | 'material'>): Promise<Memory> =>
  rememberThat(tools, (memory) => {
    const { [machine]: _, ...configured } = memory.configured;
    return { ...memory, configured };
  });
