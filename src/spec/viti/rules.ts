import type * as z from 'zod';
import { isHostAddress, parseAddress, parseCidr } from '../../model/ip.ts';
import { nearest } from '../../model/nearest.ts';
import { talosReleases } from '../../model/talos-releases.ts';
import type { Draft } from '../check.ts';
import { mostMachines } from '../expand.ts';
import { fewOf } from '../names.ts';
import type { Said } from '../rules/rule.ts';
import { clip } from '../tree.ts';
import type { networkNamespaceSpec } from './schema.ts';
import {
  kubernetesVersion,
  leastCpu,
  nameForm,
  poolsOf,
  quantityGiB,
  vitiName,
  type KubernetesClusterDraft,
  type Surroundings,
} from './translate.ts';

const at = (...steps: (string | number)[]) => ['spec', 'topology', ...steps];
const nodePool = (index: number, ...steps: (string | number)[]) => at('workers', 'nodePools', index, ...steps);

type NetworkDraft = { readonly spec: Draft<z.output<typeof networkNamespaceSpec>> };

/** With the longest of "-ctp8" and "-wrk4999" behind it, it is still a host name. */
const longestName = 55;

/** What a Viti operator checks before it acts, and what ichor could not build. */
export function* vitiRules(cluster: KubernetesClusterDraft, { classes }: Surroundings): Iterable<Said> {
  yield* ownName(cluster);
  yield* pools(cluster);
  yield* machineClasses(cluster, classes);
  yield* storage(cluster);
  yield* version(cluster);
}

function* ownName(cluster: KubernetesClusterDraft): Iterable<Said> {
  const name = vitiName(cluster);
  if (name === '' || (nameForm.test(name) && name.length <= longestName)) return;
  yield {
    path: cluster.spec.data?.clusterId === undefined ? ['metadata', 'name'] : ['spec', 'data', 'clusterId'],
    code: 'wrong-name',
    message: `"${clip(name)}" cannot be the name of a cluster: machines are named after it.`,
    remedy: `Use up to ${longestName} lower-case letters, digits and dashes.`,
  };
}

function* pools({ spec }: KubernetesClusterDraft): Iterable<Said> {
  const given = poolsOf(spec);
  const broken = given.length < (spec.topology?.workers?.nodePools ?? []).length;
  const workers = given.reduce((total, { pool }) => total + (pool.replicas ?? 1), 0);
  if (workers === 0 && !broken)
    yield {
      path: at('workers'),
      code: 'no-workers',
      message: 'A KubernetesCluster needs at least one worker.',
      remedy: 'Add a pool with replicas: 1 or more.',
    };
  const names = new Set<string>();
  for (const { pool, index } of given) {
    const { name, replicas } = pool;
    if (name !== undefined && !nameForm.test(name)) {
      yield {
        path: nodePool(index, 'name'),
        code: 'wrong-name',
        message: `"${clip(name)}" cannot be the name of a pool.`,
        remedy: 'Use lower-case letters, digits and dashes.',
      };
    } else if (name !== undefined && names.has(name))
      yield {
        path: nodePool(index, 'name'),
        code: 'same-names',
        message: `Two pools are called "${clip(name)}".`,
        remedy: 'Give each its own name.',
      };
    if (name !== undefined) names.add(name);
    if (replicas !== undefined && (replicas < 0 || replicas > mostMachines))
      yield {
        path: nodePool(index, 'replicas'),
        code: 'out-of-bounds',
        message: `A pool may have 0 to ${mostMachines} replicas, found ${replicas}.`,
        remedy: 'Use a number in between.',
      };
  }
}

function* machineClasses({ spec }: KubernetesClusterDraft, classes: Surroundings['classes']): Iterable<Said> {
  const enabled = [...classes].filter(([, known]) => known.enabled).map(([name]) => name);
  const named = [
    { path: at('controlplane', 'machineClass'), name: spec.topology?.controlplane?.machineClass },
    ...poolsOf(spec).map(({ pool, index }) => ({ path: nodePool(index, 'machineClass'), name: pool.machineClass })),
  ];
  for (const [index, { path, name }] of named.entries()) {
    if (name === undefined) continue;
    const known = classes.get(name);
    const meant = nearest(name, enabled);
    if (known === undefined)
      yield {
        path,
        code: 'unknown-class',
        message: `There is no MachineClass "${clip(name)}" here.`,
        remedy:
          meant === undefined ? `Give its MachineClass with -f, or use ${fewOf(enabled)}.` : `Did you mean "${meant}"?`,
      };
    else if (!known.enabled)
      yield {
        path,
        code: 'unknown-class',
        message: `The MachineClass "${clip(name)}" is not enabled.`,
        remedy: `Enable it, or use ${fewOf(enabled)}.`,
      };
    else if (index === 0 && known.cpu < leastCpu)
      yield {
        path,
        code: 'too-small',
        message: `A control plane needs at least ${leastCpu} processors, and the MachineClass "${clip(name)}" has fewer.`,
        remedy: 'Use a larger class.',
      };
  }
}

/** What a NetworkNamespace says about static addresses must be addresses. */
export function* networkRules({ spec }: NetworkDraft): Iterable<Said> {
  const { ipv4CIDR, ipv4Gateway, dns } = spec.ipAllocation?.static ?? {};
  const path = ['spec', 'ipAllocation', 'static'];
  const cidr = ipv4CIDR === undefined ? undefined : parseCidr(ipv4CIDR);
  if (ipv4CIDR !== undefined && cidr?.exact !== true)
    yield {
      path: [...path, 'ipv4CIDR'],
      code: 'wrong-format',
      message: `Expected a network in CIDR form without host bits, such as 10.10.0.0/24, found "${clip(ipv4CIDR)}".`,
      remedy: 'For example: 10.10.0.0/24',
    };
  const gateway = ipv4Gateway === undefined ? undefined : parseAddress(ipv4Gateway);
  if (ipv4Gateway !== undefined && (gateway === undefined || (cidr && !isHostAddress(cidr, gateway))))
    yield {
      path: [...path, 'ipv4Gateway'],
      code: 'address-outside',
      message: `The gateway "${clip(ipv4Gateway)}" is not an address${ipv4CIDR === undefined ? '' : ` of ${clip(ipv4CIDR)}`}.`,
      remedy: 'Choose an address of the network.',
    };
  for (const [index, server] of (dns ?? []).entries()) {
    if (server === undefined || parseAddress(server)) continue;
    yield {
      path: [...path, 'dns', index],
      code: 'wrong-format',
      message: `Expected an IPv4 or IPv6 address, such as 10.10.0.5, found "${clip(server)}".`,
      remedy: 'For example: 10.10.0.5',
    };
  }
}

function* storage({ spec }: KubernetesClusterDraft): Iterable<Said> {
  const groups = [
    { path: at('controlplane', 'storage'), disks: spec.topology?.controlplane?.storage },
    ...poolsOf(spec).map(({ pool, index }) => ({ path: nodePool(index, 'storage'), disks: pool.storage })),
  ];
  for (const { path, disks } of groups) {
    for (const [index, disk] of (disks ?? []).entries()) {
      if (disk?.size === undefined || quantityGiB(disk.size) !== undefined) continue;
      yield {
        path: [...path, index, 'size'],
        code: 'wrong-format',
        message: `Expected a size such as 20Gi, found "${clip(disk.size)}".`,
        remedy: 'For example: 20Gi',
      };
    }
  }
}

function* version({ spec }: KubernetesClusterDraft): Iterable<Said> {
  const written = spec.topology?.version;
  if (written === undefined || kubernetesVersion(written) !== undefined) return;
  yield {
    path: at('version'),
    code: 'unsupported-kubernetes',
    message: `No Talos that ichor knows runs Kubernetes ${clip(written)}.`,
    remedy: `Use for example ${talosReleases['1.13']?.defaultKubernetes}.`,
  };
}
