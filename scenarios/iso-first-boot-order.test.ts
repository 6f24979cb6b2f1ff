import { expect, test } from 'vitest';
import { dataCentre } from '../test/data-centre.ts';
import { work } from '../test/lab/proxmox-api.ts';

/** The disk comes before the medium, so that an installed machine starts from it; and in the end the medium is out. */
test('a machine that was installed from an ISO never starts from it again', async () => {
  await using here = await dataCentre({ small: true });
  here.edit([/image: \{ factory: ("[^"]+") \}/, 'image: { factory: $1, boot: iso }']);
  const { status, stderr } = await here.up();
  expect([status, stderr]).toEqual([0, '']);
  const { proxmox } = here.lab;
  for (const { config } of proxmox.vms()) {
    expect(config['boot']).toMatch(/^order=scsi0/);
    expect(config['ide2'] ?? 'none').not.toContain('.iso');
  }
  const [endpoint = ''] = proxmox.endpoints.values();
  const api = { endpoint, ca: proxmox.ca, token: proxmox.token('somebody') };
  for (const { vmid, host } of proxmox.vms()) await work(api, 'POST', `/nodes/${host}/qemu/${vmid}/status/reset`);
  expect((await here.up()).status).toBe(0);
  expect(here.nodes()).toEqual({ 'lab-cp-0': true, 'lab-general-0': true });
});
