import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled, ended } from '../children.ts';
import { wholeSweeps } from '../sweep.ts';

const folder = mkdtempSync(join(tmpdir(), 'ichor-hang-up-'));
let script = '';
beforeAll(async () => {
  script = await bundled('talos/hang-up', folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Before the client waited until nobody read any more, fifty rounds were enough for glibc to abort, every time. Where an answer
// that never comes is not noticed at once, they take minutes. What a cut cable does is rarer: storms meet it (test/storm).
const rounds = wholeSweeps ? '200' : '20';

describe('hanging up in the middle of an answer leaves the memory of the process whole', () => {
  test.each([
    ['the client hangs up', 'client'],
    ['the node hangs up', 'node'],
    ['somebody cuts the cable', 'cable'],
  ])('%s', async (_, who) => {
    const env = { PATH: process.env['PATH'], MALLOC_PERTURB_: '165' };
    expect(await ended(script, [who, rounds], env)).toEqual({ signal: null, lines: ['still here'], stderr: '' });
  });
});
