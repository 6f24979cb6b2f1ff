import { create, fromBinary, toJson } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { ResourceDefinitionSpecSchema } from '../../../wire/gen/cosi/meta_pb.ts';
import {
  GetRequestSchema,
  ListRequestSchema,
  UpdateRequestSchema,
  WatchRequestSchema,
  type WatchResponse,
} from '../../../wire/gen/cosi/resource_pb.ts';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { GrpcStatus } from '../../grpc/status.ts';
import { aliasesOf, definitionOf } from './definitions.ts';
import { stateService } from './service.ts';
import { TwinState } from './store.ts';
import { typeRows } from './type-table.ts';

const admin = new Set(['os:admin']);
const reader = new Set(['os:reader']);
const type = 'HostnameStatuses.net.talos.dev';
const noon = new Date('2026-11-15T12:00:00.123Z');

type Given = { labels?: Record<string, string>; yaml?: string };

function stateWith(...ids: readonly string[]): TwinState {
  const state = new TwinState(() => noon);
  for (const id of ids) put(state, id);
  return state;
}

function put(state: TwinState, id: string, { labels = {}, yaml = 'a: b\n' }: Given = {}): void {
  state.set({ namespace: 'network', type, id, owner: 'network.Test', proto: new Uint8Array(), yaml, labels });
}

const refusal = (error: unknown): unknown => (error instanceof GrpcStatus ? [error.code, error.message] : error);

function refused(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return refusal(error);
  }
}

async function listed(
  state: TwinState,
  request: Omit<MessageInitShape<typeof ListRequestSchema>, '$typeName'>,
): Promise<unknown> {
  try {
    const found: string[] = [];
    const service = stateService(state, reader);
    const init = { namespace: 'network', type, ...request } as MessageInitShape<typeof ListRequestSchema>;
    for await (const { resource } of service.list(create(ListRequestSchema, init)))
      found.push(resource?.metadata?.id ?? '');
    return found;
  } catch (error) {
    return refusal(error);
  }
}

/** The messages of a watch as short texts, after some changes, until it has nothing more to say. */
async function watched(
  state: TwinState,
  request: Omit<MessageInitShape<typeof WatchRequestSchema>, '$typeName'>,
  ...changes: readonly (() => void)[]
): Promise<unknown> {
  const stop = new AbortController();
  const service = stateService(state, reader);
  const init = { namespace: 'network', type, apiVersion: 1, ...request } as MessageInitShape<typeof WatchRequestSchema>;
  const texts: string[] = [];
  let open = [...changes];
  const stream = service.watch(create(WatchRequestSchema, init), stop.signal)[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = stream.next();
      const first = await Promise.race([next, idle()]);
      if (first === 'idle') {
        const change = open.shift();
        if (change === undefined) stop.abort();
        else change();
      }
      const result = await next;
      if (result.done === true) return texts;
      texts.push(outline(result.value));
    }
  } catch (error) {
    return refusal(error);
  }
}

const idle = (): Promise<'idle'> => new Promise((resolve) => setImmediate(() => setImmediate(() => resolve('idle'))));

const names = ['CREATED', 'UPDATED', 'DESTROYED', 'BOOTSTRAPPED', 'ERRORED', 'NOOP'];

const outline = ({ event }: WatchResponse): string =>
  event
    .map(({ eventType, resource, old, bookmark, error }) =>
      [
        names[eventType],
        resource?.metadata?.id,
        resource?.metadata?.version,
        old === undefined ? '' : `was ${old.metadata?.version}`,
        bookmark === undefined ? '' : `@${Buffer.from(bookmark).readBigInt64BE(8)}`,
        error ?? '',
      ]
        .filter((word) => word !== '' && word !== undefined)
        .join(' '),
    )
    .join(' + ');

describe('reading', () => {
  test('a resource carries both encodings and its life; it is made before it is there', () => {
    const state = stateWith('hostname');
    const got = stateService(state, reader).get(
      create(GetRequestSchema, { namespace: 'network', type, id: 'hostname' }),
    );
    expect(got.resource).toMatchObject({
      metadata: {
        namespace: 'network',
        type,
        id: 'hostname',
        version: '1',
        owner: 'network.Test',
        phase: 'running',
        created: { seconds: 1794744000n, nanos: 123_186_266 },
        updated: { seconds: 1794744000n, nanos: 123_172_660 },
      },
      spec: { yamlSpec: 'a: b\n' },
    });
  });

  test('setting the same again changes nothing, other content makes a new version', () => {
    const state = stateWith('a');
    put(state, 'a');
    expect(state.get('network', type, 'a')?.version).toBe(1);
    put(state, 'a', { yaml: 'a: c\n' });
    put(state, 'a', { yaml: 'a: c\n', labels: { x: '1' } });
    expect(state.get('network', type, 'a')?.version).toBe(3);
    state.destroy(type, 'a');
    put(state, 'a');
    expect(state.get('network', type, 'a')?.version).toBe(1);
  });

  test.each<[string, { namespace: string; type: string; id: string }, ReadonlySet<string>, unknown]>([
    [
      'no such id',
      { namespace: 'network', type, id: 'x' },
      reader,
      [5, `resource ${type}(network/x@undefined) doesn't exist`],
    ],
    [
      'elsewhere',
      { namespace: 'k8s', type, id: 'hostname' },
      reader,
      [5, `resource ${type}(k8s/hostname@undefined) doesn't exist`],
    ],
    [
      'unknown type',
      { namespace: 'network', type: 'Nope.talos.dev', id: 'x' },
      admin,
      [7, 'resource type "Nope.talos.dev" is not supported'],
    ],
    [
      'alias',
      { namespace: 'runtime', type: 'version', id: 'version' },
      admin,
      [7, 'resource type "version" is not supported'],
    ],
    ['unknown namespace', { namespace: 'nope', type, id: 'x' }, admin, [7, 'namespace "nope" is not supported']],
    ['no namespace', { namespace: '', type, id: 'x' }, admin, [7, 'namespace "" is not supported']],
    [
      'sensitive',
      { namespace: 'config', type: 'MachineConfigs.config.talos.dev', id: 'v1alpha1' },
      reader,
      [7, 'not authorized'],
    ],
    ['no role', { namespace: 'network', type, id: 'hostname' }, new Set(['os:etcd:backup']), [7, 'not authorized']],
    [
      'sensitive, for an admin',
      { namespace: 'config', type: 'MachineConfigs.config.talos.dev', id: 'v1alpha1' },
      admin,
      [5, "resource MachineConfigs.config.talos.dev(config/v1alpha1@undefined) doesn't exist"],
    ],
  ])('%s', (_, request, roles, answer) => {
    const service = stateService(stateWith('hostname'), roles);
    expect(refused(() => service.get(create(GetRequestSchema, request)))).toEqual(answer);
  });

  test('writing is refused before anything is looked at', () => {
    const state = stateWith();
    const update = create(UpdateRequestSchema);
    const asks = (roles: ReadonlySet<string>): unknown[] => {
      const service = stateService(state, roles);
      return [
        refused(() => service.create()),
        refused(() => service.destroy()),
        refused(() => service.update(update)),
        refused(() => service.update(create(UpdateRequestSchema, { options: {} }))),
      ];
    };
    const never = [7, 'not authorized'];
    const notAllowed = [7, 'write access is not allowed'];
    expect(asks(reader)).toEqual([never, never, never, never]);
    expect(asks(admin)).toEqual([
      notAllowed,
      notAllowed,
      [13, 'runtime error: invalid memory address or nil pointer dereference'],
      notAllowed,
    ]);
  });
});

describe('lists', () => {
  const state = stateWith('lo', 'eth0', 'eth1');
  put(state, 'eth0', { labels: { size: '4GiB', role: 'a' } });
  put(state, 'eth1', { labels: { size: '4 G', role: 'b' } });
  const terms = (...all: readonly object[]): object => ({ options: { labelQuery: [{ terms: all }] } });

  test.each<[string, object, unknown]>([
    ['sorted by id', {}, ['eth0', 'eth1', 'lo']],
    ['nothing there', { type: 'Disks.block.talos.dev', namespace: 'runtime' }, []],
    ['by id', { options: { idQuery: { regexp: '^eth' } } }, ['eth0', 'eth1']],
    ['by id, flags first', { options: { idQuery: { regexp: '(?i)^LO$' } } }, ['lo']],
    [
      'a pattern that is none',
      { options: { idQuery: { regexp: '(' } } },
      [3, 'failed to compile regexp: error parsing regexp: missing closing ): `(`'],
    ],
    ['label exists', terms({ key: 'size' }), ['eth0', 'eth1']],
    ['label missing', terms({ key: 'size', op: 2 }), ['lo']],
    ['label missing, inverted', terms({ key: 'size', invert: true }), ['lo']],
    ['equal', terms({ key: 'role', op: 1, value: ['a'] }), ['eth0']],
    ['not equal', terms({ key: 'role', op: 1, value: ['a'], invert: true }), ['eth1', 'lo']],
    ['one of', terms({ key: 'role', op: 3, value: ['b', 'c'] }), ['eth1']],
    ['less, as text', terms({ key: 'role', op: 4, value: ['b'] }), ['eth0']],
    ['less or equal', terms({ key: 'role', op: 5, value: ['b'] }), ['eth0', 'eth1']],
    ['less, as number', terms({ key: 'size', op: 6, value: ['4Gi'] }), ['eth1']],
    [
      'not less, as number: only what can be compared',
      terms({ key: 'size', op: 6, value: ['4Gi'], invert: true }),
      ['eth0'],
    ],
    ['less or equal, as number', terms({ key: 'size', op: 7, value: ['4Gi'] }), ['eth0', 'eth1']],
    ['both terms', terms({ key: 'size' }, { key: 'role', op: 1, value: ['b'] }), ['eth1']],
  ])('%s', async (_, request, answer) => {
    expect(await listed(state, request)).toEqual(answer);
  });
});

describe('watches', () => {
  test('one resource: how it is, then every change with what was before', async () => {
    const state = stateWith('a');
    expect(
      await watched(
        state,
        { id: 'a' },
        () => put(state, 'a', { yaml: 'a: 2\n' }),
        () => {
          put(state, 'b');
          state.destroy(type, 'a');
        },
      ),
    ).toEqual(['', 'CREATED a 1', 'UPDATED a 2 was 1 @1', 'DESTROYED a 2 @3']);
  });

  test('one resource that is not there yet', async () => {
    const state = stateWith();
    expect(await watched(state, { id: 'a' }, () => put(state, 'a'))).toEqual([
      '',
      'DESTROYED a undefined',
      'CREATED a 1 @0',
    ]);
  });

  const bootstrap = { options: { bootstrapContents: true } };

  test.each<[string, object, unknown]>([
    ['a kind, without its contents', {}, ['']],
    ['a kind', bootstrap, ['', 'CREATED a 1', 'CREATED b 1', 'BOOTSTRAPPED undefined @1']],
    ['a kind, for old callers', { ...bootstrap, apiVersion: 0 }, ['', 'CREATED a 1', 'CREATED b 1']],
    [
      'a kind, in one message',
      { options: { bootstrapContents: true, aggregated: true } },
      ['', 'CREATED a 1 + CREATED b 1 + BOOTSTRAPPED undefined @1'],
    ],
    ['a bookmark to begin with', { options: { bootstrapBookmark: true } }, ['', 'NOOP undefined @1']],
    ['the last event', { options: { tailEvents: 1 } }, ['', 'CREATED b 1 @1']],
    ['more events than there were', { options: { tailEvents: 9 } }, ['', 'CREATED a 1 @0', 'CREATED b 1 @1']],
    ['the last event of one', { id: 'a', options: { tailEvents: 1 } }, ['', 'CREATED a 1 @0']],
    [
      'by id',
      { options: { bootstrapContents: true, idQuery: { regexp: 'b' } } },
      ['', 'CREATED b 1', 'BOOTSTRAPPED undefined @1'],
    ],
    ['no bookmark', { options: { startFromBookmark: new Uint8Array(3) } }, [9, 'invalid watch bookmark']],
    ['contents of one', { id: 'a', ...bootstrap }, [12, 'bootstrap contents is not implemented for resource watch']],
    [
      'labels of one',
      { id: 'a', options: { labelQuery: [{ terms: [{ key: 'x' }] }] } },
      [12, 'label query is not implemented for resource watch'],
    ],
    [
      'contents and a tail',
      { options: { bootstrapContents: true, tailEvents: 3 } },
      [2, 'cannot use BootstrapContents with TailEvents and StartFromBookmark options'],
    ],
    ['unknown type', { type: 'Nope.talos.dev' }, [7, 'resource type "Nope.talos.dev" is not supported']],
  ])('%s', async (_, request, answer) => {
    expect(await watched(stateWith('a', 'b'), request)).toEqual(answer);
  });

  test('a change into the query is a creation, a change out of it a destruction', async () => {
    const state = stateWith('a');
    const options = { labelQuery: [{ terms: [{ key: 'x' }] }] };
    expect(
      await watched(
        state,
        { options },
        () => put(state, 'a', { labels: { x: '1' } }),
        () => put(state, 'a', { labels: { x: '2' } }),
        () => put(state, 'a'),
      ),
    ).toEqual(['', 'CREATED a 2 @1', 'UPDATED a 3 was 2 @2', 'DESTROYED a 4 @3']);
  });

  test('a watch goes on from a bookmark as long as the history reaches back', async () => {
    const state = stateWith('a');
    const [, , marked] = await bookmarks(state);
    for (const yaml of ['b: 1\n', 'b: 2\n']) put(state, 'a', { yaml });
    const resume = { options: { startFromBookmark: marked } } as Parameters<typeof watched>[1];
    expect(await watched(state, resume)).toEqual(['', 'UPDATED a 2 was 1 @1', 'UPDATED a 3 was 2 @2']);
    for (let round = 0; round < 1100; round++) put(state, 'a', { yaml: `c: ${round}\n` });
    expect(await watched(state, resume)).toEqual([9, 'invalid watch bookmark']);
  });
});

async function bookmarks(state: TwinState): Promise<readonly (Uint8Array | undefined)[]> {
  const stop = new AbortController();
  const request = create(WatchRequestSchema, {
    namespace: 'network',
    type,
    apiVersion: 1,
    options: { bootstrapContents: true },
  });
  const found: (Uint8Array | undefined)[] = [];
  for await (const { event } of stateService(state, reader).watch(request, stop.signal)) {
    found.push(event[0]?.bookmark);
    if (found.length === 3) stop.abort();
  }
  return found;
}

describe('definitions', () => {
  test('every type is declared, with the aliases that talosctl looks for', async () => {
    const state = stateWith();
    const found = await listed(state, { namespace: 'meta', type: 'ResourceDefinitions.meta.cosi.dev' });
    expect(found).toHaveLength(167);
    const got = stateService(state, reader).get(
      create(GetRequestSchema, {
        namespace: 'meta',
        type: 'ResourceDefinitions.meta.cosi.dev',
        id: 'nodeaddresses.net.talos.dev',
      }),
    );
    const spec = fromBinary(ResourceDefinitionSpecSchema, got.resource?.spec?.protoSpec ?? new Uint8Array());
    expect(toJson(ResourceDefinitionSpecSchema, spec)).toEqual({
      resourceType: 'NodeAddresses.net.talos.dev',
      displayType: 'NodeAddress',
      defaultNamespace: 'network',
      aliases: ['nodeaddress', 'na', 'nas'],
      allAliases: ['nodeaddresses', 'nodeaddresses.net', 'nodeaddresses.net.talos', 'nodeaddress', 'na', 'nas'],
      printColumns: [
        { name: 'Addresses', jsonPath: '{.addresses}' },
        { name: 'SortAlgorithm', jsonPath: '{.sortAlgorithm}' },
      ],
    });
    expect(got.resource?.spec?.yamlSpec).toBe(`type: NodeAddresses.net.talos.dev
displayType: NodeAddress
defaultNamespace: network
aliases:
    - nodeaddress
    - na
    - nas
allAliases:
    - nodeaddresses
    - nodeaddresses.net
    - nodeaddresses.net.talos
    - nodeaddress
    - na
    - nas
printColumns:
    - name: Addresses
      jsonPath: '{.addresses}'
    - name: SortAlgorithm
      jsonPath: '{.sortAlgorithm}'
`);
  });

  test('35 types are for admins', () => {
    expect(typeRows.filter((row) => row.sensitive === true)).toHaveLength(35);
  });

  test.each([
    ['members', 'Members.cluster.talos.dev'],
    ['addresses', 'AddressStatuses.net.talos.dev'],
    ['machinestatus', 'MachineStatuses.runtime.talos.dev'],
    ['services', 'Services.v1alpha1.talos.dev'],
    ['disks', 'Disks.block.talos.dev'],
    ['links', 'LinkStatuses.net.talos.dev'],
    ['mc', 'MachineConfigs.config.talos.dev'],
    ['rd', 'ResourceDefinitions.meta.cosi.dev'],
  ])('%s', (alias, wanted) => {
    expect(typeRows.filter((row) => aliasesOf(row).all.includes(alias)).map((row) => row.type)).toEqual([wanted]);
    expect(definitionOf(wanted.toUpperCase())?.type).toBe(wanted);
  });
});
