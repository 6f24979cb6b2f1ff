export const wholeSweeps = process.env['ICHOR_SWEEP'] === 'whole';

/**
 * How far a long sweep goes: a sample in `make test`, the whole of it where ICHOR_SWEEP=whole (as `.ci/run` sets it).
 * The seed is printed, so that what failed once can be run again with ICHOR_SEED.
 */
export function sweep(
  name: string,
  sample: number,
  whole: number,
): { readonly numRuns: number; readonly seed: number } {
  const given = process.env['ICHOR_SEED'];
  const seed = given === undefined ? Date.now() % 2_147_483_647 : Number(given);
  const numRuns = wholeSweeps ? whole : sample;
  process.stderr.write(`${name}: ${numRuns} of ${whole}, seed ${seed}\n`);
  return { numRuns, seed };
}
