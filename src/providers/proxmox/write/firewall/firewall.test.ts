import { expect, test } from 'vitest';
import { aCluster, aRequest } from '../../../../../test/proxmox/cluster.ts';
import { Someone } from '../../../../../test/proxmox/someone.ts';
import { groupName, setName } from './names.ts';

const signal = AbortSignal.timeout(60_000);
const blank = { image: { kind: 'iso', host: 'pve1', volume: 'none' } } as const;

test('the firewall of a VM that only has our tag is its own, and a rule of a person keeps working', async () => {
  await using cluster = await aCluster();
  const someone = new Someone(cluster.lab, cluster.clock);
  const { writer } = cluster.provider;
  const machine = await writer.create(aRequest(401, blank), signal);
  const rules = { management: ['10.0.0.7/24'], alsoOurs: [] };
  const walled = [{ ...machine, role: 'control-plane' as const, addresses: ['10.9.0.1'] }];
  await writer.firewall('prod', walled, rules, signal);
  await writer.firewall('prod', walled, rules, signal);
  expect(await someone.does('GET', `/cluster/firewall/ipset/${setName('prod', 'management')}`)).toMatchObject([
    { cidr: '10.0.0.0/24' },
  ]);
  await someone.does('POST', '/nodes/pve1/qemu', { vmid: 777, memory: 512, tags: 'ichor;ichor-prod' });
  const theirs = '/nodes/pve1/qemu/777/firewall';
  await someone.does('POST', `${theirs}/rules`, {
    type: 'group',
    action: groupName('prod', 'control-plane'),
    enable: 1,
  });
  await someone.does('PUT', `${theirs}/options`, { enable: 1 });
  await someone.does('POST', '/nodes/pve1/qemu/401/firewall/rules', { type: 'in', action: 'ACCEPT', enable: 1 });
  await writer.firewall('prod', [], rules, signal);
  expect(await someone.does('GET', `${theirs}/options`)).toMatchObject({ enable: 1 });
  expect(await someone.does('GET', '/nodes/pve1/qemu/401/firewall/options')).toMatchObject({ policy_in: 'ACCEPT' });
  expect(cluster.warnings.map(({ code }) => code)).toContain('proxmox-firewall-others');
});
