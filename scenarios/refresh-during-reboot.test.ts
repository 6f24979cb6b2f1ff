import { expect, test } from 'vitest';
import { dataCentre } from '../test/data-centre.ts';
import { work } from '../test/lab/proxmox-api.ts';

const decisive = /create|delete|stop|reset|configure|bootstrap|make|leave|remove/;

/** A node that does not answer is unknown, not gone: it is waited for, never made again or deleted. */
test('while machines restart, a plan neither makes nor deletes anything', async () => {
  await using here = await dataCentre({ small: true, speed: 10 });
  const { status, stderr } = await here.up();
  expect([status, stderr]).toEqual([0, '']);
  const { proxmox } = here.lab;
  const [endpoint = ''] = proxmox.endpoints.values();
  const api = { endpoint, ca: proxmox.ca, token: proxmox.token('somebody') };
  for (const { vmid, host } of proxmox.vms()) await work(api, 'POST', `/nodes/${host}/qemu/${vmid}/status/reset`);
  const { stdout } = await here.ichor(['plan', '--output', 'json']);
  const { steps } = JSON.parse(stdout) as { readonly steps: readonly { readonly step: { readonly kind: string } }[] };
  expect(steps.map(({ step }) => step.kind).filter((kind) => decisive.test(kind))).toEqual([]);
  expect((await here.up()).status).toBe(0);
  expect(here.nodes()).toEqual({ 'lab-cp-0': true, 'lab-general-0': true });
});
