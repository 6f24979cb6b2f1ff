import { expect, test } from 'vitest';
import { callsPerMachine } from './calls.ts';

test('few calls make a machine, look at it and take it away', async () => {
  const { create, unchanged, destroy, destroyRunning } = await callsPerMachine(3);
  expect(create.perMachine).toBeLessThan(8);
  // One for each, and a constant: the list of the cluster, and one for each host.
  expect(unchanged).toEqual({ perMachine: 1, constant: 4 });
  expect(destroy.perMachine).toBeLessThan(8);
  expect(destroyRunning.perMachine).toBeLessThan(12);
});
