import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { ClusterService, type HealthCheckProgress } from '../../wire/gen/talos/cluster_pb.ts';
import type { ConditionSaid, TalosReader } from '../talos.ts';
import type { Line } from './call.ts';
import { withoutError } from './envelope.ts';

export function clusterReads(line: Line): Pick<TalosReader, 'clusterHealth'> {
  const cluster = createClient(ClusterService, line.transport);
  return {
    async *clusterHealth({ controlPlanes, workers, waitMs }, signal) {
      const request = {
        waitTimeout: { seconds: BigInt(Math.floor(waitMs / 1000)), nanos: (waitMs % 1000) * 1_000_000 },
        clusterInfo: { controlPlaneNodes: [...controlPlanes], workerNodes: [...workers] },
      };
      const progress = line.stream('the cluster’s health', signal, (options) =>
        untilWaitedEnough(cluster.healthCheck(request, options)),
      );
      for await (const item of progress) {
        const said = conditionOf(withoutError(line.host, item).message);
        if (said !== undefined) yield said;
      }
    },
  };
}

/** The node ends with DEADLINE_EXCEEDED when it has waited as long as it was told to: what it said until then counts. */
async function* untilWaitedEnough(progress: AsyncIterable<HealthCheckProgress>): AsyncIterable<HealthCheckProgress> {
  try {
    yield* progress;
  } catch (error) {
    if (!(error instanceof ConnectError) || error.code !== Code.DeadlineExceeded) throw error;
  }
}

/** `waiting for CONDITION: SAID`; undefined for other messages, and for the one that opens a condition. */
function conditionOf(message: string): ConditionSaid | undefined {
  const [, condition = '', said = ''] = /^waiting for (.+?): (.*)$/s.exec(message) ?? [];
  return said === '' || said === '...' ? undefined : { condition, said };
}
