import { dialTcp } from '../../src/clients/talos/tcp.ts';
import type { Problem } from '../../src/model/problem.ts';
import { ProxmoxApi } from '../../src/providers/proxmox/api/api.ts';
import type { Credentials, ProxmoxAccess, ProxmoxSettings } from '../../src/providers/proxmox/settings.ts';
import type { ProxmoxTools } from '../../src/providers/proxmox/tools.ts';
import { testNow } from '../entropy.ts';
import { authority, type ScriptedHost } from './scripted-host.ts';

export const token = 'automation@pve!ichor=11111111-2222-4333-8444-555555555555';
export const byToken: Credentials = { kind: 'token', token };

export const settingsFor = (
  hosts: readonly Pick<ScriptedHost, 'url'>[],
  changed: Partial<ProxmoxSettings> = {},
): ProxmoxSettings => ({
  endpoint: hosts[0]?.url ?? '',
  endpoints: hosts.slice(1).map(({ url }) => ({ url })),
  tls: { insecure: false },
  hosts: ['pve1'],
  datastore: 'local-lvm',
  imageDatastore: 'local',
  bridge: 'vmbr0',
  vmids: { controlPlane: { first: 401, last: 499 }, workers: { first: 501, last: 1499 } },
  tags: [],
  cpuType: 'x86-64-v2-AES',
  firmware: 'uefi',
  onBoot: true,
  antiAffinity: false,
  firewall: false,
  ...changed,
});

export type Patient = ProxmoxTools & { readonly paused: number[]; readonly warnings: Problem[]; now: Date };

/** Time passes only where somebody pauses, and then at once. */
export function patience(changed: Partial<ProxmoxTools> = {}): Patient {
  const paused: number[] = [];
  const warnings: Problem[] = [];
  const tools: Patient = {
    paused,
    warnings,
    now: testNow,
    clock: { now: () => tools.now },
    pause: (ms, signal) => {
      signal.throwIfAborted();
      paused.push(ms);
      tools.now = new Date(tools.now.getTime() + ms);
      return Promise.resolve();
    },
    random: () => 0.5,
    warn: (problem) => void warnings.push(problem),
    connect: dialTcp,
    fetchFile: () => Promise.reject(new Error('nothing is to be fetched here')),
    tryFile: () => Promise.reject(new Error('nothing is to be fetched here')),
    ...changed,
  };
  return tools;
}

/** The client alone, trusting the authority of scripted hosts. */
export function anApi(
  hosts: readonly ScriptedHost[],
  changed: {
    readonly settings?: Partial<ProxmoxSettings>;
    readonly access?: Partial<ProxmoxAccess>;
    readonly tools?: ProxmoxTools;
  } = {},
): ProxmoxApi {
  const access = { credentials: byToken, ca: authority.crt, ...changed.access };
  return new ProxmoxApi(settingsFor(hosts, changed.settings), access, changed.tools ?? patience());
}
