import { Problem } from '../../../model/problem.ts';
import type { Finding, Needs } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { isProblem } from '../api/problem.ts';
import { noQuorum, type Facts } from '../facts.ts';
import { ourTag } from '../mark.ts';
import type { ListedVm, Resources } from '../read/resources.ts';
import type { ProxmoxSettings } from '../settings.ts';
import { firewallIsOff } from '../write/firewall/firewall.ts';
import type { EndpointAlone } from './endpoints.ts';
import { findingOf, type Look } from './finding.ts';
import { bridgePath } from './network.ts';
import { lackOf } from './permissions.ts';
import { datastoresOf, grantsFor } from './rights.ts';
import { holderOf, seesAll } from './sight.ts';

export type Checked = {
  readonly api: ProxmoxApi;
  readonly facts: Facts;
  readonly settings: ProxmoxSettings;
  readonly needs: Needs;
  /** Each endpoint of the file, asked alone. */
  readonly endpoints: readonly EndpointAlone[];
  readonly resources: Resources;
};

export async function checkCluster(checked: Checked, signal: AbortSignal): Promise<readonly Finding[]> {
  const { api, facts, settings, needs, resources } = checked;
  const looks: readonly (Look | undefined)[] = [
    {
      about: 'quorum',
      what: 'The cluster has its quorum.',
      look: async () => ((await facts.quorate(signal)) ? undefined : noQuorum('change anything')),
    },
    { about: 'user', what: `${api.who} is not root.`, look: () => userOf(api.who) },
    {
      about: 'permissions',
      what: `${api.who} has the rights that this file needs.`,
      look: async () => {
        const [version, holder, network] = await Promise.all([
          facts.version(signal),
          holderOf(api, facts, signal),
          bridgePath(api, settings.bridge, signal),
        ]);
        return lackOf(holder, grantsFor(settings, version, needs, network));
      },
    },
    {
      about: 'vmids',
      what: `The ranges of VMIDs belong to machines of ichor alone${(await seesAll(facts, signal)) ? '' : `, as far as ${api.who} sees`}.`,
      look: () => strangersIn(resources.vms, settings),
    },
    poolLook(api, settings, signal),
    settings.antiAffinity
      ? {
          about: 'ha',
          what: 'HA can keep the control planes apart.',
          look: () => apartOf(datastoresOf(settings, needs), resources),
        }
      : undefined,
    settings.firewall
      ? { about: 'firewall', what: 'The firewall of the cluster is on.', look: () => firewallIsOff(api, signal) }
      : undefined,
  ];
  return Promise.all(looks.filter((look) => look !== undefined).map(findingOf));
}

const userOf = (who: string): Problem | undefined =>
  who.split('!')[0] === 'root@pam'
    ? new Problem('proxmox-root', `${who} may do everything, and ichor needs much less.`, {
        severity: 'warning',
        remedy:
          'Make a user and a token for ichor, then run this again: it prints the roles.\n    pveum user add ichor@pve && pveum user token add ichor@pve ichor',
      })
    : undefined;

function strangersIn(vms: readonly ListedVm[], { vmids }: ProxmoxSettings): Problem | undefined {
  const ranges = [vmids.controlPlane, vmids.workers];
  const strangers = vms
    .filter(
      ({ vmid, tags }) => !tags.includes(ourTag) && ranges.some(({ first, last }) => first <= vmid && vmid <= last),
    )
    .map(({ vmid, host }) => `${vmid} on ${host}`);
  if (strangers.length === 0) return undefined;
  const shown = strangers.slice(0, 10).join(', ');
  return new Problem(
    'proxmox-vmids',
    `Other machines have VMIDs in the ranges of the file: ${shown}${strangers.length > 10 ? `, … (${strangers.length})` : ''}. ichor goes around them.`,
    {
      severity: 'warning',
      remedy:
        'Choose ranges of your own with machines.proxmox.vmids, and keep others out of them:\n    pvesh get /cluster/resources --type vm',
    },
  );
}

function poolLook(api: ProxmoxApi, { pool }: ProxmoxSettings, signal: AbortSignal): Look | undefined {
  if (pool === undefined) return undefined;
  return {
    about: 'pool',
    what: `The pool ${pool} exists.`,
    look: async () => {
      try {
        await api.get({ path: '/pools', doing: `look at the pool ${pool}`, params: { poolid: pool } }, signal);
        return undefined;
      } catch (error) {
        if (isProblem(error, 'proxmox-no-pool')) return noPool(pool);
        throw error;
      }
    },
  };
}

const noPool = (pool: string): Problem =>
  new Problem('proxmox-no-pool', `There is no pool “${pool}”.`, {
    remedy: `Make it, or take machines.proxmox.pool out of the file:\n    pveum pool add ${pool}`,
  });

/** A host that fails is fenced, and its machines are started elsewhere: without their disks, if those were on that host. */
function apartOf(datastores: readonly string[], { hosts, storages }: Resources): Problem | undefined {
  if (hosts.length < 2) {
    return new Problem('proxmox-ha-alone', 'There is only one host, so nothing can be kept apart.', {
      remedy: 'Take machines.proxmox.antiAffinity out of the file, or join more hosts:\n    pvecm status',
    });
  }
  const local = datastores.filter((datastore) => !storages.some(({ name, shared }) => name === datastore && shared));
  if (local.length === 0) return undefined;
  return new Problem(
    'proxmox-ha-local',
    `HA restarts machines of a failed host elsewhere, and those on ${local.join(', ')} leave their disks behind.`,
    {
      severity: 'warning',
      remedy:
        'Use a datastore that all hosts share, or leave machines.proxmox.antiAffinity off: ichor places control planes apart anyway.',
    },
  );
}
