import { expect, test } from 'vitest';
import { bundled, ended } from '../children.ts';
import { folderForAll } from '../folder.ts';
import { sweep } from '../sweep.ts';
import type { Weathered } from './storms.ts';

/** Storms that something went wrong in once; they are always had. */
// 1026: a worker that did not answer now and then while the plan only waited for it was taken for one that never settles.
// 261148: the task that creates a VM was killed, and its lock stayed; a person takes it away.
const known: readonly number[] = [1026, 261148];

const whole = 100;
/** Most of a storm is waiting: so many at a time. */
const width = 2;

async function hadBy(script: string, seed: number): Promise<Weathered> {
  const { signal, lines } = await ended(script, [String(seed)]);
  if (signal !== null) throw new Error(`ended by ${signal}`);
  return JSON.parse(lines.at(-1) ?? '') as Weathered;
}

/** Half of all storms: a file each, so that two cores have work. */
export function storms(half: 0 | 1): void {
  const scripts = folderForAll();
  const { numRuns, seed } = sweep(`fault storm ${half + 1}`, 1, whole / 2);
  const first = seed % 1_000_000;
  const seeds = [
    ...known.filter((_, index) => index % 2 === half),
    ...Array.from({ length: numRuns }, (_, index) => first + index * 2 + half),
  ];
  test(`${seeds.length} storms from seed ${first + half} on`, { timeout: 900_000 }, async () => {
    const script = await bundled('storm/one', scripts);
    const all: Weathered[] = [];
    const failed: string[] = [];
    const queue = [...seeds];
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        try {
          all.push(await hadBy(script, next));
        } catch (error) {
          failed.push(`storm ${next}: ${(error as Error).message}`);
          process.stderr.write(`${failed.at(-1)}\n`);
        }
      }
    };
    await Promise.all(Array.from({ length: width }, worker));
    expect(failed).toEqual([]);
    const sum = (of: (one: Weathered) => number): number => all.reduce((total, one) => total + of(one), 0);
    process.stderr.write(
      `fault storm ${half + 1}: ${all.length} seeds, ${sum((one) => one.begunAgain)} runs begun again, ${sum((one) => one.faults)} faults met, all converged\n`,
    );
  });
}
