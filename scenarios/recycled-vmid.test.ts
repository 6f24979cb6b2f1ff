import { expect, test } from 'vitest';
import { dataCentre } from '../test/data-centre.ts';
import { work } from '../test/lab/proxmox-api.ts';

/** Somebody deletes a worker by hand, and somebody else gets its VMID before anybody looks again. */
test('who has a VMID of ours by now is left alone, by up and by destroy', async () => {
  await using here = await dataCentre({ small: true });
  expect((await here.up()).status).toBe(0);
  const worker = here.lab.proxmox.vms().find(({ config }) => config['name'] === 'lab-general-0');
  const [endpoint = ''] = here.lab.proxmox.endpoints.values();
  const api = { endpoint, ca: here.lab.proxmox.ca, token: here.lab.proxmox.token('somebody') };
  const at = `/nodes/${worker?.host}/qemu`;
  await work(api, 'POST', `${at}/${worker?.vmid}/status/stop`);
  await work(api, 'DELETE', `${at}/${worker?.vmid}`);
  await work(api, 'POST', at, { vmid: String(worker?.vmid), name: 'web', memory: '512', scsi0: 'local-lvm:1' });
  const { status, stderr } = await here.up();
  expect([status, stderr]).toEqual([0, '']);
  expect(here.nodes()).toEqual({ 'lab-cp-0': true, 'lab-general-0': true });
  expect(here.vms()[worker?.vmid ?? 0]).toBe('web');
  expect((await here.destroy()).status).toBe(0);
  expect(here.vms()).toEqual({ [worker?.vmid ?? 0]: 'web' });
});
