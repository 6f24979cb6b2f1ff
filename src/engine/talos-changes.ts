import { Problem, Problems } from '../model/problem.ts';
import type { Contract } from '../talos/config/contract.ts';
import { configDiff, type ShownChange } from '../talos/config/diff.ts';
import type { MachineConfig } from '../talos/config/document.ts';
import { readConfig } from '../talos/config/read.ts';

export type { ShownChange };

/** What would be other than before, path by path, with secrets masked; undefined when what was there cannot be read. */
export function changesFrom(
  before: string,
  after: MachineConfig,
  contract: Contract,
): readonly ShownChange[] | undefined {
  try {
    return configDiff(readConfig(before, 'the configuration so far', contract), after);
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) return undefined;
    throw error;
  }
}

/** The same between two texts. */
export function changesBetween(before: string, after: string, contract: Contract): readonly ShownChange[] | undefined {
  try {
    return changesFrom(before, readConfig(after, 'the new configuration', contract), contract);
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) return undefined;
    throw error;
  }
}
