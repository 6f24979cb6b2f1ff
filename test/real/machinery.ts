import { spawn } from 'node:child_process';
import { contracts, type Contract } from '../../src/talos/config/contract.ts';
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
export async function ask(contract: Contract, questions: readonly Question[]): Promise<readonly Answer[]> {
  const program = await peerProgram(peerOf(contract));
  const output = await answersOf(program, questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  const answers = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Answer);
  if (answers.length !== questions.length)
    throw new Error(`The judge of ${contract} gave ${answers.length} answers to ${questions.length} questions.`);
  return answers;
}

function answersOf(program: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(Buffer.concat(chunks).toString()) : reject(new Error(`The judge ended with ${code}.`)),
    );
    child.stdin.end(input);
  });
}
