import type * as z from 'zod';
import { parseAddress, parseCidr } from '../../model/ip.ts';
import { formatMiB, parseMiB, type MiB } from '../../model/size.ts';
import { defaultTalosVersion, supportsKubernetes, talosRelease, talosReleases } from '../../model/talos-releases.ts';
import { formatVersion, parseVersion } from '../../model/version.ts';
import type { Draft } from '../check.ts';
import type { Path } from '../tree.ts';
import { kubernetesClusterSpec, type machineClassSpec, type networkNamespaceSpec } from './schema.ts';

const shortForm = kubernetesClusterSpec('short');
export type KubernetesClusterDraft = { readonly name: string; readonly spec: Draft<z.output<typeof shortForm>> };

export type MachineClass = { readonly cpu: number; readonly memoryMiB: MiB; readonly enabled: boolean };
export type Network = { readonly nodes: string; readonly gateway?: string; readonly nameservers?: readonly string[] };
export type Surroundings = {
  readonly classes: ReadonlyMap<string, MachineClass>;
  readonly networks: ReadonlyMap<string, Network>;
};

/** The classes that a Viti installation ships; a MachineClass in the same input stands over them. */
export const stockClasses: Readonly<Record<string, MachineClass>> = Object.fromEntries(
  [
    { name: 'small', cpu: 2, memory: '8Gi', enabled: true },
    { name: 'medium', cpu: 4, memory: '16Gi', enabled: true },
    { name: 'large', cpu: 4, memory: '32Gi', enabled: true },
    { name: 'xlarge', cpu: 4, memory: '48Gi', enabled: true },
    { name: 'largememory', cpu: 4, memory: '64Gi', enabled: true },
  ].map(({ name, cpu, memory, enabled }) => [name, { cpu, memoryMiB: parseMiB(memory) ?? (0 as MiB), enabled }]),
);

const defaultClasses = { controlplane: 'large', worker: 'medium' } as const;
const defaultDisk = '20Gi';
/** Of a control plane. */
export const leastCpu = 2;

export function classFrom(spec: Draft<z.output<typeof machineClassSpec>>): MachineClass | undefined {
  const { cores, sockets = 1, threads = 1 } = spec.cpu ?? {};
  const memoryMiB = quantityMiB(spec.memory?.quantity);
  if (cores === undefined || memoryMiB === undefined) return undefined;
  return { cpu: cores * sockets * threads, memoryMiB, enabled: spec.enabled ?? true };
}

/** The network of a NetworkNamespace with static addresses, as far as it is one. */
export function networkFrom({ ipAllocation }: Draft<z.output<typeof networkNamespaceSpec>>): Network | undefined {
  const { ipv4CIDR, ipv4Gateway, dns } = ipAllocation?.static ?? {};
  if (ipv4CIDR === undefined || parseCidr(ipv4CIDR)?.exact !== true) return undefined;
  const nameservers = dns?.filter((server) => server !== undefined && parseAddress(server) !== undefined);
  return {
    nodes: ipv4CIDR,
    ...(ipv4Gateway !== undefined && parseAddress(ipv4Gateway) ? { gateway: ipv4Gateway } : {}),
    ...(nameservers === undefined ? {} : { nameservers: nameservers.filter((server) => server !== undefined) }),
  };
}

/** Kubernetes quantities: binary and decimal units, powers of ten, plain bytes; rounded up to whole MiB. */
function quantityMiB(quantity: number | string | undefined): MiB | undefined {
  const match = /^\+?(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/.exec(String(quantity ?? ''));
  if (!match) return undefined;
  const [, number, unit = ''] = match;
  const bytes = /^[eE]./.test(unit) ? Number(`${number}${unit}`) : Number(number) * (bytesPerUnit.get(unit) ?? 1);
  return Math.ceil(bytes / 2 ** 20) as MiB;
}

const bytesPerUnit: ReadonlyMap<string, number> = new Map([
  ...['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map((unit, power) => [unit, 1000 ** (power - 3)] as const),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit, power) => [unit, 1024 ** (power + 1)] as const),
]);

export const quantityGiB = (quantity: string | undefined): number | undefined => {
  const size = quantityMiB(quantity);
  return size === undefined ? undefined : Math.max(1, Math.ceil(size / 1024));
};

/** "1.36.2", "v1.36.2" or only "1.33": with the Talos that runs it. */
export function kubernetesVersion(
  written: string,
): { readonly kubernetes: string; readonly talos: string } | undefined {
  const version = parseVersion(/^v?\d+\.\d+$/.test(written) ? `${written}.0` : written);
  if (!version) return undefined;
  const preferred = parseVersion(defaultTalosVersion);
  const own = preferred && talosRelease(preferred);
  const releases = [...(own ? [own] : []), ...Object.values(talosReleases).toReversed()];
  const release = releases.find((candidate) => supportsKubernetes(candidate, version));
  if (!release) return undefined;
  return { talos: release.patch, kubernetes: formatVersion(version) };
}

type Topology = NonNullable<KubernetesClusterDraft['spec']['topology']>;
type Group = NonNullable<Topology['controlplane']>;
type Pool = NonNullable<NonNullable<NonNullable<Topology['workers']>['nodePools']>[number]>;

/** The pools that could be read, each with its place in the list. */
export function poolsOf({ topology }: KubernetesClusterDraft['spec']): readonly ReadPool[] {
  const keys = new Set<string>();
  return (topology?.workers?.nodePools ?? []).flatMap((pool, index) => {
    if (pool === undefined) return [];
    const sound = pool.name !== undefined && nameForm.test(pool.name) && !keys.has(pool.name);
    const key = sound && pool.name !== undefined ? pool.name : `pool-${index}`;
    keys.add(key);
    return [{ pool, index, key }];
  });
}

/** `key` is its name, or stands for one that is missing, broken or somebody else's. */
type ReadPool = { readonly pool: Pool; readonly index: number; readonly key: string };

export const nameForm = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** The cluster section of a Platform that is the same cluster, as a person would write it. */
export function clusterSection(
  { spec }: KubernetesClusterDraft,
  { classes, networks }: Surroundings,
): Record<string, unknown> {
  const { topology, data } = spec;
  const versions = topology?.version === undefined ? undefined : kubernetesVersion(topology.version);
  const group = (settings: Group | undefined, fallback: string): Record<string, unknown> => {
    const size = classes.get(settings?.machineClass ?? fallback) ?? classes.get(fallback);
    const [system, ...rest] = settings?.storage ?? [];
    return {
      replicas: settings?.replicas ?? 1,
      cpu: Math.max(size?.cpu ?? 2, fallback === defaultClasses.controlplane ? leastCpu : 1),
      memory: formatMiB(size?.memoryMiB ?? 4096),
      disk: `${Math.max(10, quantityGiB(system?.size ?? defaultDisk) ?? 20)}GiB`,
      ...(rest.length === 0
        ? {}
        : {
            disks: Object.fromEntries(
              rest.map((disk, index) => [`disk-${index + 1}`, `${quantityGiB(disk?.size) ?? 1}GiB`]),
            ),
          }),
      ...presentLabels(settings),
    };
  };
  const workers = poolsOf(spec).map(({ pool, key }) => {
    const taints = (pool.taint ?? []).flatMap((taint) =>
      taint?.key === undefined || taint.effect === undefined
        ? []
        : [`${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}`],
    );
    return [key, { ...group(pool, defaultClasses.worker), ...(taints.length === 0 ? {} : { taints }) }] as const;
  });
  const network = networks.get(data?.networkNamespaceName ?? '');
  return {
    ...(versions ? { talos: { version: versions.talos }, kubernetes: { version: versions.kubernetes } } : {}),
    controlPlane: group(topology?.controlplane, defaultClasses.controlplane),
    workers: Object.fromEntries(workers),
    names: { controlPlane: '{platform}-ctp{index}', worker: '{platform}-wrk{index}' },
    ...(network === undefined ? {} : { network }),
  };
}

/** Where the file says what stands at a path of the cluster section. */
export function writtenAt({ spec }: KubernetesClusterDraft, path: Path): Path {
  const [section, ...rest] = path;
  switch (section) {
    case 'controlPlane':
      return ['spec', 'topology', 'controlplane', ...fieldOf(rest)];
    case 'workers': {
      const found = poolsOf(spec).find(({ key }) => key === rest[0]);
      const pool = ['spec', 'topology', 'workers', 'nodePools', ...(found ? [found.index] : [])];
      return rest.length < 2 ? [...pool, 'name'] : [...pool, ...fieldOf(rest.slice(1))];
    }
    case 'network':
      return ['spec', 'data', 'networkNamespaceName'];
    default:
      return ['spec', 'topology', 'version'];
  }
}

function fieldOf([field, ...rest]: Path): Path {
  switch (field) {
    case 'cpu':
    case 'memory':
      return ['machineClass'];
    case 'disk':
    case 'disks':
      return ['storage'];
    case 'taints':
      return ['taint', ...rest];
    case 'labels':
    case 'annotations':
      return ['metadata', field, ...rest];
    default:
      return field === undefined ? [] : [field];
  }
}

const presentLabels = (settings: Group | undefined): Record<string, unknown> => ({
  ...(Object.keys(settings?.metadata?.labels ?? {}).length > 0 ? { labels: settings?.metadata?.labels } : {}),
  ...(Object.keys(settings?.metadata?.annotations ?? {}).length > 0
    ? { annotations: settings?.metadata?.annotations }
    : {}),
});

/** Identity follows clusterId where there is one. */
export const vitiName = ({ name, spec }: KubernetesClusterDraft): string => spec.data?.clusterId ?? name;

export const machineProviders = ({ spec }: KubernetesClusterDraft): readonly string[] => [
  ...new Set(
    [spec.topology?.controlplane?.provider, ...poolsOf(spec).map(({ pool }) => pool.provider)].filter(
      (provider) => provider !== undefined,
    ),
  ),
];
