import { parentPort, workerData } from 'node:worker_threads';
import { generate } from './generate.ts';
import { judge } from './judge.ts';

export type Work = {
  readonly corpus: readonly string[];
  readonly first: number;
  readonly step: number;
  readonly count: number;
  /** Where the seed in hand is written, for whoever waits too long. */
  readonly inHand: Int32Array;
};

export type Finding = { readonly seed: number; readonly what: string; readonly wrong: string };

const { corpus, first, step, count, inHand } = workerData as Work;
const findings: Finding[] = [];
for (let number = 0; number < count && findings.length < 5; number++) {
  const seed = (first + number * step) | 0;
  Atomics.store(inHand, 0, seed);
  const { what, input } = generate(seed, corpus);
  const wrong = judge(input);
  // A pause of the machine is not a slow reader: only what is slow twice is slow.
  if (wrong !== undefined && (!wrong.startsWith('it took') || judge(input) !== undefined))
    findings.push({ seed, what, wrong });
  Atomics.add(inHand, 1, 1);
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(findings);
