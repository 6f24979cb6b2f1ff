import { contracts, type Contract } from '../../src/talos/config/contract.ts';
import { askAll } from './oracle.ts';
import { peerProgram, type PeerName } from './peers.ts';

/** The release whose own types judge configurations of a minor. */
export const judged: Readonly<Record<Contract, string>> = {
  '1.9': 'v1.9.0',
  '1.10': 'v1.10.6',
  '1.11': 'v1.11.6',
  '1.12': 'v1.12.4',
  '1.13': 'v1.13.9',
  '1.14': 'v1.14.1',
};

export type Mode = 'metal' | 'cloud';

export type Question =
  | { readonly config: string; readonly mode: Mode }
  | {
      readonly generate: {
        readonly name: string;
        readonly endpoint: string;
        readonly kubernetes: string;
        readonly contract: string;
        readonly secretsFile: string;
        readonly installDisk: string;
        readonly installImage: string;
        readonly role: 'controlplane' | 'worker';
      };
    };

export type Answer = {
  readonly error?: string;
  readonly warnings?: readonly string[];
  /** As Talos itself would write it. */
  readonly encoded?: string;
};

const peerOf = (contract: Contract): PeerName => `machinery-${contract}`;

/** Builds the judges that are not there yet. */
export async function buildJudges(): Promise<void> {
  for (const contract of contracts) await peerProgram(peerOf(contract));
}

/** Asks Talos’ own types of one minor. */
export const ask = (contract: Contract, questions: readonly Question[]): Promise<readonly Answer[]> =>
  askAll<Answer>(peerOf(contract), questions);
