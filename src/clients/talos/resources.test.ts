import { create, toBinary } from '@bufbuild/protobuf';
import { Code, ConnectError, type ConnectRouter, type ServiceImpl } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCluster, aPeer, type Peer } from '../../../test/talos/peer.ts';
import { told } from '../../../test/talos/told.ts';
import { ResourceDefinitionSpecSchema } from '../../wire/gen/cosi/meta_pb.ts';
import { EventType, State } from '../../wire/gen/cosi/resource_pb.ts';
import { DiskSpecSchema, SystemDiskSpecSchema } from '../../wire/gen/talos/resource/block_pb.ts';
import { AddressStatusSpecSchema, LinkStatusSpecSchema } from '../../wire/gen/talos/resource/network_pb.ts';
import { MachineStatusSpecSchema } from '../../wire/gen/talos/resource/runtime_pb.ts';
import type { ResourceChange, TalosNode } from '../talos.ts';
import { openTalos } from './node.ts';

const at = { seconds: 1_700_000_000n, nanos: 0 };
const meta = (id: string, more = {}) => ({
  id,
  type: 'T',
  namespace: 'n',
  version: '2',
  phase: 'running',
  created: at,
  ...more,
});
const proto = {
  disk: toBinary(DiskSpecSchema, create(DiskSpecSchema, { size: 2n ** 60n, devPath: '/dev/sda', transport: 'virtio' })),
  systemDisk: toBinary(SystemDiskSpecSchema, create(SystemDiskSpecSchema, { diskId: 'sda' })),
  link: toBinary(
    LinkStatusSpecSchema,
    create(LinkStatusSpecSchema, {
      type: 1,
      hardwareAddr: Buffer.from('0a0b0c0d0e0f', 'hex'),
      mtu: 1500,
      operationalState: 6,
    }),
  ),
  loopback: toBinary(LinkStatusSpecSchema, create(LinkStatusSpecSchema, { type: 772, flags: 1 })),
  address: toBinary(
    AddressStatusSpecSchema,
    create(AddressStatusSpecSchema, {
      address: { ip: new Uint8Array([10, 0, 0, 9]), prefixLength: 24 },
      linkName: 'eth0',
    }),
  ),
  local: toBinary(
    AddressStatusSpecSchema,
    create(AddressStatusSpecSchema, {
      address: { ip: Buffer.from('fe8000000000000000000000000000016574683000', 'hex'), prefixLength: 64 },
      linkName: 'eth0',
      scope: 253,
    }),
  ),
  status: toBinary(
    MachineStatusSpecSchema,
    create(MachineStatusSpecSchema, {
      stage: 6,
      status: { ready: false, unmetConditions: [{ name: 'time', reason: 'r' }] },
    }),
  ),
};
const definition = (resourceType: string, aliases: readonly string[], namespace = 'runtime') => ({
  resource: {
    spec: {
      protoSpec: toBinary(
        ResourceDefinitionSpecSchema,
        create(ResourceDefinitionSpecSchema, {
          resourceType,
          defaultNamespace: namespace,
          aliases: [...aliases],
          sensitivity: 1,
          printColumns: [{ name: 'C', jsonPath: '{.c}' }],
        }),
      ),
    },
  },
});

const lists: Record<string, readonly object[]> = {
  'ResourceDefinitions.meta.cosi.dev': [
    definition('Members.cluster.talos.dev', ['member', 'members', 'mem'], 'cluster'),
    definition('Services.v1alpha1.talos.dev', ['svc', 'both']),
    definition('Disks.block.talos.dev', ['disks', 'both']),
  ],
  'Disks.block.talos.dev': [
    { resource: { metadata: meta('sda'), spec: { protoSpec: proto.disk } } },
    { resource: { metadata: meta('sdb'), spec: {} } },
  ],
  'LinkStatuses.net.talos.dev': [
    { resource: { metadata: meta('eth0'), spec: { protoSpec: proto.link } } },
    { resource: { metadata: meta('lo'), spec: { protoSpec: proto.loopback } } },
  ],
  'AddressStatuses.net.talos.dev': [
    { resource: { metadata: meta('a'), spec: { protoSpec: proto.address } } },
    { resource: { metadata: meta('b'), spec: { protoSpec: proto.local } } },
  ],
  'Members.cluster.talos.dev': [
    {
      resource: {
        metadata: meta('cp-1', { owner: 'o', labels: { l: '1' }, finalizers: ['f'] }),
        spec: { yamlSpec: 'nodeId: abc\naddresses:\n    - 10.0.0.1\n', protoSpec: new Uint8Array([1]) },
      },
    },
    { resource: { metadata: meta('cp-2'), spec: { yamlSpec: 'a: [' } } },
  ],
};
const gets: Record<string, Uint8Array> = { 'system-disk': proto.systemDisk, machine: proto.status };

let events: readonly (readonly object[])[] = [];
const seen: unknown[] = [];
const state: Partial<ServiceImpl<typeof State>> = {
  async *list({ type, namespace }) {
    seen.push(`list ${namespace}/${type}`);
    yield* lists[type] ?? [];
  },
  get({ id, namespace, type }) {
    seen.push(`get ${namespace}/${type}/${id}`);
    const protoSpec = gets[id];
    if (protoSpec === undefined) throw new ConnectError(`resource ${type} doesn't exist`, Code.NotFound);
    return { resource: { metadata: meta(id), spec: { protoSpec } } };
  },
  async *watch({ type, namespace, id, apiVersion, options }) {
    seen.push({ type, namespace, id, apiVersion, contents: options?.bootstrapContents });
    yield {};
    for (const event of events) yield { event: [...event] };
  },
};

let peer: Peer;
let node: TalosNode;
beforeAll(async () => {
  const cluster = await aCluster();
  peer = await aPeer(cluster.server, (router: ConnectRouter) => void router.service(State, state));
  const access = { kind: 'mutual', ca: cluster.authority.crt, ...cluster.admin } as const;
  node = openTalos({ host: peer.host, port: peer.port, access });
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

const patient = AbortSignal.timeout(60_000);

describe('types', () => {
  test('are found by alias, in their own namespace, and looked up once in a connection', async () => {
    seen.length = 0;
    expect((await node.list({ type: 'members' }, patient)).map(({ id }) => id)).toEqual(['cp-1', 'cp-2']);
    expect((await node.list({ type: 'MEM', namespace: 'other', id: 'cp-2' }, patient)).map(({ id }) => id)).toEqual([
      'cp-2',
    ]);
    await node.list({ type: 'members.cluster.talos.dev' }, patient);
    expect(seen).toEqual([
      'list meta/ResourceDefinitions.meta.cosi.dev',
      'list cluster/Members.cluster.talos.dev',
      'list other/Members.cluster.talos.dev',
      'list cluster/Members.cluster.talos.dev',
    ]);
    expect((await node.definitions(patient))[0]).toEqual({
      type: 'Members.cluster.talos.dev',
      namespace: 'cluster',
      aliases: ['member', 'members', 'mem'],
      sensitive: true,
      columns: [{ name: 'C', path: '{.c}' }],
    });
  });

  test('that are not there, or several', async () => {
    expect(await told(node.list({ type: 'membrs' }, patient))).toEqual({
      code: 'talos-no-such-resource',
      recovery: 'ask',
      message: '127.0.0.1 has no resources of type "membrs".',
    });
    expect(await told(node.list({ type: 'both' }, patient))).toMatchObject({
      code: 'talos-ambiguous-resource',
      message: '"both" can be Services.v1alpha1.talos.dev or Disks.block.talos.dev.',
    });
  });
});

test('a resource is told whole, and YAML that is none as text', async () => {
  const [first, second] = await node.list({ type: 'members' }, patient);
  expect(first).toEqual({
    namespace: 'n',
    type: 'T',
    id: 'cp-1',
    version: '2',
    phase: 'running',
    owner: 'o',
    created: new Date(1_700_000_000_000),
    updated: new Date(0),
    labels: { l: '1' },
    annotations: {},
    finalizers: ['f'],
    spec: { nodeId: 'abc', addresses: ['10.0.0.1'] },
    yaml: 'nodeId: abc\naddresses:\n    - 10.0.0.1\n',
    proto: new Uint8Array([1]),
  });
  expect(second?.spec).toBe('a: [');
  expect(await node.get({ type: 'disks', id: 'nope' }, patient)).toBeUndefined();
});

test('disks, links, addresses and status in our words', async () => {
  const plain = { model: '', serial: '', wwid: '', busPath: '', rotational: false, readonly: false, cdrom: false };
  expect(await node.disks(patient)).toEqual([
    { ...plain, name: 'sda', path: '/dev/sda', sizeBytes: 2n ** 60n, transport: 'virtio', system: true },
    { ...plain, name: 'sdb', path: '', sizeBytes: 0n, transport: '', system: false },
  ]);
  expect(await node.links(patient)).toEqual([
    { name: 'eth0', kind: '', mac: '0a:0b:0c:0d:0e:0f', up: true, mtu: 1500, physical: true },
    { name: 'lo', kind: '', mac: '', up: true, mtu: 0, physical: false },
  ]);
  expect(await node.addresses(patient)).toEqual([
    { address: '10.0.0.9/24', link: 'eth0', scope: 'global' },
    { address: 'fe80::1/64', link: 'eth0', scope: 'link' },
  ]);
  expect(await node.machineStatus(patient)).toEqual({
    stage: 'shutting down',
    ready: false,
    unmet: [{ name: 'time', reason: 'r' }],
  });
  expect(await node.systemUuid(patient)).toBeUndefined();
  expect(await told(node.machineConfig(patient))).toMatchObject({ code: 'talos-no-config', recovery: 'ask' });
});

describe('a watch', () => {
  const resource = (id: string, version = '2') => ({ metadata: { id, version }, spec: {} });
  const read = async (query: { type: string; id?: string }): Promise<{ outline: string[]; end: string }> => {
    const changes: ResourceChange[] = [];
    const reading = (async () => {
      for await (const change of node.watch({ ...query, namespace: 'n' }, patient)) changes.push(change);
    })();
    const { code } = await told(reading);
    const outline = changes.map((change) =>
      'resource' in change ? `${change.kind} ${change.resource.id}` : change.kind,
    );
    return { outline, end: code };
  };

  test('of a type: what is there, that this was all, changes; its end is a lost connection', async () => {
    events = [
      [{ eventType: EventType.CREATED, resource: resource('a') }],
      [{ eventType: EventType.CREATED, resource: resource('b') }, { eventType: EventType.BOOTSTRAPPED }],
      [{ eventType: EventType.NOOP }],
      [{ eventType: EventType.UPDATED, resource: resource('a', '3'), old: resource('a') }],
      [{ eventType: EventType.DESTROYED, resource: resource('b') }],
    ];
    seen.length = 0;
    expect(await read({ type: 'Members.cluster.talos.dev' })).toEqual({
      outline: ['created a', 'created b', 'bootstrapped', 'updated a', 'destroyed b'],
      end: 'talos-connection-lost',
    });
    expect(seen).toEqual([
      { type: 'Members.cluster.talos.dev', namespace: 'n', id: undefined, apiVersion: 1, contents: true },
    ]);
  });

  test('of one resource says alike that this was all', async () => {
    events = [
      [{ eventType: EventType.DESTROYED, resource: resource('a', 'undefined') }],
      [{ eventType: EventType.CREATED, resource: resource('a') }],
    ];
    expect((await read({ type: 'Members.cluster.talos.dev', id: 'a' })).outline).toEqual(['bootstrapped', 'created a']);
    events = [
      [{ eventType: EventType.CREATED, resource: resource('a') }],
      [{ eventType: EventType.DESTROYED, resource: resource('a') }],
    ];
    expect((await read({ type: 'Members.cluster.talos.dev', id: 'a' })).outline).toEqual([
      'created a',
      'bootstrapped',
      'destroyed a',
    ]);
  });

  test('that the node ends with an error is to be made anew', async () => {
    events = [[{ eventType: EventType.ERRORED, error: 'buffer overrun' }]];
    expect(await read({ type: 'Members.cluster.talos.dev' })).toEqual({ outline: [], end: 'talos-watch-failed' });
  });
});
