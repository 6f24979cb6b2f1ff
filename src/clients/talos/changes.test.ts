import { create, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCluster, aPeer, type Peer } from '../../../test/talos/peer.ts';
import { collect, told } from '../../../test/talos/told.ts';
import {
  AddressEventSchema,
  ConfigLoadErrorEventSchema,
  ImageService,
  LifecycleService,
  MachineService,
  MachineStatusEventSchema,
  PhaseEventSchema,
  SequenceEventSchema,
  ServiceStateEventSchema,
  TaskEventSchema,
} from '../../wire/gen/talos/machine_pb.ts';
import type { ApplyMode, TalosNode } from '../talos.ts';
import { eventOf } from './events.ts';
import { openTalos } from './node.ts';
import { hasLifecycle } from './upgrade.ts';

const seen: unknown[] = [];
const secret = Buffer.from('a key that must not be seen').toString('base64');
let exitCode: number | undefined = 0;
let tag = 'v1.13.9';

/** Keeps what was asked, without the messages’ own names. */
function note(method: string, request: object): { messages: object[] } {
  const plain = (key: string, value: unknown): unknown => {
    if (key === '$typeName') return undefined;
    return typeof value === 'bigint' ? String(value) : value;
  };
  seen.push([method, JSON.parse(JSON.stringify(request, plain))]);
  return { messages: [{}] };
}

function routes(router: ConnectRouter): void {
  router.service(MachineService, {
    version: () => ({ messages: [{ version: { tag }, features: { rbac: true } }] }),
    applyConfiguration(request) {
      note('apply', {
        mode: request.mode,
        dryRun: request.dryRun,
        try: request.tryModeTimeout?.seconds,
        text: Buffer.from(request.data).toString(),
      });
      return { messages: [{ mode: request.mode, warnings: ['w'], modeDetails: `Applied\nConfig diff:\n+ ${secret}` }] };
    },
    bootstrap: (request) => note('bootstrap', request),
    reboot: (request) => note('reboot', request),
    shutdown: (request) => note('shutdown', request),
    reset: (request) => note('reset', request),
    rollback: (request) => note('rollback', request),
    serviceStart: (request) => note('start', request),
    serviceStop: (request) => note('stop', request),
    serviceRestart() {
      throw new ConnectError('service "etcd" doesn\'t support restart operation via API', Code.Unknown);
    },
    etcdLeaveCluster: (request) => note('leave', request),
    etcdRemoveMemberByID: (request) => note('remove', request),
    etcdDefragment: (request) => note('defragment', request),
    etcdAlarmDisarm: (request) => note('disarm', request),
    etcdForfeitLeadership: () => ({ messages: [{ member: '' }] }),
    etcdMemberList: ({ queryLocal }) => ({
      messages: [
        {
          members: [{ id: 0xabcn, hostname: String(queryLocal), peerUrls: ['https://10.0.0.1:2380'], isLearner: true }],
        },
      ],
    }),
    etcdStatus: () => ({
      messages: [{ memberStatus: { memberId: 2n ** 63n, leader: 1n, protocolVersion: '3.6.12' } }],
    }),
    etcdAlarmList: () => ({ messages: [{ memberAlarms: [{ memberId: 1n, alarm: 1 }] }] }),
    upgrade(request) {
      note('upgrade', request);
      return { messages: [{ actorId: 'actor' }] };
    },
    generateClientConfiguration(request) {
      note('config', { roles: request.roles, ttl: request.crtTtl?.seconds });
      const bytes = (text: string) => new TextEncoder().encode(text);
      return {
        messages: [{ ca: bytes('ca'), crt: bytes('crt'), key: bytes('key'), talosconfig: bytes('talosconfig') }],
      };
    },
  });
  router.service(ImageService, {
    async *pull(request) {
      note('pull', request);
      yield { response: { case: 'pullProgress', value: { layerId: 'l', progress: { offset: 1n, total: 2n } } } };
      yield { response: { case: 'name', value: 'x@sha256:1' } };
    },
  });
  router.service(LifecycleService, {
    async *upgrade(request) {
      note('install', request);
      yield { progress: { response: { case: 'message', value: 'one\ntw' } } };
      yield { progress: { response: { case: 'message', value: 'o\n' } } };
      if (exitCode !== undefined) yield { progress: { response: { case: 'exitCode', value: exitCode } } };
    },
  });
}

let peer: Peer;
let node: TalosNode;
beforeAll(async () => {
  const cluster = await aCluster();
  peer = await aPeer(cluster.server, routes);
  const access = { kind: 'mutual', ca: cluster.authority.crt, ...cluster.admin } as const;
  node = openTalos({ host: peer.host, port: peer.port, access });
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

const patient = AbortSignal.timeout(60_000);

test.each<[ApplyMode, number]>([
  ['reboot', 0],
  ['auto', 1],
  ['no-reboot', 2],
  ['staged', 3],
  ['try', 4],
])('apply says its mode: %s', async (mode, number) => {
  seen.length = 0;
  const applied = await node.apply('text', { mode, dryRun: true, tryTimeoutMs: 90_000 }, patient);
  expect(applied).toEqual({
    mode,
    warnings: ['w'],
    details: 'Applied\nConfig diff: (not shown, it holds secrets)',
  });
  expect(seen).toEqual([['apply', { mode: number, dryRun: true, try: '90', text: 'text' }]]);
});

test('what is asked of a node arrives there as it was meant', async () => {
  seen.length = 0;
  await node.bootstrap({}, patient);
  await node.bootstrap({ recover: true, skipHashCheck: true }, patient);
  await node.reboot('force', patient);
  await node.shutdown({ force: true }, patient);
  await node.reset(
    { graceful: false, reboot: true, partitions: ['EPHEMERAL'], userDisks: ['/dev/sdb'], wipe: 'user-disks' },
    patient,
  );
  await node.rollback(patient);
  await node.service('kubelet', 'start', patient);
  await node.service('kubelet', 'stop', patient);
  await node.etcdLeave(patient);
  await node.etcdRemove('8000000000000001', patient);
  await node.etcdDefragment(patient);
  await node.etcdDisarm(patient);
  expect(seen).toEqual([
    ['bootstrap', { recoverEtcd: false, recoverSkipHashCheck: false }],
    ['bootstrap', { recoverEtcd: true, recoverSkipHashCheck: true }],
    ['reboot', { mode: 2 }],
    ['shutdown', { force: true }],
    [
      'reset',
      {
        graceful: false,
        reboot: true,
        systemPartitionsToWipe: [{ label: 'EPHEMERAL', wipe: true }],
        userDisksToWipe: ['/dev/sdb'],
        mode: 2,
      },
    ],
    ['rollback', {}],
    ['start', { id: 'kubelet' }],
    ['stop', { id: 'kubelet' }],
    ['leave', {}],
    ['remove', { memberId: '9223372036854775809' }],
    ['defragment', {}],
    ['disarm', {}],
  ]);
  expect((await told(node.service('etcd', 'restart', patient))).message).toBe(
    '127.0.0.1 refused a service: service "etcd" doesn\'t support restart operation via API',
  );
  expect((await told(node.etcdRemove('cp-1', patient))).code).toBe('talos-member-id');
});

test('etcd in the words that people know', async () => {
  const member = { id: '0000000000000abc', peerUrls: ['https://10.0.0.1:2380'], clientUrls: [], learner: true };
  expect(await node.etcdMembers(patient)).toEqual([{ ...member, hostname: 'true' }]);
  expect(await node.etcdMembers(patient, { local: false })).toEqual([{ ...member, hostname: 'false' }]);
  expect(await node.etcdStatus(patient)).toEqual({
    memberId: '8000000000000000',
    leader: '0000000000000001',
    version: '3.6.12',
    storageVersion: '',
    dbSize: 0n,
    dbSizeInUse: 0n,
    raftIndex: 0n,
    raftTerm: 0n,
    raftAppliedIndex: 0n,
    learner: false,
    errors: [],
  });
  expect(await node.etcdAlarms(patient)).toEqual([{ memberId: '0000000000000001', alarm: 'NOSPACE' }]);
  expect(await node.etcdForfeit(patient)).toBeUndefined();
});

test('a client certificate comes as texts', async () => {
  seen.length = 0;
  expect(await node.clientConfiguration({ roles: ['os:reader'], ttlMs: 3_600_000 }, patient)).toEqual({
    ca: 'ca',
    crt: 'crt',
    key: 'key',
    talosconfig: 'talosconfig',
  });
  expect(seen).toEqual([['config', { roles: ['os:reader'], ttl: '3600' }]]);
});

describe('an upgrade', () => {
  const image = 'example.org/installer:v1.13.9';
  const containerd = { driver: 1, namespace: 1 };
  const pulled = [
    { kind: 'pulling', layer: 'l', done: 1n, total: 2n },
    { kind: 'pulled', image: 'x@sha256:1' },
  ];
  const said = [
    { kind: 'message', text: 'one\ntw' },
    { kind: 'message', text: 'o\n' },
  ];

  test('pulls, installs and believes the exit code', async () => {
    seen.length = 0;
    expect(await collect(node.upgrade({ image }, patient))).toEqual([...pulled, ...said, { kind: 'installed' }]);
    expect(seen).toEqual([
      ['pull', { imageRef: image, containerd }],
      ['install', { containerd, source: { imageName: image } }],
    ]);
    exitCode = 1;
    expect(await told(collect(node.upgrade({ image }, patient)))).toEqual({
      code: 'talos-install-failed',
      recovery: 'ask',
      message: 'The installer on 127.0.0.1 ended with 1: two.',
    });
    exitCode = undefined;
    expect((await told(collect(node.upgrade({ image }, patient)))).code).toBe('talos-connection-lost');
  });

  test.each<[string, string, object, object]>([
    ['an old node', 'v1.12.4', {}, { stage: false, force: false }],
    ['staged', 'v1.13.9', { stage: true }, { stage: true, force: false }],
    ['without checks', 'v1.13.9', { force: true }, { stage: false, force: true }],
    ['asked for so', 'v1.13.9', { legacy: true }, { stage: false, force: false }],
  ])('by the old call: %s', async (_, version, how, request) => {
    seen.length = 0;
    tag = version;
    expect(await collect(node.upgrade({ image, ...how }, patient))).toEqual([{ kind: 'accepted', actor: 'actor' }]);
    expect(seen).toEqual([['upgrade', { image, preserve: false, rebootMode: 0, ...request }]]);
  });

  test.each([
    ['v1.12.11', false],
    ['v1.13.0', true],
    ['v1.14.0-rc.1', true],
    ['v2.0.0', false],
    ['what', false],
  ])('%s: by services %s', (version, by) => {
    expect(hasLifecycle(version)).toBe(by);
  });
});

describe('events', () => {
  const event = (type: string, value: Uint8Array) =>
    eventOf({
      $typeName: 'machine.Event',
      id: 'i',
      actorId: 'a',
      data: { $typeName: 'google.protobuf.Any', typeUrl: `talos/runtime/machine.${type}`, value },
    });
  const common = { id: 'i', actor: 'a' };
  test.each<[string, Uint8Array, object]>([
    [
      'SequenceEvent',
      toBinary(
        SequenceEventSchema,
        create(SequenceEventSchema, { sequence: 'boot', action: 1, error: { message: 'bad' } }),
      ),
      { kind: 'sequence', sequence: 'boot', action: 'start', error: 'bad' },
    ],
    ['SequenceEvent', new Uint8Array(), { kind: 'sequence', sequence: '', action: 'noop', error: undefined }],
    [
      'PhaseEvent',
      toBinary(PhaseEventSchema, create(PhaseEventSchema, { phase: 'config', action: 1 })),
      { kind: 'phase', phase: 'config', action: 'stop' },
    ],
    [
      'TaskEvent',
      toBinary(TaskEventSchema, create(TaskEventSchema, { task: 'runningMaintenance' })),
      { kind: 'task', task: 'runningMaintenance', action: 'start' },
    ],
    [
      'ServiceStateEvent',
      toBinary(
        ServiceStateEventSchema,
        create(ServiceStateEventSchema, { service: 'etcd', action: 3, message: 'm', health: { healthy: true } }),
      ),
      { kind: 'service', service: 'etcd', state: 'Running', message: 'm', health: 'healthy' },
    ],
    [
      'MachineStatusEvent',
      toBinary(MachineStatusEventSchema, create(MachineStatusEventSchema, { stage: 4, status: { ready: true } })),
      { kind: 'status', status: { stage: 'running', ready: true, unmet: [] } },
    ],
    [
      'AddressEvent',
      toBinary(AddressEventSchema, create(AddressEventSchema, { hostname: 'h', addresses: ['10.0.0.1'] })),
      { kind: 'address', hostname: 'h', addresses: ['10.0.0.1'] },
    ],
    ['RestartEvent', new Uint8Array(), { kind: 'restart' }],
    [
      'ConfigLoadErrorEvent',
      toBinary(ConfigLoadErrorEventSchema, create(ConfigLoadErrorEventSchema, { error: 'token: x' })),
      { kind: 'config-error', error: 'token: *' },
    ],
    [
      'ConfigValidationErrorEvent',
      toBinary(ConfigLoadErrorEventSchema, create(ConfigLoadErrorEventSchema, { error: 'e' })),
      { kind: 'config-error', error: 'e' },
    ],
    ['NewEvent', new Uint8Array([1, 2]), { kind: 'other', type: 'machine.NewEvent' }],
  ])('%s', (type, value, body) => {
    expect(event(type, value)).toEqual({ ...common, ...body });
  });
});
