import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

export const scratch = fileURLToPath(new URL('../.build/bench/', import.meta.url));
mkdirSync(scratch, { recursive: true });

const rss = fileURLToPath(new URL('rss.mjs', import.meta.url));
export const ichor = fileURLToPath(new URL('../dist/ichor.js', import.meta.url));

/** One cold process: how long it took, how much it held, what it said. */
export function cold(args) {
  const file = `${scratch}rss`;
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', rss, ...args], {
    encoding: 'utf8',
    env: { ...process.env, BENCH_RSS: file },
    maxBuffer: 1 << 28,
  });
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`);
  return { ms, rssMiB: Number(readFileSync(file, 'utf8')) / 1024, stdout };
}

const time = (args) => {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`);
  return performance.now() - started;
};

/** Wall time of one program over another, in turns, so that a busy machine slows both. The fastest of each counts. */
export function ratio(args, over, rounds = 15) {
  let [one, other] = [Infinity, Infinity];
  for (let round = 0; round < rounds; round++) {
    other = Math.min(other, time(over));
    one = Math.min(one, time(args));
  }
  return { ratio: one / other, ms: one, overMs: other };
}
