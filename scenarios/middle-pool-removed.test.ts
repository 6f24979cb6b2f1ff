import { expect, test } from 'vitest';
import { dataCentre } from '../test/data-centre.ts';

test('a pool in the middle goes, and the pools around it keep everything', async () => {
  await using here = await dataCentre({ small: true });
  const base = here.address(0).replace(/0$/, '');
  const pool = (name: string, from: number): string =>
    `      ${name}: { replicas: 1, cpu: 1, memory: 2GiB, disk: 20GiB, addresses: ${base}${from}-${base}${from + 2} }\n`;
  here.edit([/ +general: \{[^\n]+\n/, pool('a', 170) + pool('b', 173) + pool('c', 176)]);
  expect((await here.up()).status).toBe(0);
  const [before, vms] = [here.lab.proxmox.vms(), here.vms()];
  here.edit([/ +b: \{[^\n]+\n/, '']);
  const { status, stderr } = await here.up();
  expect([status, stderr]).toEqual([0, '']);
  const stay = before.filter(({ config }) => config['name'] !== 'lab-b-0');
  expect(here.lab.proxmox.vms()).toEqual(stay);
  expect(Object.keys(here.vms())).toHaveLength(Object.keys(vms).length - 1);
  expect(here.nodes()).toEqual({ 'lab-a-0': true, 'lab-c-0': true, 'lab-cp-0': true });
});
