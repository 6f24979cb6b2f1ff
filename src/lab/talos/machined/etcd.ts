import { create } from '@bufbuild/protobuf';
import { EmptySchema } from '@bufbuild/protobuf/wkt';
import { DataSchema } from '../../../wire/gen/talos/common_pb.ts';
import {
  BootstrapRequestSchema,
  BootstrapResponseSchema,
  EtcdAlarmDisarmResponseSchema,
  EtcdAlarmListResponseSchema,
  EtcdDefragmentResponseSchema,
  EtcdForfeitLeadershipRequestSchema,
  EtcdForfeitLeadershipResponseSchema,
  EtcdLeaveClusterRequestSchema,
  EtcdLeaveClusterResponseSchema,
  EtcdMemberAlarm_AlarmType,
  EtcdMemberListRequestSchema,
  EtcdMemberListResponseSchema,
  EtcdRecoverResponseSchema,
  EtcdRemoveMemberByIDRequestSchema,
  EtcdRemoveMemberByIDResponseSchema,
  EtcdSnapshotRequestSchema,
  EtcdStatusResponseSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import type { EtcdMember as WireMember } from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { minorOf } from '../apid/methods.ts';
import type { EtcdCluster, EtcdMember } from '../etcd/cluster.ts';
import { writeSnapshot } from '../etcd/snapshot.ts';
import type { EtcdService } from '../node/etcd-service.ts';
import { receiving, requireControlPlane, streaming, unary } from './call.ts';
import type { Handler, LocalCall } from './call.ts';
import { chunks } from './logs.ts';
import { rawEnvelope, rawMessage, rawUnary, textIn } from './raw.ts';

const at = (name: string): string => `/machine.MachineService/${name}`;

const etcdOf = ({ machine }: LocalCall): EtcdService => {
  if (machine.etcd === undefined) throw new GrpcStatus('FAILED_PRECONDITION', 'etcd is not available yet');
  return machine.etcd;
};

/** This node’s own member; nobody answers while there is none. */
async function local(given: LocalCall): Promise<{ readonly cluster: EtcdCluster; readonly member: EtcdMember }> {
  const { machine, boot, call } = given;
  await machine.world.until(() => machine.etcd?.local() !== undefined, AbortSignal.any([call.signal, boot.signal]));
  return etcdOf(given).local() as { readonly cluster: EtcdCluster; readonly member: EtcdMember };
}

/** A cluster that some control plane can answer for, this node’s own or not; nobody answers while there is none. */
async function anywhere(given: LocalCall): Promise<EtcdCluster> {
  const { machine, boot, call } = given;
  const found = (): EtcdCluster | undefined =>
    [...machine.world.clusters].find((cluster) => cluster.trust === machine.etcd?.trust() && cluster.hasQuorum());
  await machine.world.until(() => found() !== undefined, AbortSignal.any([call.signal, boot.signal]));
  return found() as EtcdCluster;
}

/** What needs agreement waits for a quorum. */
async function agreed(given: LocalCall, cluster: EtcdCluster): Promise<void> {
  const { machine, boot, call } = given;
  await machine.world.until(() => cluster.hasQuorum(), AbortSignal.any([call.signal, boot.signal]));
}

const wireMember = ({
  id,
  name,
  address,
  learner,
  running,
}: EtcdMember): Omit<WireMember, '$typeName' | '$unknown'> => ({
  id,
  hostname: name,
  peerUrls: [`https://${address}:2380`],
  clientUrls: running || !learner ? [`https://${address}:2379`] : [],
  isLearner: learner,
});

export const etcdHandlers: Readonly<Record<string, Handler>> = {
  [at('Bootstrap')]: unary(BootstrapRequestSchema, BootstrapResponseSchema, async (given, request) => {
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
  }),

  [at('EtcdMemberList')]: unary(EtcdMemberListRequestSchema, EtcdMemberListResponseSchema, async (given, request) => {
    requireControlPlane(given, 'member list');
    const cluster = request.queryLocal ? (await local(given)).cluster : await anywhere(given);
    await agreed(given, cluster);
    const members = cluster.sorted();
    return create(EtcdMemberListResponseSchema, {
      messages: [{ legacyMembers: members.map(({ name }) => name), members: members.map(wireMember) }],
    });
  }),

  [at('EtcdStatus')]: unary(EmptySchema, EtcdStatusResponseSchema, async (given) => {
    requireControlPlane(given, 'etcd status');
    const { cluster, member } = await local(given);
    const size = BigInt(writeSnapshot(cluster).length - 32);
    return create(EtcdStatusResponseSchema, {
      messages: [
        {
          memberStatus: {
            ...(minorOf(given.boot.version) > 9 ? { storageVersion: '3.6.0' } : {}),
            memberId: member.id,
            protocolVersion: '3.6.12',
            dbSize: size,
            dbSizeInUse: size - 4096n,
            leader: cluster.leader ?? 0n,
            raftIndex: cluster.index,
            raftTerm: cluster.term,
            raftAppliedIndex: cluster.index,
            errors: cluster.leader === undefined ? ['etcdserver: no leader'] : [],
            isLearner: member.learner,
          },
        },
      ],
    });
  }),

  [at('EtcdAlarmList')]: unary(EmptySchema, EtcdAlarmListResponseSchema, async (given) => {
    requireControlPlane(given, 'etcd alarm list');
    const { cluster } = await local(given);
    return create(EtcdAlarmListResponseSchema, { messages: [{ memberAlarms: alarmsOf(cluster) }] });
  }),

  [at('EtcdAlarmDisarm')]: unary(EmptySchema, EtcdAlarmDisarmResponseSchema, async (given) => {
    requireControlPlane(given, 'etcd alarm disarm');
    const { cluster } = await local(given);
    await agreed(given, cluster);
    const memberAlarms = alarmsOf(cluster);
    for (const member of cluster.members.values()) member.alarm = 'NONE';
    return create(EtcdAlarmDisarmResponseSchema, { messages: [{ memberAlarms }] });
  }),

  [at('EtcdDefragment')]: unary(EmptySchema, EtcdDefragmentResponseSchema, async (given) => {
    requireControlPlane(given, 'etcd defragment');
    await local(given);
    return create(EtcdDefragmentResponseSchema, { messages: [{}] });
  }),

  [at('EtcdForfeitLeadership')]: unary(
    EtcdForfeitLeadershipRequestSchema,
    EtcdForfeitLeadershipResponseSchema,
    async (given) => {
      requireControlPlane(given, 'etcd forfeit leadership');
      const { cluster, member } = await local(given);
      await agreed(given, cluster);
      if (cluster.members.size === 1)
        throw new GrpcStatus('UNKNOWN', 'failed to forfeit leadership: cannot forfeit leadership, only one member');
      const next = cluster.runningVoters().find(({ id }) => id !== member.id);
      if (cluster.leader !== member.id || next === undefined)
        return create(EtcdForfeitLeadershipResponseSchema, { messages: [{}] });
      cluster.lead(next.id);
      return create(EtcdForfeitLeadershipResponseSchema, { messages: [{ member: next.name }] });
    },
  ),

  [at('EtcdLeaveCluster')]: unary(EtcdLeaveClusterRequestSchema, EtcdLeaveClusterResponseSchema, async (given) => {
    requireControlPlane(given, 'etcd leave');
    const { cluster } = await local(given);
    await agreed(given, cluster);
    await etcdOf(given).leave();
    return create(EtcdLeaveClusterResponseSchema, { messages: [{}] });
  }),

  [at('EtcdRemoveMemberByID')]: unary(
    EtcdRemoveMemberByIDRequestSchema,
    EtcdRemoveMemberByIDResponseSchema,
    async (given, { memberId }) => {
      requireControlPlane(given, 'etcd remove member');
      const { cluster } = await local(given);
      await agreed(given, cluster);
      const member = cluster.members.get(memberId);
      if (member === undefined)
        throw new GrpcStatus('NOT_FOUND', `failed to remove member ${memberId}: etcdserver: member not found`);
      if (!cluster.canRemove(memberId))
        throw new GrpcStatus(
          'UNKNOWN',
          `failed to remove member ${memberId}: etcdserver: re-configuration failed due to not enough started members`,
        );
      cluster.remove(memberId);
      const { world } = given.machine;
      const home = world.at(member.address);
      if (member.running && home?.disk.etcd?.memberId === memberId) home.etcd?.expelled();
      world.stir();
      return create(EtcdRemoveMemberByIDResponseSchema, { messages: [{}] });
    },
  ),

  [at('EtcdSnapshot')]: streaming(EtcdSnapshotRequestSchema, DataSchema, async function* (given) {
    requireControlPlane(given, 'etcd snapshot');
    const file = writeSnapshot((await local(given)).cluster);
    yield* chunks(file.subarray(0, -32));
    yield create(DataSchema, { bytes: file.subarray(-32) });
  }),

  [at('EtcdRecover')]: receiving(DataSchema, EtcdRecoverResponseSchema, async (given, requests) => {
    requireControlPlane(given, 'etcd recover');
    if (given.machine.etcd === undefined)
      throw new GrpcStatus('FAILED_PRECONDITION', 'etcd service is not ready for recovery yet');
    const parts: Uint8Array[] = [];
    for await (const { bytes } of requests) parts.push(bytes);
    given.machine.disk.snapshot = Buffer.concat(parts);
    return create(EtcdRecoverResponseSchema, { messages: [{}] });
  }),

  [at('EtcdDowngradeValidate')]: downgrade('etcd downgrade validate', true),
  [at('EtcdDowngradeEnable')]: downgrade('etcd downgrade enable', true),
  [at('EtcdDowngradeCancel')]: downgrade('etcd downgrade cancel', false),
};

function downgrade(name: string, versioned: boolean): Handler {
  return rawUnary(async (given) => {
    requireControlPlane(given, name);
    if (versioned) {
      const wanted = await textIn(given.call, 1);
      const [major = 0, minor = 0] = wanted.split('.').map(Number);
      if (major < 3 || (major === 3 && minor < 5))
        throw new GrpcStatus('INVALID_ARGUMENT', 'etcd downgrade is only supported to 3.5 and later versions');
    }
    await local(given);
    return rawEnvelope([2, rawMessage([1, '3.6'])]);
  });
}

const alarmsOf = (cluster: EtcdCluster): { memberId: bigint; alarm: EtcdMemberAlarm_AlarmType }[] =>
  cluster
    .sorted()
    .filter(({ alarm }) => alarm !== 'NONE')
    .map(({ id, alarm }) => ({ memberId: id, alarm: EtcdMemberAlarm_AlarmType[alarm] }));
