import type * as z from 'zod';
import { nearest } from '../../model/nearest.ts';
import { formatMiB, parseMiB, type MiB } from '../../model/size.ts';
import { defaultTalosVersion, supportsKubernetes, talosRelease, talosReleases } from '../../model/talos-releases.ts';
import { parseVersion } from '../../model/version.ts';
import type { Draft } from '../check.ts';
import type { Said } from '../rules/rule.ts';
import { kubernetesClusterSpec, type machineClassSpec, type networkNamespaceSpec } from './schema.ts';

const shortForm = kubernetesClusterSpec('short');
export type KubernetesClusterDraft = { readonly name: string; readonly spec: Draft<z.output<typeof shortForm>> };

export type MachineClass = { readonly cpu: number; readonly memoryMiB: MiB; readonly enabled: boolean };
export type Surroundings = {
  readonly classes: ReadonlyMap<string, MachineClass>;
  readonly networks: ReadonlyMap<string, Draft<z.output<typeof networkNamespaceSpec>>>;
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

export function classFrom(spec: Draft<z.output<typeof machineClassSpec>>): MachineClass | undefined {
  const { cores, sockets = 1, threads = 1 } = spec.cpu ?? {};
  const memoryMiB = quantityMiB(spec.memory?.quantity);
  if (cores === undefined || memoryMiB === undefined) return undefined;
  return { cpu: cores * sockets * threads, memoryMiB, enabled: spec.enabled ?? true };
}

/** Kubernetes quantities: binary and decimal units, plain bytes; rounded up to whole MiB. */
function quantityMiB(quantity: number | string | undefined): MiB | undefined {
  const match = /^(\d+(?:\.\d+)?)(Ki|Mi|Gi|Ti|k|M|G|T)?$/.exec(String(quantity ?? ''));
  if (!match) return undefined;
  const factors: Readonly<Record<string, number>> = {
    Ki: 2 ** 10,
    Mi: 2 ** 20,
    Gi: 2 ** 30,
    Ti: 2 ** 40,
    k: 1e3,
    M: 1e6,
    G: 1e9,
    T: 1e12,
  };
  const bytes = Number(match[1]) * (match[2] === undefined ? 1 : (factors[match[2]] ?? 1));
  return Math.ceil(bytes / 2 ** 20) as MiB;
}

const quantityGiB = (quantity: string | undefined): number | undefined => {
  const size = quantityMiB(quantity);
  return size === undefined ? undefined : Math.max(1, Math.ceil(size / 1024));
};

/** What a Viti operator checks before it acts, and what ichor could not build. */
export function* vitiRules({ spec }: KubernetesClusterDraft, { classes }: Surroundings): Iterable<Said> {
  const { topology } = spec;
  const at = (...steps: (string | number)[]) => ['spec', 'topology', ...steps];
  const replicas = topology?.controlplane?.replicas;
  if (replicas !== undefined && replicas % 2 === 0) {
    yield {
      path: at('controlplane', 'replicas'),
      code: 'even-control-planes',
      message: `${replicas} control planes: the number must be odd, because etcd needs a majority.`,
      remedy: `Use ${replicas - 1} or ${replicas + 1}.`,
    };
  }
  const pools = topology?.workers?.nodePools ?? [];
  const workers = pools.reduce((total, pool) => total + (pool.replicas ?? 1), 0);
  if (workers === 0)
    yield {
      path: at('workers'),
      code: 'no-workers',
      message: 'A KubernetesCluster needs at least one worker.',
      remedy: 'Add a pool with replicas: 1 or more.',
    };
  const names = new Set<string>();
  for (const [index, { name, replicas: count }] of pools.entries()) {
    const path = at('workers', 'nodePools', index);
    if (name !== undefined && !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) {
      yield {
        path: [...path, 'name'],
        code: 'wrong-name',
        message: `"${name}" cannot be the name of a pool.`,
        remedy: 'Use lower-case letters, digits and dashes.',
      };
    } else if (name !== undefined && names.has(name))
      yield {
        path: [...path, 'name'],
        code: 'same-names',
        message: `Two pools are called "${name}".`,
        remedy: 'Give each its own name.',
      };
    if (name !== undefined) names.add(name);
    if (count !== undefined && (count < 0 || count > 5000))
      yield {
        path: [...path, 'replicas'],
        code: 'out-of-bounds',
        message: `A pool may have 0 to 5000 replicas, found ${count}.`,
        remedy: 'Use a number in between.',
      };
  }
  const groups = [
    { path: at('controlplane'), group: topology?.controlplane },
    ...pools.map((group, index) => ({ path: at('workers', 'nodePools', index), group })),
  ];
  for (const { path, group } of groups) {
    const name = group?.machineClass;
    if (name !== undefined && classes.get(name)?.enabled !== true) {
      const enabled = [...classes].filter(([, known]) => known.enabled).map(([known]) => known);
      const meant = nearest(name, enabled);
      yield {
        path: [...path, 'machineClass'],
        code: 'unknown-class',
        message: classes.has(name)
          ? `The MachineClass "${name}" is not enabled.`
          : `There is no MachineClass "${name}" here.`,
        remedy:
          meant === undefined
            ? `Give its MachineClass with -f, or use ${enabled.join(', ')}.`
            : `Did you mean "${meant}"?`,
      };
    }
    for (const [index, disk] of (group?.storage ?? []).entries()) {
      if (disk.size !== undefined && quantityGiB(disk.size) === undefined)
        yield {
          path: [...path, 'storage', index, 'size'],
          code: 'wrong-format',
          message: `Expected a size such as 20Gi, found "${disk.size}".`,
          remedy: 'Write for example 20Gi.',
        };
    }
  }
  const version = topology?.version;
  if (version !== undefined && kubernetesVersion(version) === undefined) {
    yield {
      path: at('version'),
      code: 'unsupported-kubernetes',
      message: `No Talos that ichor knows runs Kubernetes ${version}.`,
      remedy: `Use for example ${talosReleases['1.13']?.defaultKubernetes}.`,
    };
  }
}

/** "1.36.2", "v1.36.2" or only "1.33": with the Talos that runs it. */
function kubernetesVersion(written: string): { readonly kubernetes: string; readonly talos: string } | undefined {
  const version = parseVersion(/^v?\d+\.\d+$/.test(written) ? `${written}.0` : written);
  if (!version) return undefined;
  const preferred = parseVersion(defaultTalosVersion);
  const own = preferred && talosRelease(preferred);
  const releases = [...(own ? [own] : []), ...Object.values(talosReleases).toReversed()];
  const release = releases.find((candidate) => supportsKubernetes(candidate, version));
  if (!release) return undefined;
  return {
    talos: release.patch,
    kubernetes: `v${version.major}.${version.minor}.${version.patch}${version.pre === '' ? '' : `-${version.pre}`}`,
  };
}

type Group = NonNullable<NonNullable<KubernetesClusterDraft['spec']['topology']>['controlplane']>;

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
      cpu: Math.max(size?.cpu ?? 2, 1),
      memory: formatMiB(size?.memoryMiB ?? 4096),
      disk: `${Math.max(10, quantityGiB(system?.size ?? defaultDisk) ?? 20)}GiB`,
      ...(rest.length === 0
        ? {}
        : {
            disks: Object.fromEntries(
              rest.map((disk, index) => [`disk-${index + 1}`, `${quantityGiB(disk.size) ?? 1}GiB`]),
            ),
          }),
      ...presentLabels(settings),
    };
  };
  const workers = (topology?.workers?.nodePools ?? []).map((pool) => {
    const taints = (pool.taint ?? []).map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`);
    return [
      pool.name ?? '',
      { ...group(pool, defaultClasses.worker), ...(taints.length === 0 ? {} : { taints }) },
    ] as const;
  });
  const network = networks.get(data?.networkNamespaceName ?? '')?.ipAllocation?.static;
  return {
    ...(versions ? { talos: { version: versions.talos }, kubernetes: { version: versions.kubernetes } } : {}),
    controlPlane: group(topology?.controlplane, defaultClasses.controlplane),
    workers: Object.fromEntries(workers),
    names: { controlPlane: '{platform}-ctp{index}', worker: '{platform}-wrk{index}' },
    ...(network?.ipv4CIDR === undefined
      ? {}
      : {
          network: {
            nodes: network.ipv4CIDR,
            ...(network.ipv4Gateway === undefined ? {} : { gateway: network.ipv4Gateway }),
            ...(network.dns === undefined ? {} : { nameservers: network.dns }),
          },
        }),
  };
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
    [
      spec.topology?.controlplane?.provider,
      ...(spec.topology?.workers?.nodePools ?? []).map((pool) => pool.provider),
    ].filter((provider) => provider !== undefined),
  ),
];
