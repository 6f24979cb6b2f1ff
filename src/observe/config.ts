import { Problem, Problems } from '../model/problem.ts';
import type { ConfigChange } from '../model/step.ts';
import type { Contract } from '../talos/config/contract.ts';
import { configDiff } from '../talos/config/diff.ts';
import type { MachineConfig } from '../talos/config/document.ts';
import { readConfig } from '../talos/config/read.ts';
import { changeBetween } from '../talos/config/reboot.ts';

/** What is other on a node than the file asks for; secrets are masked. Order, comments and empty lists do not count. */
export function configChanges(there: string, wanted: string, contract: Contract): readonly ConfigChange[] {
  // A node keeps what it was given byte for byte.
  if (there === wanted) return [];
  const after = readConfig(wanted, 'the configuration of the file', contract);
  const before = readable(there, contract);
  if (before === undefined) return [unreadable];
  const reboots = new Map(changeBetween(before, after).map(({ path, reboot }) => [path, reboot]));
  return configDiff(before, after)
    .filter((change) => !saysNothing(change.before) || !saysNothing(change.after))
    .map(({ path, before: old, after: now, reboot }) => ({
      path,
      before: old,
      after: now,
      reboot: reboots.get(path) ?? reboot,
    }));
}

/** Talos itself leaves empty lists out when somebody had it write a configuration anew. */
const saysNothing = (shown: string | undefined): boolean => shown === undefined || shown === '[]';

const unreadable: ConfigChange = {
  path: '',
  before: 'a configuration that this version of Talos cannot have',
  after: 'the one of the file',
  reboot: true,
};

function readable(text: string, contract: Contract): MachineConfig | undefined {
  try {
    return readConfig(text, 'the configuration of the node', contract);
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) return undefined;
    throw error;
  }
}
