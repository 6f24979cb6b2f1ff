import { createClient } from '@connectrpc/connect';
import { Problem } from '../../model/problem.ts';
import {
  EtcdMemberAlarm_AlarmType,
  MachineService,
  type EtcdMember as WireMember,
  type EtcdMemberStatus,
} from '../../wire/gen/talos/machine_pb.ts';
import type { EtcdMember, EtcdStatus, TalosReader, TalosWriter } from '../talos.ts';
import type { Line } from './call.ts';
import { onlyOne } from './envelope.ts';
import { nameOf } from './words.ts';

type Reads = Pick<TalosReader, 'etcdMembers' | 'etcdStatus' | 'etcdAlarms'>;
type Writes = Pick<
  TalosWriter,
  'etcdRecover' | 'etcdForfeit' | 'etcdLeave' | 'etcdRemove' | 'etcdDefragment' | 'etcdDisarm'
>;

export function etcdReads(line: Line): Reads {
  const machine = createClient(MachineService, line.transport);
  const { host } = line;
  return {
    async etcdMembers(signal, { local = true, deadlineMs } = {}) {
      const deadline = deadlineMs === undefined ? undefined : { totalMs: deadlineMs };
      const ask = (options: object) => machine.etcdMemberList({ queryLocal: local }, options);
      return onlyOne(host, await line.ask('etcd members', signal, ask, deadline)).members.map(memberOf);
    },
    async etcdStatus(signal) {
      const answer = onlyOne(host, await line.ask('etcd status', signal, (options) => machine.etcdStatus({}, options)));
      if (answer.memberStatus === undefined)
        throw new Problem('talos-empty-answer', `${host} said nothing about its etcd.`, { recovery: 'retry' });
      return statusOf(answer.memberStatus);
    },
    async etcdAlarms(signal) {
      const answer = onlyOne(
        host,
        await line.ask('etcd alarms', signal, (options) => machine.etcdAlarmList({}, options)),
      );
      return answer.memberAlarms.map(({ memberId, alarm }) => ({
        memberId: hexId(memberId),
        alarm: nameOf(EtcdMemberAlarm_AlarmType, alarm),
      }));
    },
  };
}

export function etcdWrites(line: Line): Writes {
  const machine = createClient(MachineService, line.transport);
  const { host } = line;
  return {
    async etcdRecover(snapshot, signal) {
      const ask = (options: object) => machine.etcdRecover(asData(snapshot), options);
      onlyOne(host, await line.ask('recovery of etcd', signal, ask));
    },
    async etcdForfeit(signal) {
      const ask = (options: object) => machine.etcdForfeitLeadership({}, options);
      const { member } = onlyOne(host, await line.ask('another etcd leader', signal, ask));
      return member === '' ? undefined : member;
    },
    async etcdLeave(signal) {
      onlyOne(host, await line.ask('leaving etcd', signal, (options) => machine.etcdLeaveCluster({}, options)));
    },
    async etcdRemove(memberId, signal) {
      const request = { memberId: numberOfId(memberId) };
      const ask = (options: object) => machine.etcdRemoveMemberByID(request, options);
      onlyOne(host, await line.ask('removal of an etcd member', signal, ask));
    },
    async etcdDefragment(signal) {
      const ask = (options: object) => machine.etcdDefragment({}, options);
      onlyOne(host, await line.ask('defragmentation of etcd', signal, ask));
    },
    async etcdDisarm(signal) {
      const ask = (options: object) => machine.etcdAlarmDisarm({}, options);
      onlyOne(host, await line.ask('disarming of etcd’s alarms', signal, ask));
    },
  };
}

const memberOf = ({ id, hostname, peerUrls, clientUrls, isLearner }: WireMember): EtcdMember => ({
  id: hexId(id),
  hostname,
  peerUrls,
  clientUrls,
  learner: isLearner,
});

const statusOf = (status: EtcdMemberStatus): EtcdStatus => ({
  memberId: hexId(status.memberId),
  leader: hexId(status.leader),
  version: status.protocolVersion,
  storageVersion: status.storageVersion,
  dbSize: status.dbSize,
  dbSizeInUse: status.dbSizeInUse,
  raftIndex: status.raftIndex,
  raftTerm: status.raftTerm,
  raftAppliedIndex: status.raftAppliedIndex,
  learner: status.isLearner,
  errors: status.errors,
});

const hexId = (id: bigint): string => id.toString(16).padStart(16, '0');

function numberOfId(id: string): bigint {
  if (/^[0-9a-f]{1,16}$/i.test(id)) return BigInt(`0x${id}`);
  throw new Problem('talos-member-id', `"${id}" is not the id of an etcd member.`, {
    remedy: 'It has 16 hex digits, as shown by:\n    ichor talos etcd members',
  });
}

const largestPiece = 1024 * 1024;

async function* asData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ bytes: Uint8Array }, void, undefined> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += largestPiece) yield { bytes: chunk.subarray(at, at + largestPiece) };
}
