import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ichor, root } from '../cli.ts';
import { generate } from './generate.ts';
import { judge } from './judge.ts';
import { kept } from './kept.ts';
import { sweep, wholeSweeps } from '../sweep.ts';
import type { Finding, Work } from './worker.ts';

/** ICHOR_FUZZ=1 and ICHOR_SEED=… show a finding again. */
const { numRuns, seed: firstSeed } = sweep('fuzz', 600, 100_000);
const count = Number(process.env['ICHOR_FUZZ'] ?? numRuns);
const stuckAfterMs = 30_000;

let folder: string;
let corpus: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-fuzz-'));
  const names = (await readdir(join(root, 'test/fuzz/corpus'))).toSorted();
  corpus = await Promise.all(names.map((name) => readFile(join(root, 'test/fuzz/corpus', name), 'utf8')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the files that are mangled are right to begin with', () => {
  for (const content of corpus) {
    const input = { sources: [{ name: 'a.yaml', content }] };
    expect(judge(input)).toBeUndefined();
  }
});

test.each(kept)('%s', (_, input) => {
  expect(judge(input)).toBeUndefined();
});

test(`${count} files from seed ${firstSeed} neither crash nor hang the reader, and every complaint has a place`, async () => {
  const script = join(folder, 'worker.mjs');
  await build({
    entryPoints: [join(root, 'test/fuzz/worker.ts')],
    outfile: script,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'error',
    alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
  });
  const workers = Math.min(availableParallelism(), 4);
  const findings = await Promise.all(
    Array.from({ length: workers }, (_, index) =>
      inWorker(script, { corpus, first: firstSeed + index, step: workers, count: Math.ceil(count / workers) }),
    ),
  );
  expect(findings.flat()).toEqual([]);
}, 3_600_000);

/** The worker's findings; one that makes no headway is ended and reported with the seed it has in hand. */
function inWorker(script: string, work: Omit<Work, 'inHand'>): Promise<readonly Finding[]> {
  const inHand = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(script, { workerData: { ...work, inHand } });
  return new Promise((resolve, reject) => {
    let done = -1;
    const watch = setInterval(() => {
      const now = Atomics.load(inHand, 1);
      if (now === done) {
        clearInterval(watch);
        void worker.terminate();
        resolve([
          { seed: Atomics.load(inHand, 0), what: 'a file', wrong: `it hangs for more than ${stuckAfterMs} ms` },
        ]);
      }
      done = now;
    }, stuckAfterMs);
    worker.once('message', (findings: readonly Finding[]) => {
      clearInterval(watch);
      resolve(findings);
    });
    worker.once('error', (error) => {
      clearInterval(watch);
      reject(error);
    });
  });
}

test('some of them through the command line', async () => {
  const cases = Array.from({ length: wholeSweeps ? 12 : 4 }, (_, index) => generate(firstSeed + index, corpus).input);
  for (const [index, { sources, varFiles = [], settings = [] }] of cases.entries()) {
    const args = ['validate', '--output', 'json'];
    for (const [flag, files] of [
      ['-f', sources],
      ['--var-file', varFiles],
    ] as const) {
      for (const [number, { content }] of files.entries()) {
        const path = join(folder, `${index}${flag}${number}.yaml`);
        // oxlint-disable-next-line no-await-in-loop -- a handful of small files, in order
        await writeFile(path, content);
        args.push(flag, path);
      }
    }
    // No argument of a program can hold a NUL.
    for (const setting of settings) args.push(`--set=${setting.replaceAll('\0', '')}`);
    const { status, stdout, stderr } = ichor(args);
    expect({ status: status === 0 || status === 1, stderr }).toEqual({ status: true, stderr: '' });
    expect(JSON.parse(stdout)).toHaveProperty('problems');
  }
}, 60_000);
