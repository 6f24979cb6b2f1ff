import { platform } from 'node:os';
import { expect, test } from 'vitest';
import { ichor } from '../cli.ts';
import { folder } from '../folder.ts';

const start = (...args: readonly string[]) => {
  const cwd = folder();
  const env = { HOME: cwd, XDG_STATE_HOME: cwd, XDG_CACHE_HOME: cwd };
  return ichor(['lab', 'start', '--guests', 'real', ...args], { cwd, env });
};

test('real guests say what they need before anything is begun', () => {
  const { status, stderr } = start('--detach');
  const needs =
    platform() !== 'linux'
      ? 'Real Talos nodes need Linux'
      : process.getuid?.() === 0
        ? 'make real-peers'
        : 'sudo ichor lab start --guests real';
  // On a bare system a tool may be missing before that.
  expect([status, stderr.includes(needs) || stderr.includes('apt-get install')]).toEqual([1, true]);
});

test('real guests do not go with a cluster of twins', () => {
  const { status, stderr } = start('--cluster');
  expect([status, stderr]).toEqual([
    1,
    'error: Real nodes do not go with --cluster.\n  Leave it out, and let ichor up make the cluster.\n',
  ]);
});
