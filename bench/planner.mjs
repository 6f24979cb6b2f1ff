// The planner alone: 500 machines on 20 hosts, of which nothing is there yet, and all of which are there as the file asks for them.
// Run by run.mjs in a process of its own.
import { performance } from 'node:perf_hooks';
import { bundled } from './bundle.mjs';
import { fiveHundred } from './files.mjs';

const { read, planPlatform, empty, seen, settle } = await bundled('planner', {
  'src/spec/read.ts': ['read'],
  'src/plan/plan.ts': ['planPlatform'],
  'test/imagined.ts': ['empty', 'seen'],
  'test/arbitrary/worlds.ts': ['settle'],
});

const { platforms, problems } = read({ sources: [{ name: 'five-hundred.yaml', content: fiveHundred() }] });
const platform = platforms[0];
if (platform === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));

const plan = (imagined) => {
  const world = seen(imagined, platform);
  const started = performance.now();
  const { steps, asks } = planPlatform(platform, world, { intent: 'converge' }).plan;
  return { ms: performance.now() - started, steps: steps.length, asks: asks.length };
};

const nothing = empty(platform);
const first = plan(nothing);
const everything = settle(platform, nothing);
if (everything === undefined) throw new Error('Passes do not end.');
const again = plan(everything);
process.stdout.write(JSON.stringify({ first, again }));
process.exit(0);
