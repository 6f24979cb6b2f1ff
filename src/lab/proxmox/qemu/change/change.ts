import type { Call } from '../../call.ts';
import type { Worker } from '../../tasks/task.ts';
import type { Vm } from '../../vm.ts';

/** A change in progress: its wish may grow while it is read, and its boot order while devices come and go. */
export type Change = {
  readonly call: Call;
  readonly worker: Worker;
  readonly vm: Vm;
  readonly settings: Map<string, string>;
  readonly remove: string[];
  readonly force: boolean;
  /** Devices of the order that is in force; what waits already is not looked at. */
  bootOrder: string[];
  readonly modified: Set<string>;
};
