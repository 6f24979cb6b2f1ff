import { expect, test } from 'vitest';
import { anApi, patience } from '../../../../test/proxmox/asking.ts';
import { aRequest } from '../../../../test/proxmox/cluster.ts';
import { aHost, ok, refused } from '../../../../test/proxmox/scripted-host.ts';
import { told } from '../../../../test/talos/told.ts';
import { descriptionFor } from '../mark.ts';
import { Agents } from './agent.ts';

const signal = AbortSignal.timeout(60_000);
const silence = refused(500, 'QEMU guest agent is not running');

const machineOf = (vmid: number, host = 'pve1') => ({ mark: aRequest(vmid).mark, id: String(vmid), host });
const ruleOf = (vmid: number) => ({ mac: aRequest(vmid).mac, network: undefined, not: [] });
const configOf = (path: string, more: object = {}): string => {
  const vmid = Number(/qemu\/(\d+)/.exec(path)?.[1]);
  const { mark } = aRequest(vmid);
  return ok({
    tags: 'ichor;ichor-prod',
    description: descriptionFor(mark, 'worker', vmid),
    smbios1: `uuid=${mark.uuid}`,
    ...more,
  });
};

test('a machine is asked no more often than its host can bear', async () => {
  await using host = await aHost(({ path }) => (path.endsWith('/config') ? configOf(path) : silence));
  const tools = patience();
  await using api = anApi([host], { tools });
  const agents = new Agents(api);
  for (let round = 0; round < 3; round++) await agents.addressOf(machineOf(401), ruleOf(401), signal);
  expect(tools.paused).toEqual([4000, 4000]);
  expect(host.heard.map(({ path }) => path.split('/').at(-1))).toEqual([
    'config',
    ...Array<string>(3).fill('network-get-interfaces'),
  ]);
});

test('one agent of a host at a time, and other hosts beside it', async () => {
  let asked = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  await using host = await aHost(({ path }) => (path.endsWith('/config') ? configOf(path) : silence));
  const tools = patience({
    pause: () => {
      most = Math.max(most, ++asked);
      return new Promise<void>((resolve) => waiting.push(resolve)).then(() => void asked--);
    },
  });
  await using api = anApi([host], { tools });
  const agents = new Agents(api);
  const machines = [machineOf(401), machineOf(402), machineOf(501, 'pve2')];
  const ask = () =>
    Promise.all(machines.map((machine) => agents.addressOf(machine, ruleOf(Number(machine.id)), signal)));
  await ask();
  const again = ask();
  // Each waits before it is asked a second time: those of one host one after the other.
  await expect.poll(() => waiting.length).toBe(2);
  expect(most).toBe(2);
  waiting.splice(0).forEach((go) => go());
  await expect.poll(() => waiting.length).toBe(1);
  waiting.splice(0).forEach((go) => go());
  expect(await again).toEqual([undefined, undefined, undefined]);
});

test('a machine that was given an address is not asked', async () => {
  await using host = await aHost(({ path }) => configOf(path, { ipconfig0: 'ip=10.10.0.11/24,gw=10.10.0.1' }));
  await using api = anApi([host]);
  const agents = new Agents(api);
  expect(await agents.addressOf(machineOf(401), ruleOf(401), signal)).toBe('10.10.0.11');
  expect(await agents.addressOf(machineOf(401), ruleOf(401), signal)).toBe('10.10.0.11');
  expect(host.heard.length).toBe(1);
});

test('somebody else’s machine tells us nothing, and a missing right is told', async () => {
  await using other = await aHost(() => ok({ smbios1: 'uuid=1', ipconfig0: 'ip=10.10.0.11/24' }));
  await using one = anApi([other]);
  expect(await new Agents(one).addressOf(machineOf(401), ruleOf(401), signal)).toBeUndefined();
  await using strict = await aHost(({ path }) =>
    path.endsWith('/config')
      ? configOf(path)
      : refused(403, 'Permission check failed (/vms/401, VM.GuestAgent.Audit|VM.GuestAgent.Unrestricted)'),
  );
  await using two = anApi([strict]);
  expect((await told(new Agents(two).addressOf(machineOf(401), ruleOf(401), signal))).message).toBe(
    'automation@pve!ichor may not ask the agent of VM 401 on pve1 for its addresses: it lacks VM.GuestAgent.Audit on /vms/401.',
  );
});
