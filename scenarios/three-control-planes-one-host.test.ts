import { expect, test } from 'vitest';
import { dataCentre } from '../test/data-centre.ts';

test('three control planes on one host are refused before anything is made', async () => {
  await using here = await dataCentre();
  here.edit([/( +)cni: /, '$1placement: { strategy: pin, pinned: { cp-0: pve1, cp-1: pve1, cp-2: pve1 } }\n$&']);
  const { status, stderr } = await here.up();
  expect([status, stderr]).toEqual([1, expect.stringContaining('pve1')]);
  expect(here.writes()).toEqual([]);
});
