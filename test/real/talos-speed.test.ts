import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { buildTimeoutMs, peerProgram } from './peers.ts';

let talosctl: string;
beforeAll(async () => {
  talosctl = await peerProgram('talosctl');
}, buildTimeoutMs);

type Measured = {
  readonly nodes: number;
  readonly sample: number;
  readonly oursMs: number;
  readonly theirsMsEach: number;
  readonly ratio: number;
};

test('configurations for 1,000 nodes take no longer than talosctl needs for the same number', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/talosctl.mjs', talosctl]);
  const { nodes, sample, oursMs, theirsMsEach, ratio } = JSON.parse(stdout) as Measured;
  process.stderr.write(
    `${nodes} configurations in ${Math.round(oursMs)} ms, talosctl ${theirsMsEach.toFixed(1)} ms each (best of ${sample}, reckoned for ${nodes}): ${ratio.toFixed(3)}\n`,
  );
  expect(nodes).toBe(1000);
  expect(ratio).toBeLessThanOrEqual(1);
});
