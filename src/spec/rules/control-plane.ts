import { parseVersion } from '../../model/version.ts';
import { supportsKubernetes, talosRelease, talosReleases } from '../../model/talos-releases.ts';
import type { Role } from '../../model/machine.ts';
import { byName, machineCount, mostMachines, seatsOf, type PlatformDraft } from '../expand.ts';
import { machineNamed } from '../names.ts';
import type { Said } from './rule.ts';

const at = (...steps: (string | number)[]) => ['spec', 'cluster', ...steps];

export function* oddControlPlanes({ spec }: PlatformDraft): Iterable<Said> {
  const replicas = spec.cluster?.controlPlane?.replicas;
  const tooFew = spec.cluster?.highAvailability === true && replicas !== undefined && replicas < 3;
  if (replicas === undefined || replicas % 2 === 1 || tooFew) return;
  yield {
    path: at('controlPlane', 'replicas'),
    code: 'even-control-planes',
    message: `${replicas} control planes tolerate no more failures than ${replicas - 1}: etcd needs a majority, so the number must be odd.`,
    remedy: `Use ${replicas - 1} or ${replicas + 1}.`,
  };
}

export function* threeForHighAvailability({ spec }: PlatformDraft): Iterable<Said> {
  const replicas = spec.cluster?.controlPlane?.replicas;
  if (spec.cluster?.highAvailability !== true || replicas === undefined || replicas >= 3) return;
  yield {
    path: at('highAvailability'),
    code: 'too-few-for-ha',
    message: `High availability needs at least three control planes, and there ${replicas === 1 ? 'is one' : `are ${replicas}`}.`,
    remedy: 'Set cluster.controlPlane.replicas to 3, or leave highAvailability out.',
  };
}

export function* supportedVersions({ spec }: PlatformDraft): Iterable<Said> {
  const talos = parseVersion(spec.cluster?.talos?.version ?? '');
  if (!talos) return;
  const release = talosRelease(talos);
  const minors = Object.keys(talosReleases);
  if (!release) {
    yield {
      path: at('talos', 'version'),
      code: 'unknown-talos',
      message: `ichor does not know Talos ${talos.major}.${talos.minor}.`,
      remedy: `Use a version from ${minors[0]} to ${minors.at(-1)}.`,
    };
    return;
  }
  const kubernetes = parseVersion(spec.cluster?.kubernetes?.version ?? '');
  if (!kubernetes || supportsKubernetes(release, kubernetes)) return;
  const [oldest, newest] = release.kubernetes;
  yield {
    path: at('kubernetes', 'version'),
    code: 'unsupported-kubernetes',
    message: `Talos ${talos.major}.${talos.minor} runs Kubernetes 1.${oldest} to 1.${newest}, not ${kubernetes.major}.${kubernetes.minor}.`,
    remedy: `Use for example ${release.defaultKubernetes}, or another Talos version.`,
  };
}

export function* fewEnough({ spec }: PlatformDraft): Iterable<Said> {
  const count = machineCount(spec);
  if (count === undefined || count <= mostMachines) return;
  yield {
    path: at('workers'),
    code: 'too-many-machines',
    message: `The groups ask for ${count} machines together, and Kubernetes is made for up to ${mostMachines} nodes.`,
    remedy: 'Ask for fewer replicas, or make several platforms.',
  };
}

const leastMiB = { 'control-plane': 2048, worker: 1024 };
const leastDiskGiB = 10;
const leastCpu = 2;

/** What Talos itself needs to run: in a group, and where one machine of it is made smaller. */
export function* bigEnough(platform: PlatformDraft): Iterable<Said> {
  const { spec, name } = platform;
  const machines = byName(seatsOf(platform));
  const groups = [
    { path: at('controlPlane'), role: 'control-plane' as Role, group: spec.cluster?.controlPlane },
    ...Object.entries(spec.cluster?.workers ?? {}).map(([pool, group]) => ({
      path: at('workers', pool),
      role: 'worker' as Role,
      group,
    })),
    ...Object.entries(spec.cluster?.nodes ?? {}).map(([written, node]) => ({
      path: at('nodes', written),
      role: machineNamed(written, name, machines)?.role ?? 'worker',
      group: node,
    })),
  ];
  for (const { path, role, group } of groups) {
    const least = leastMiB[role];
    if (role === 'control-plane' && group?.cpu !== undefined && group.cpu < leastCpu) {
      yield {
        path: [...path, 'cpu'],
        code: 'too-small',
        message: `A control plane needs at least ${leastCpu} processors.`,
        remedy: `Use ${leastCpu} or more.`,
      };
    }
    if (group?.memory !== undefined && group.memory < least) {
      yield {
        path: [...path, 'memory'],
        code: 'too-small',
        message: `A ${role === 'worker' ? 'worker' : 'control plane'} needs at least ${least / 1024}GiB of memory.`,
        remedy: `Use ${least / 1024}GiB or more.`,
      };
    }
    if (group?.disk !== undefined && group.disk < leastDiskGiB) {
      yield {
        path: [...path, 'disk'],
        code: 'too-small',
        message: `Talos needs a system disk of at least ${leastDiskGiB}GiB.`,
        remedy: `Use ${leastDiskGiB}GiB or more.`,
      };
    }
  }
}

export function* somewhereToRun({ spec }: PlatformDraft): Iterable<Said> {
  const idle = Object.values(spec.cluster?.workers ?? {}).every((pool) => pool?.replicas === 0);
  if (!idle || spec.cluster?.controlPlane?.schedulable !== false) return;
  yield {
    path: at('controlPlane', 'schedulable'),
    code: 'nowhere-to-run',
    message: 'There are no workers, and control planes take no workloads: nothing could run.',
    remedy: 'Add a worker pool, or leave schedulable out.',
  };
}
