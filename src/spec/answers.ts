import { formatAddress, overlaps, parseAddress, parseCidr, parseRange } from '../model/ip.ts';
import { Problem } from '../model/problem.ts';
import { defaultTalosVersion } from '../model/talos-releases.ts';

const providers = ['proxmox', 'libvirt', 'openstack', 'existing'] as const;
type ProviderName = (typeof providers)[number];

/** What a person has said so far about a platform that is to be written down. */
export type Given = {
  readonly name?: string | undefined;
  /** The folder that the file goes to, which may lend its name. */
  readonly folder?: string | undefined;
  readonly provider?: ProviderName | undefined;
  /** Address of the Proxmox API. */
  readonly endpoint?: string | undefined;
  /** Name of a cloud in clouds.yaml. */
  readonly cloud?: string | undefined;
  /** Hosts of Proxmox, names or URIs of libvirt, zones of OpenStack, or the addresses of machines that exist. */
  readonly hosts?: readonly string[] | undefined;
  /** What each host can carry, such as 32,128GiB. */
  readonly capacity?: string | undefined;
  readonly controlPlanes?: number | undefined;
  readonly workers?: number | undefined;
  readonly vip?: string | undefined;
  readonly network?: string | undefined;
  readonly gateway?: string | undefined;
  /** dhcp, or static: with the first address or a range. */
  readonly addresses?: string | undefined;
  readonly hostnames?: 'talos' | 'dhcp' | undefined;
  readonly talos?: string | undefined;
};

/** The same with every gap filled. */
export type Answers = {
  readonly name: string;
  readonly provider: ProviderName;
  readonly endpoint: string;
  readonly cloud: string;
  readonly hosts: readonly string[];
  readonly capacity: { readonly cpu: string; readonly memory: string } | undefined;
  readonly controlPlanes: number;
  readonly workers: number;
  readonly vip: string | undefined;
  readonly network: string | undefined;
  readonly gateway: string | undefined;
  /** Ranges of control planes and workers; undefined: DHCP. */
  readonly addresses: { readonly controlPlanes: string; readonly workers: string } | undefined;
  readonly pods: string | undefined;
  readonly services: string | undefined;
  readonly hostnames: 'talos' | 'dhcp';
  readonly talos: string;
};

/** What nobody can guess, each as a problem that names its flag. */
export function missingAnswers({ provider, endpoint, cloud, hosts = [] }: Given): readonly Problem[] {
  const missing = (what: string, flag: string): Problem =>
    new Problem('missing-answer', `${what} is not known.`, { path: flag.split(' ')[0] ?? flag, remedy: `Add ${flag}` });
  switch (provider) {
    case undefined:
      return [missing('Where machines come from', `--provider ${providers.slice(0, -1).join(', ')} or existing`)];
    case 'proxmox':
      return [
        ...(endpoint ? [] : [missing('The address of Proxmox', '--endpoint https://pve1.example.org:8006')]),
        ...(hosts.length > 0 || hostIn(endpoint) ? [] : [missing('The name of a host', '--hosts pve1,pve2,pve3')]),
      ];
    case 'openstack':
      return cloud ? [] : [missing('The name of the cloud in clouds.yaml', '--cloud NAME, or set OS_CLOUD')];
    case 'existing':
      return hosts.length > 0 ? [] : [missing('Where the machines wait', '--hosts 10.10.0.11,10.10.0.12,10.10.0.13')];
    case 'libvirt':
      return [];
  }
}

/** Fills every gap that has a sensible default. Wrong answers stay as they are: our own reader will say so. */
export function settleAnswers(given: Given): Answers {
  const provider = given.provider ?? 'proxmox';
  const hosts = given.hosts ?? defaultHosts(provider, given.endpoint);
  const enough = provider === 'openstack' || hosts.length >= 3;
  const controlPlanes = given.controlPlanes ?? (enough ? 3 : 1);
  const workers =
    given.workers ?? (provider === 'existing' ? Math.max(0, hosts.length - controlPlanes) : enough ? 3 : 1);
  return {
    name: given.name ?? nameFrom(given.folder ?? '') ?? 'platform',
    provider,
    endpoint: given.endpoint ?? '',
    cloud: given.cloud ?? '',
    hosts,
    capacity: capacityOf(given.capacity),
    controlPlanes,
    workers,
    vip: given.vip || undefined,
    network: given.network || undefined,
    gateway: given.gateway || undefined,
    addresses: addressesOf(given, controlPlanes, workers),
    pods: apartFrom(given.network, ['10.244.0.0/16', '172.20.0.0/16', '100.64.0.0/16']),
    services: apartFrom(given.network, ['10.96.0.0/12', '172.21.0.0/16', '100.65.0.0/16']),
    hostnames: given.hostnames ?? 'talos',
    talos: given.talos ?? defaultTalosVersion,
  };
}

function defaultHosts(provider: ProviderName, endpoint: string | undefined): readonly string[] {
  if (provider === 'openstack') return ['nova'];
  const host = provider === 'proxmox' ? hostIn(endpoint) : undefined;
  return host === undefined ? [] : [host];
}

/** pve1 of https://pve1.example.org:8006: the host that serves the API is one of those that carry machines. */
function hostIn(endpoint: string | undefined): string | undefined {
  const name = endpoint === undefined || !URL.canParse(endpoint) ? '' : new URL(endpoint).hostname;
  return /^\d+(\.\d+){3}$|^\[|^$/.test(name) ? undefined : name.split('.')[0];
}

function capacityOf(written: string | undefined): Answers['capacity'] {
  if (!written) return undefined;
  const [cpu = '', memory = ''] = written.split(',').map((part) => part.trim());
  return { cpu, memory };
}

/** "static:10.10.0.11" or "static:10.10.0.11-10.10.0.40": control planes first, then workers, with room to grow. */
function addressesOf(
  { addresses, network, vip, gateway }: Given,
  controlPlanes: number,
  workers: number,
): Answers['addresses'] {
  const stated = addresses?.startsWith('static:') ? addresses.slice('static:'.length).trim() : undefined;
  if (stated === undefined) return undefined;
  const given = parseRange(stated);
  if (given === undefined) return { controlPlanes: stated, workers: stated };
  const firstWorker = given.first + BigInt(controlPlanes);
  const needed = firstWorker + BigInt(Math.max(1, workers)) - 1n;
  const isRange = /[-/]/.test(stated);
  // Too short: as it stands, so that the reader says where it should end.
  if (isRange && firstWorker > given.last) return { controlPlanes: stated, workers: stated };
  const taken = [vip, gateway].map((address) => parseAddress(address ?? '')?.value);
  const isFree = (value: bigint): boolean =>
    !taken.includes(value) && value < (parseCidr(network ?? '')?.last ?? value + 1n);
  let last = isRange ? given.last : needed;
  const roomy = isRange ? last : needed + 8n;
  while (last < roomy && isFree(last + 1n)) last++;
  const text = (value: bigint): string => formatAddress({ family: given.family, value });
  return {
    controlPlanes: `${text(given.first)}-${text(firstWorker - 1n)}`,
    workers: `${text(firstWorker)}-${text(last)}`,
  };
}

/** Undefined where the default, which comes first, is far enough from the machines' own network. */
function apartFrom(network: string | undefined, candidates: readonly string[]): string | undefined {
  const own = parseCidr(network ?? '');
  const isFree = (candidate: string): boolean => {
    const range = parseCidr(candidate);
    return own === undefined || range === undefined || !overlaps(own, range);
  };
  const [usual, ...others] = candidates;
  return usual === undefined || isFree(usual) ? undefined : others.find(isFree);
}

/** A name that DNS takes, from one that people gave to a folder. */
const nameFrom = (folder: string): string | undefined =>
  folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '') || undefined;
