import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataCentre } from '../test/data-centre.ts';
import { eventually } from '../test/lab/asking.ts';

test('with a control plane dead, the files for people still reach the cluster', async () => {
  await using here = await dataCentre({ speed: 50 });
  expect((await here.up()).status).toBe(0);
  expect(readFileSync(join(here.folder, 'talos/kubeconfig'), 'utf8')).toContain(
    `server: https://${here.address(130)}:6443`,
  );
  const first = here.lab.proxmox.vms().find(({ config }) => config['name'] === 'lab-cp-0');
  here.lab.proxmox.setHost(first?.host ?? '', 'dead');
  const drained = (): ReturnType<typeof here.ichor> =>
    here.ichor(['drain', 'lab-general-0', '--kubeconfig', 'talos/kubeconfig', '--undo']);
  expect((await eventually(drained, ({ status }) => status === 0)).status).toBe(0);
  const { status, stdout } = await here.ichor(['status', '--output', 'json']);
  expect([status, stdout]).toEqual([1, expect.stringContaining('lab-cp-0')]);
});
