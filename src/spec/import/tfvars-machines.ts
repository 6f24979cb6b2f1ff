import type { Part } from './foreign.ts';
import { diskOf, memoryOf } from './sizes.ts';
import type { Sketch } from './sketch.ts';

const pool = 'general';

/** How many control planes there will be. */
export function putControlPlanes(root: Part, sketch: Sketch): number {
  const enabled = root.find('ha_enabled', 'ha', 'high_availability');
  const mode = root.find('cluster_topology.control_plane.availability.mode');
  const available = enabled?.flag() ?? (mode === undefined ? undefined : mode.text() === 'ha');
  const written = root.find(
    'control_plane_count',
    'controlplane_count',
    'master_count',
    'cluster_topology.control_plane.replica_count',
  );
  const count = written?.count();
  const replicas = count ?? (available === true ? 3 : undefined);
  if (count === undefined && available === true)
    (enabled ?? mode)?.remark('High availability, and no number of control planes is given: there will be three.');
  sketch.put('cluster.highAvailability', available, enabled ?? mode);
  sketch.put('cluster.controlPlane.replicas', replicas, written ?? enabled ?? mode);
  putSize(root.find('sizing.control_plane', 'node_profiles.control_plane'), 'cluster.controlPlane', sketch);
  return replicas ?? 1;
}

export function putWorkers(root: Part, sketch: Sketch): number {
  const written = root.find('worker_count', 'workers_count', 'cluster_topology.worker.replica_count');
  const size = root.find('sizing.worker', 'node_profiles.worker');
  if (written === undefined && size === undefined) return 0;
  const replicas = written?.count();
  sketch.put(['cluster', 'workers', pool, 'replicas'], replicas ?? 1, written);
  putSize(size, `cluster.workers.${pool}`, sketch);
  return replicas ?? 1;
}

function putSize(size: Part | undefined, place: string, sketch: Sketch): void {
  const cpu = size?.find('vcpu', 'vcpus', 'cpu', 'cpus', 'cores');
  const memory = size?.find('memory', 'ram', 'memory_mb');
  const disk = size?.find('disk', 'disk_size', 'disk_gb');
  sketch.put(`${place}.cpu`, cpu?.count(), cpu);
  sketch.put(`${place}.memory`, memory && memoryOf(memory), memory);
  sketch.put(`${place}.disk`, disk && diskOf(disk), disk);
}

type Machines = {
  readonly prefix: string;
  readonly controlPlanes: number;
  readonly workers: number;
};

export function putPlacement(root: Part, sketch: Sketch, { prefix, controlPlanes, workers }: Machines): void {
  const written = root.find('placement.strategy', 'infrastructure_policy.node_distribution_strategy');
  const strategy = written?.text();
  const pinned = root.find('placement.pinned', 'infrastructure_policy.host_affinity');
  if (strategy === 'round_robin')
    written?.note('Becomes spread: ichor places machines evenly, by what each host has left.');
  if (strategy !== 'pin') {
    if (strategy !== undefined && strategy !== 'spread' && strategy !== 'round_robin')
      written?.note('Becomes spread: ichor knows no such strategy.');
    if (pinned && pinned.parts().length > 0)
      pinned.note('Not carried over: it has no effect without the strategy pin.');
    if (written) sketch.put('cluster.placement.strategy', 'spread', written);
    return;
  }
  const first = namesOf(prefix, 'cp', controlPlanes);
  const known = new Set([...first, ...namesOf(prefix, 'wk', workers)]);
  const found = pinned ? putPins(pinned, known, sketch) : new Set<string>();
  const complete = first.every((name) => found.has(name));
  if (!complete) written?.note('Becomes spread, because not every control plane is pinned: those that are stay so.');
  sketch.put('cluster.placement.strategy', complete ? 'pin' : 'spread', written);
}

/** From machines by host to the host of each machine. */
function putPins(pinned: Part, known: ReadonlySet<string>, sketch: Sketch): ReadonlySet<string> {
  const found = new Set<string>();
  for (const host of pinned.parts()) {
    for (const item of host.tree.kind === 'list' ? host.parts() : [host]) {
      const name = item.text();
      if (name === undefined) continue;
      if (!known.has(name)) item.note('Not carried over: no machine will be called so.');
      else if (found.has(name)) item.note('Not carried over: it is pinned already.');
      else {
        found.add(name);
        sketch.put(['cluster', 'placement', 'pinned', name], host.key, item);
      }
    }
  }
  return found;
}

const namesOf = (prefix: string, role: 'cp' | 'wk', count: number): readonly string[] =>
  Array.from(
    { length: Math.min(count, 5000) },
    (_, index) => `${prefix}-${role}-${String(index + 1).padStart(2, '0')}`,
  );
