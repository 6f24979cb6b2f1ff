import { expect, test } from 'vitest';
import { callsPerMachine } from './calls.ts';

test('few calls make a machine, look at it and take it away', async () => {
  const { create, unchanged, destroy, destroyRunning } = await callsPerMachine(3);
  expect(create.perMachine).toBeLessThan(8);
  // One for each, and a constant: the cluster, and for each host its datastores, what is on them, VMs and containers.
  expect(unchanged).toEqual({ perMachine: 1, constant: 16 });
  expect(destroy.perMachine).toBeLessThan(8);
  expect(destroyRunning.perMachine).toBeLessThan(12);
});
