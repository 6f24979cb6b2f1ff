import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { answers, type Case } from '../case.ts';

const at = 'controlPlane';

const waiting = [
  'EtcdMemberList',
  'EtcdStatus',
  'EtcdAlarmList',
  'EtcdSnapshot',
  'EtcdForfeitLeadership',
  'EtcdLeaveCluster',
];

type Members = {
  readonly messages: readonly [{ readonly members: readonly Member[]; readonly legacyMembers: readonly string[] }];
};
type Member = {
  readonly id: string;
  readonly hostname: string;
  readonly peerUrls: string[];
  readonly clientUrls: string[];
};

const onlyMember = async (world: Parameters<Case['run']>[0], queryLocal = true): Promise<Members['messages'][0]> => {
  const { messages } = await world.call(at, 'EtcdMemberList', { queryLocal });
  return (messages[0] as unknown as Members).messages[0];
};

export const etcdCases: readonly Case[] = [
  ...waiting.map((method) =>
    answers(
      `etcd before bootstrap: ${method} gives no answer`,
      { stage: 'configured', at, method },
      { code: 'NO_ANSWER', messages: [] },
    ),
  ),
  answers(
    'etcd before bootstrap: a list of its own members gives no answer either',
    { stage: 'configured', at, method: 'EtcdMemberList', request: { queryLocal: true } },
    { code: 'NO_ANSWER', messages: [] },
  ),
  answers(
    'etcd before bootstrap: removing a member gives no answer',
    { stage: 'configured', at, method: 'EtcdRemoveMemberByID', request: { memberId: '123' } },
    { code: 'NO_ANSWER', messages: [] },
  ),
  ...(['reader', 'operator', 'backup'] as const).map((as) =>
    answers(
      `etcd before bootstrap: ${as} may not bootstrap`,
      { stage: 'configured', at, method: 'Bootstrap', options: { as } },
      { code: 'PERMISSION_DENIED', message: 'not authorized', messages: [] },
    ),
  ),
  ...([true, false] as const).map((queryLocal): Case => ({
    stage: 'bootstrapped',
    name: `etcd: one member, ${queryLocal ? 'as it says itself' : 'as anybody says'}`,
    run: async (world) => {
      const { name, address } = world.target.controlPlane;
      expect(await onlyMember(world, queryLocal)).toEqual({
        legacyMembers: [name],
        members: [
          {
            id: expect.stringMatching(/^\d+$/) as string,
            hostname: name,
            peerUrls: [`https://${address}:2380`],
            clientUrls: [`https://${address}:2379`],
          },
        ],
      });
    },
  })),
  {
    stage: 'bootstrapped',
    name: 'etcd: the only member leads, and says its versions',
    run: async (world) => {
      const { members } = await onlyMember(world);
      const { messages } = await world.call(at, 'EtcdStatus');
      const id = members[0]?.id ?? '';
      const digits = expect.stringMatching(/^\d+$/) as string;
      expect(messages).toEqual([
        {
          messages: [
            {
              memberStatus: {
                storageVersion: '3.6.0',
                protocolVersion: '3.6.12',
                memberId: id,
                leader: id,
                dbSize: digits,
                dbSizeInUse: digits,
                raftIndex: digits,
                raftTerm: digits,
                raftAppliedIndex: digits,
              },
            },
          ],
        },
      ]);
    },
  },
  answers(
    'etcd: no alarms',
    { stage: 'bootstrapped', at, method: 'EtcdAlarmList' },
    { code: 'OK', messages: [{ messages: [{}] }] },
  ),
  answers(
    'etcd: no alarms to disarm',
    { stage: 'bootstrapped', at, method: 'EtcdAlarmDisarm' },
    { code: 'OK', messages: [{ messages: [{}] }] },
  ),
  answers(
    'etcd: defragmented',
    { stage: 'bootstrapped', at, method: 'EtcdDefragment' },
    { code: 'OK', messages: [{ messages: [{}] }] },
  ),
  answers(
    'etcd: the only member cannot give leadership away',
    { stage: 'bootstrapped', at, method: 'EtcdForfeitLeadership' },
    {
      code: 'UNKNOWN',
      message: 'failed to forfeit leadership: cannot forfeit leadership, only one member',
      messages: [],
    },
  ),
  {
    stage: 'bootstrapped',
    name: 'etcd: the only member cannot leave',
    run: async (world) => {
      const { members } = await onlyMember(world);
      const { code, message } = await world.call(at, 'EtcdLeaveCluster');
      expect({ code, message }).toEqual({
        code: 'UNKNOWN',
        message: `failed to leave cluster: 1 error(s) occurred:\n\tfailed to remove member ${members[0]?.id}: etcdserver: re-configuration failed due to not enough started members`,
      });
    },
  },
  answers(
    'etcd: a member that nobody knows cannot be removed',
    { stage: 'bootstrapped', at, method: 'EtcdRemoveMemberByID', request: { memberId: '123' } },
    { code: 'NOT_FOUND', message: 'failed to remove member 123: etcdserver: member not found', messages: [] },
  ),
  answers(
    'etcd: member 0 cannot be removed',
    { stage: 'bootstrapped', at, method: 'EtcdRemoveMemberByID' },
    { code: 'NOT_FOUND', message: 'failed to remove member 0: etcdserver: member not found', messages: [] },
  ),
  answers(
    'etcd: a downgrade by one minor is possible',
    { stage: 'bootstrapped', at, method: 'EtcdDowngradeValidate', request: { version: '3.5' } },
    { code: 'OK', messages: [{ messages: [{ clusterDowngrade: { clusterVersion: '3.6' } }] }] },
  ),
  answers(
    'etcd: a downgrade below 3.5 is not',
    { stage: 'bootstrapped', at, method: 'EtcdDowngradeValidate', request: { version: '3.1' } },
    { code: 'INVALID_ARGUMENT', message: 'etcd downgrade is only supported to 3.5 and later versions', messages: [] },
  ),
  {
    stage: 'bootstrapped',
    name: 'etcd: a snapshot comes in pieces of 1024 and ends with its hash',
    run: async ({ call }) => {
      const { code, messages } = await call(at, 'EtcdSnapshot');
      const pieces = (messages as { bytes: string }[]).map(({ bytes }) => Buffer.from(bytes, 'base64'));
      const sizes = pieces.map(({ length }) => length);
      const hash = createHash('sha256')
        .update(Buffer.concat(pieces.slice(0, -1)))
        .digest();
      expect({ code, last: sizes.at(-1), others: new Set(sizes.slice(0, -1)) }).toEqual({
        code: 'OK',
        last: 32,
        others: new Set([1024]),
      });
      expect(hash.equals(pieces.at(-1) ?? Buffer.alloc(0))).toBe(true);
    },
  },
  answers(
    'etcd: what is done is not done again',
    { stage: 'end', at, method: 'Bootstrap' },
    { code: 'ALREADY_EXISTS', message: 'etcd data directory is not empty', messages: [] },
  ),
];
