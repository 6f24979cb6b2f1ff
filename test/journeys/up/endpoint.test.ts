import { expect, test } from 'vitest';
import { dataCentre } from '../../data-centre.ts';

test('a cluster gets another virtual address', async () => {
  await using here = await dataCentre();
  expect((await here.up()).status).toBe(0);
  const vip = /vip: ([\d.]+)/.exec(here.file())?.[1] ?? '';
  const next = vip.replace(/\d+$/, (last) => String(Number(last) + 80));
  here.edit([`vip: ${vip}`, `vip: ${next}`]);
  const { status, stdout, stderr } = await here.up();
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stderr: '' });
  const again = await here.up();
  expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
  expect(Object.values(here.nodes())).not.toContain(false);
});
