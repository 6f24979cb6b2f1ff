import { Problem } from '../../../../model/problem.ts';
import type { FirewalledMachine } from '../../../provider.ts';
import type { ProxmoxApi } from '../../api/api.ts';
import { path } from '../../api/form.ts';
import { numberOf, rowOf, rowsOf, textOf, type Row } from '../../api/row.ts';
import { isOursToFinish, writtenIn } from '../../mark.ts';
import { readConfig } from '../../read/config.ts';
import type { ListedVm } from '../../read/resources.ts';
import type { Hands } from '../hands.ts';
import { mustProve, type Proved } from '../prove.ts';
import { settle } from './settle.ts';

/** Everything that comes in is dropped, except for what the group lets through; DHCP always is. */
const closed = { enable: 1, dhcp: 1, policy_in: 'DROP', policy_out: 'ACCEPT' };

const right = (vmid: number) => ({ path: `/vms/${vmid}`, privilege: 'VM.Config.Network' });

/** Puts a machine behind the firewall, in one group. */
export async function openMachine(
  hands: Hands,
  machine: FirewalledMachine,
  group: string,
  signal: AbortSignal,
): Promise<void> {
  const { api } = hands;
  await settle(
    api,
    async () => {
      const proved = await mustProve(api, machine, 'put it behind the firewall', signal);
      const rules = await rulesOf(api, proved, signal);
      const ours = rules.filter((row) => isGroup(row, [group]) && (numberOf(row, 'enable') ?? 0) === 1);
      if (ours.length === 0) await addGroup(api, proved, group, signal);
      const options = rowOf(await api.get(optionsOf(proved), signal));
      const same = Object.entries(closed).every(([key, value]) => textOf(options, key) === String(value));
      if (!same) await api.write('PUT', { ...optionsOf(proved), params: closed }, signal);
      await wire(api, proved, signal);
    },
    signal,
  );
}

/** Takes our groups off again, and the firewall with them where nothing else is left. A tag alone proves nothing. */
export async function closeMachine(
  { api }: Hands,
  platform: string,
  { host, vmid }: ListedVm,
  groups: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await settle(
    api,
    async () => {
      const config = await readConfig(api, host, vmid, signal);
      if (config === undefined || !isOf(platform, config, vmid)) return;
      const rules = await rulesOf(api, { host, vmid }, signal);
      const ours = rules.filter((row) => isGroup(row, groups));
      if (ours.length === 0) return;
      // What was dropped because our groups did not let it through would be dropped altogether without them.
      const params = ours.length === rules.length ? { enable: 0 } : { policy_in: 'ACCEPT' };
      await api.write('PUT', { ...optionsOf({ host, vmid }), params }, signal);
      if (ours.length < rules.length) api.tools.warn(othersLeft(host, vmid, rules.length - ours.length));
      const positions = ours.map((row) => numberOf(row, 'pos') ?? 0).toSorted((one, other) => other - one);
      for (const pos of positions) {
        await api.write(
          'DELETE',
          {
            path: path`/nodes/${host}/qemu/${vmid}/firewall/rules/${pos}`,
            doing: `remove a firewall rule of VM ${vmid} on ${host}`,
            needs: right(vmid),
          },
          signal,
        );
      }
    },
    signal,
  );
}

function isOf(platform: string, config: Row, vmid: number): boolean {
  const written = writtenIn(config);
  return written?.mark.platform === platform && isOursToFinish(config, vmid, written.mark);
}

const othersLeft = (host: string, vmid: number, count: number): Problem =>
  new Problem(
    'proxmox-firewall-others',
    `VM ${vmid} on ${host} keeps its firewall for ${count === 1 ? 'a rule' : `${count} rules`} of somebody else, and lets in what they do not name.`,
    {
      severity: 'warning',
      remedy: `Look whether that is what you want:\n    pvesh get /nodes/${host}/qemu/${vmid}/firewall/rules`,
    },
  );

type At = Pick<Proved, 'host' | 'vmid'>;

const optionsOf = ({ host, vmid }: At) => ({
  path: path`/nodes/${host}/qemu/${vmid}/firewall/options`,
  doing: `set the firewall of VM ${vmid} on ${host}`,
  needs: right(vmid),
});

async function rulesOf(api: ProxmoxApi, { host, vmid }: At, signal: AbortSignal): Promise<readonly Row[]> {
  const request = {
    path: path`/nodes/${host}/qemu/${vmid}/firewall/rules`,
    doing: `list the firewall rules of VM ${vmid} on ${host}`,
  };
  return rowsOf(await api.get(request, signal));
}

const isGroup = (row: Row, groups: readonly string[]): boolean =>
  textOf(row, 'type') === 'group' && groups.includes(textOf(row, 'action') ?? '');

const addGroup = (api: ProxmoxApi, { host, vmid }: At, group: string, signal: AbortSignal): Promise<unknown> =>
  api.write(
    'POST',
    {
      path: path`/nodes/${host}/qemu/${vmid}/firewall/rules`,
      doing: `add ${group} to VM ${vmid} on ${host}`,
      needs: right(vmid),
      params: { type: 'group', action: group, enable: 1 },
    },
    signal,
  );

/** Rules count only for a card that says so. */
async function wire(api: ProxmoxApi, { host, vmid, config }: Proved, signal: AbortSignal): Promise<void> {
  const card = textOf(config, 'net0') ?? '';
  if (card === '' || /(^|,)firewall=1(,|$)/.test(card)) return;
  const net0 = `${card.replace(/,firewall=0(?=,|$)/, '')},firewall=1`;
  const params = { net0, digest: textOf(config, 'digest') };
  const doing = `let the firewall see net0 of VM ${vmid} on ${host}`;
  await api.write('PUT', { path: path`/nodes/${host}/qemu/${vmid}/config`, doing, needs: right(vmid), params }, signal);
}
