import { create } from '@bufbuild/protobuf';
import { HealthCheckProgressSchema, HealthCheckRequestSchema } from '../../../wire/gen/talos/cluster_pb.ts';
import type { HealthCheckProgress, HealthCheckRequest } from '../../../wire/gen/talos/cluster_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { forever } from '../apid/faulty.ts';
import { reachesDiscovery } from '../node/discovery.ts';
import { healthChecks } from '../node/health-checks.ts';
import type { CheckedCluster } from '../node/health-checks.ts';
import { requireControlPlane, streaming } from './call.ts';
import type { Handler, LocalCall } from './call.ts';

const pollMs = 1000;

export const healthHandlers: Readonly<Record<string, Handler>> = {
  '/cluster.ClusterService/HealthCheck': streaming(HealthCheckRequestSchema, HealthCheckProgressSchema, health),
};

async function* health(given: LocalCall, request: HealthCheckRequest): AsyncGenerator<HealthCheckProgress> {
  requireControlPlane(given, 'cluster health check');
  const { boot, call } = given;
  const waitMs = Number(request.waitTimeout?.seconds ?? 0n) * 1000 + (request.waitTimeout?.nanos ?? 0) / 1_000_000;
  const cluster = clusterOf(given, request);
  const nodes = [...cluster.controlPlanes, ...cluster.workers];
  yield progress(`discovered nodes: [${nodes.map((node) => `"${node}"`).join(' ')}]`);
  const deadline = boot.clock.now().getTime() + waitMs;
  for (const { condition, check } of healthChecks) {
    yield progress(`waiting for ${condition}: ...`);
    for (let told = '...'; ;) {
      const found = check(cluster);
      const text = found === undefined ? 'OK' : found;
      if (text !== told) yield progress(`waiting for ${condition}: ${text}`);
      told = text;
      if (text === 'OK' || text === 'SKIP') break;
      const left = deadline - boot.clock.now().getTime();
      if (left <= 0) throw new GrpcStatus('DEADLINE_EXCEEDED', 'context deadline exceeded');
      const looked = new AbortController();
      const signal = AbortSignal.any([call.signal, boot.signal, looked.signal]);
      await Promise.race([boot.clock.sleep(Math.min(pollMs, left), signal), forever(call.signal)]).finally(() =>
        looked.abort(new Error('looked')),
      );
    }
  }
}

const progress = (message: string): HealthCheckProgress => create(HealthCheckProgressSchema, { message });

/** As asked for, or as the members of the cluster are known. */
function clusterOf({ machine, boot }: LocalCall, { clusterInfo }: HealthCheckRequest): CheckedCluster {
  const given = [...(clusterInfo?.controlPlaneNodes ?? []), ...(clusterInfo?.workerNodes ?? [])];
  const of = (type: string): string[] =>
    [...machine.world.machines()]
      .filter(
        (other) =>
          other.boot?.settings?.type === type &&
          other.boot.settings.clusterId === boot.settings?.clusterId &&
          (reachesDiscovery(machine) || other === machine),
      )
      .map(({ address }) => address)
      .toSorted();
  const controlPlanes = given.length > 0 ? (clusterInfo?.controlPlaneNodes ?? []) : of('controlplane');
  const workers = given.length > 0 ? (clusterInfo?.workerNodes ?? []) : of('worker');
  return {
    world: machine.world,
    controlPlanes,
    workers,
    cni: boot.settings?.cni ?? 'flannel',
    proxy: boot.settings?.kubeProxy === true,
  };
}
