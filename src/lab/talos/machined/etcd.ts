import { create } from '@bufbuild/protobuf';
import {
  BootstrapRequestSchema,
  BootstrapResponseSchema,
  EtcdMemberListRequestSchema,
  EtcdMemberListResponseSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import type { EtcdCluster } from '../etcd/cluster.ts';
import { requireControlPlane, unary } from './call.ts';
import type { Handler, LocalCall } from './call.ts';

/** A cluster that somebody among the control planes can answer for; this node’s own when only that one counts. */
export async function reachable(given: LocalCall, localOnly: boolean): Promise<EtcdCluster> {
  const { machine, boot, call } = given;
  const own = (): EtcdCluster | undefined => machine.etcd?.local()?.cluster;
  const trust = (): EtcdCluster | undefined =>
    [...machine.world.clusters].find((cluster) => cluster.trust === machine.etcd?.trust() && cluster.hasQuorum());
  const found = (): EtcdCluster | undefined => (localOnly ? own() : (trust() ?? own()));
  const signal = AbortSignal.any([call.signal, boot.signal]);
  await machine.world.until(() => found()?.hasQuorum() === true, signal);
  return found() as EtcdCluster;
}

export const etcdHandlers: Readonly<Record<string, Handler>> = {
  '/machine.MachineService/Bootstrap': unary(
    BootstrapRequestSchema,
    BootstrapResponseSchema,
    async (given, request) => {
      const { machine, boot } = given;
      if (boot.settings === undefined)
        throw new GrpcStatus('UNIMPLEMENTED', 'machine type is not set, cannot use bootstrap API');
      requireControlPlane(given, 'bootstrap');
      if (!boot.services.isHealthy('cri') || machine.etcd === undefined)
        throw new GrpcStatus('FAILED_PRECONDITION', 'bootstrap is not available yet');
      if (!boot.timeSynced) throw new GrpcStatus('FAILED_PRECONDITION', 'time is not in sync yet');
      await machine.etcd.bootstrap(
        request.recoverEtcd ? { kind: 'recover', skipHash: request.recoverSkipHashCheck } : { kind: 'bootstrap' },
      );
      return create(BootstrapResponseSchema, { messages: [{}] });
    },
  ),

  '/machine.MachineService/EtcdMemberList': unary(
    EtcdMemberListRequestSchema,
    EtcdMemberListResponseSchema,
    async (given, request) => {
      requireControlPlane(given, 'member list');
      const members = (await reachable(given, request.queryLocal)).sorted();
      return create(EtcdMemberListResponseSchema, {
        messages: [
          {
            legacyMembers: members.map(({ name }) => name),
            members: members.map(({ id, name, address, learner, running }) => ({
              id,
              hostname: name,
              peerUrls: [`https://${address}:2380`],
              clientUrls: running || !learner ? [`https://${address}:2379`] : [],
              isLearner: learner,
            })),
          },
        ],
      });
    },
  ),
};
