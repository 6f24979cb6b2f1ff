import { wallClock, type LabClock } from '../../src/lab/clock.ts';
import { startProxmoxLab } from '../../src/lab/proxmox/lab.ts';
import type { DatacenterOptions, ProxmoxLab } from '../../src/lab/proxmox/twin.ts';
import { gib, mib } from '../../src/model/size.ts';
import type { Problem } from '../../src/model/problem.ts';
import { openProxmox } from '../../src/providers/proxmox/proxmox.ts';
import type { ProxmoxSettings } from '../../src/providers/proxmox/settings.ts';
import type { ProxmoxTools } from '../../src/providers/proxmox/tools.ts';
import type { MachineRequest, Provider } from '../../src/providers/provider.ts';
import { uuidOf } from '../../src/plan/identity.ts';

export type Cluster = AsyncDisposable & {
  readonly lab: ProxmoxLab;
  readonly clock: LabClock;
  readonly provider: Provider;
  readonly settings: ProxmoxSettings;
  readonly warnings: Problem[];
  readonly token: string;
  /** Another one, as a second run would open it. */
  open(settings?: Partial<ProxmoxSettings>, tools?: Partial<ProxmoxTools>): Provider;
};

/** A data centre on loopback whose time runs faster, and the provider on it. */
export async function aCluster(
  options: DatacenterOptions & { readonly speed?: number } = {},
  changed: Partial<ProxmoxSettings> = {},
): Promise<Cluster> {
  const clock = wallClock(options.speed ?? 60);
  const lab = await startProxmoxLab({ addresses: 'mapped', hosts: 3, clock, ...options });
  const hosts = [...lab.endpoints.keys()];
  const settings: ProxmoxSettings = { ...usualSettings, ...endpointsOf(lab), hosts, ...changed };
  const warnings: Problem[] = [];
  const opened: Provider[] = [];
  const token = lab.token();
  const open: Cluster['open'] = (more = {}, tools = {}) => {
    const provider = openProxmox(
      { ...settings, ...more },
      { credentials: { kind: 'token', token }, ca: lab.ca },
      { ...toolsOf(lab, clock, warnings), ...tools },
    );
    opened.push(provider);
    return provider;
  };
  return {
    lab,
    clock,
    provider: open(),
    settings,
    warnings,
    token,
    open,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((provider) => provider[Symbol.asyncDispose]()));
      await lab[Symbol.asyncDispose]();
    },
  };
}

export const endpointsOf = (lab: ProxmoxLab): Pick<ProxmoxSettings, 'endpoint' | 'endpoints' | 'tls'> => {
  const [first = '', ...others] = lab.endpoints.values();
  return { endpoint: first, endpoints: others.map((url) => ({ url })), tls: { insecure: false } };
};

export const toolsOf = (lab: ProxmoxLab, clock: LabClock, warnings: Problem[]): ProxmoxTools => ({
  clock,
  pause: (ms, signal) => clock.sleep(ms, signal),
  random: () => 0.5,
  warn: (problem) => void warnings.push(problem),
  connect: lab.connector(),
  fetchFile: () => Promise.reject(new Error('nothing is to be fetched here')),
  tryFile: () => Promise.reject(new Error('nothing is to be fetched here')),
});

const usualSettings: Omit<ProxmoxSettings, 'endpoint' | 'endpoints' | 'tls' | 'hosts'> = {
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
};

/** A machine of the platform `prod`; the VMID makes its name. */
export function aRequest(vmid: number, changed: Partial<MachineRequest> = {}): MachineRequest {
  const name = `prod-cp-${vmid - 401}`;
  return {
    mark: { platform: 'prod', name, uuid: uuidOf('prod', name) },
    role: 'control-plane',
    pool: null,
    hostname: name,
    host: 'pve1',
    id: String(vmid),
    shape: {
      cpu: 2,
      memoryMiB: mib(2048),
      disks: [{ name: 'system', sizeGiB: gib(10), datastore: 'local-lvm' }],
    },
    mac: `02:00:00:00:${(vmid >> 8).toString(16).padStart(2, '0')}:${(vmid & 255).toString(16).padStart(2, '0')}`.toUpperCase(),
    image: { kind: 'iso', host: 'pve1', volume: 'local:iso/talos.iso' },
    staticAddress: undefined,
    firstConfig: undefined,
    ...changed,
  };
}
