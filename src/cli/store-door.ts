import { dirname } from 'node:path';
import type { Clock } from '../model/clock.ts';
import type { Entropy } from '../model/entropy.ts';
import type { Store } from '../state/store.ts';
import type { Terminal } from './terminal.ts';

/** What commands are handed that need only what is kept, and no machine. */
export type StoreDoor = {
  readonly terminal: () => Terminal;
  readonly store: (options: { readonly workspace: string }) => Promise<Store>;
  readonly system: () => Promise<{ readonly clock: Clock; readonly entropy: Entropy }>;
};

/** Which state is meant, in words: several workspaces lie in one folder. */
export const placeOf = ({ where }: Pick<Store, 'where'>, { workspace }: { readonly workspace: string }): string =>
  `workspace ${workspace} in ${dirname(where)}`;
