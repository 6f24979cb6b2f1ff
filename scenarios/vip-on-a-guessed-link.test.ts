import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataCentre } from '../test/data-centre.ts';

/** How a link is called depends on the bus, the firmware and the kernel: ours is meant by its MAC address. */
test('the virtual address is on the link with the machine’s own MAC address, however it is called', async () => {
  await using here = await dataCentre({ small: true });
  expect((await here.up()).status).toBe(0);
  const vip = here.address(130);
  const holders = here.lab.guests.running().filter(({ addresses }) => addresses.includes(vip));
  expect(holders.map(({ name }) => name)).toEqual(['lab-cp-0']);
  const config = readFileSync(join(here.folder, 'talos/control-plane.yaml'), 'utf8');
  expect(config).not.toMatch(/(?:interface|link|name): (?:eth|ens|enp)\d/);
  const { status } = await here.ichor(['drain', 'lab-general-0', '--kubeconfig', 'talos/kubeconfig', '--undo']);
  expect(status).toBe(0);
});
