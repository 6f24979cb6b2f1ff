import { formatAddress, parseCidr } from '../../../../model/ip.ts';
import { Problem } from '../../../../model/problem.ts';
import type { FirewalledMachine, FirewallRules } from '../../../provider.ts';
import type { ProxmoxApi } from '../../api/api.ts';
import { numberOf, rowOf } from '../../api/row.ts';
import { platformTag } from '../../mark.ts';
import { listResources } from '../../read/resources.ts';
import type { Hands } from '../hands.ts';
import { closeMachine, openMachine } from './machine.ts';
import { groupName, roles, setName, sets } from './names.ts';
import { ensureGroup, removeGroup } from './group.ts';
import { ensureSet, removeSet } from './set.ts';
import { rulesOf, type Caller } from './table.ts';

/** Sets of addresses, a group of rules for each role, and each machine in its group. */
export async function writeFirewall(
  hands: Hands,
  platform: string,
  machines: readonly FirewalledMachine[],
  rules: FirewallRules,
  signal: AbortSignal,
): Promise<void> {
  if (machines.length === 0) return removeFirewall(hands, platform, signal);
  const { api } = hands;
  const members: Readonly<Record<(typeof sets)[number], readonly string[]>> = {
    management: rules.management,
    ours: [...machines.flatMap(({ addresses }) => addresses), ...rules.alsoOurs],
    'control planes': machines.flatMap(({ role, addresses }) => (role === 'control-plane' ? addresses : [])),
  };
  for (const set of sets) {
    await ensureSet(api, setName(platform, set), `ichor: ${set} of ${platform}`, members[set].map(plain), signal);
  }
  // Nobody is named as management: everybody is.
  const setOf = (caller: Caller): string | undefined =>
    caller === 'everybody' || (caller === 'management' && rules.management.length === 0)
      ? undefined
      : `+${setName(platform, caller)}`;
  for (const role of roles) {
    await ensureGroup(api, groupName(platform, role), `ichor: ${role}s of ${platform}`, rulesOf(role, setOf), signal);
  }
  await Promise.all(machines.map((machine) => openMachine(hands, machine, groupName(platform, machine.role), signal)));
  const off = await firewallIsOff(api, signal);
  if (off !== undefined) api.tools.warn(off);
}

/** Switching it on for the whole cluster also closes the hosts themselves: that is for a person to decide. */
export async function firewallIsOff(api: ProxmoxApi, signal: AbortSignal): Promise<Problem | undefined> {
  const options = rowOf(
    await api.get({ path: '/cluster/firewall/options', doing: 'look whether the firewall is on' }, signal),
  );
  if ((numberOf(options, 'enable') ?? 0) !== 0) return undefined;
  return new Problem(
    'proxmox-firewall-off',
    'The firewall of the cluster is off, so rules of machines are written and let everything through all the same.',
    {
      severity: 'warning',
      remedy:
        'Switching it on also closes the hosts themselves, except for what their own rules allow. When those are right:\n    pvesh set /cluster/firewall/options --enable 1',
    },
  );
}

async function removeFirewall(hands: Hands, platform: string, signal: AbortSignal): Promise<void> {
  const { api } = hands;
  const { vms } = await listResources(api, signal, 'vm');
  const tagged = vms.filter(({ kind, tags }) => kind === 'qemu' && tags.includes(platformTag(platform)));
  const names = roles.map((role) => groupName(platform, role));
  await Promise.all(tagged.map((vm) => closeMachine(hands, platform, vm, names, signal)));
  for (const name of names) await removeGroup(api, name, signal);
  for (const set of sets) await removeSet(api, setName(platform, set), signal);
}

/** As hosts keep it: a single address has no prefix, a network no bits of a host. */
function plain(text: string): string {
  const network = parseCidr(text);
  if (network === undefined) return text;
  const { family, first, last } = network;
  const [, prefix = ''] = text.split('/');
  return first === last ? (text.split('/')[0] ?? text) : `${formatAddress({ family, value: first })}/${prefix}`;
}
