import { expect } from 'vitest';
import type { JsonValue } from '@bufbuild/protobuf';
import type { Case } from '../case.ts';
import type { Target } from '../world.ts';

type Routed = {
  readonly name: string;
  readonly method?: string;
  readonly request?: Record<string, JsonValue>;
  readonly as?: 'reader';
  readonly metadata: (target: Target) => Record<string, string | string[]>;
  readonly expected: (target: Target) => { code: string; message?: string | RegExp; messages?: readonly JsonValue[] };
};

const one = (...messages: JsonValue[]): JsonValue[] => [{ messages }];
const hostnameOf = (place: { name: string; address: string }): JsonValue => ({
  metadata: { hostname: place.address },
  hostname: place.name,
});

const routed: readonly Routed[] = [
  {
    name: 'no routing: one item without metadata',
    metadata: () => ({}),
    expected: ({ controlPlane }) => ({ code: 'OK', messages: one({ hostname: controlPlane.name }) }),
  },
  {
    name: 'node: the other node answers, without metadata',
    metadata: ({ worker }) => ({ node: worker.address }),
    expected: ({ worker }) => ({ code: 'OK', messages: one({ hostname: worker.name }) }),
  },
  {
    name: 'node: the node itself',
    metadata: ({ controlPlane }) => ({ node: controlPlane.address }),
    expected: ({ controlPlane }) => ({ code: 'OK', messages: one({ hostname: controlPlane.name }) }),
  },
  {
    name: 'node: only one value',
    metadata: ({ worker, controlPlane }) => ({ node: [worker.address, controlPlane.address] }),
    expected: () => ({ code: 'INVALID_ARGUMENT', message: 'node metadata must be single-valued', messages: [] }),
  },
  {
    name: 'node: nobody there',
    metadata: ({ nobody }) => ({ node: nobody }),
    expected: () => ({
      code: 'UNAVAILABLE',
      message: /^connection error: desc = "transport: Error while dialing: dial tcp /,
    }),
  },
  {
    name: 'node: no port is allowed',
    metadata: ({ worker }) => ({ node: `${worker.address}:50000` }),
    expected: ({ worker }) => ({ code: 'INTERNAL', message: `invalid target "${worker.address}:50000"`, messages: [] }),
  },
  {
    name: 'node: an empty target',
    metadata: () => ({ node: '' }),
    expected: () => ({ code: 'INTERNAL', message: 'invalid target ""', messages: [] }),
  },
  {
    name: 'nodes: one, with the target as it was written',
    metadata: ({ worker }) => ({ nodes: worker.address }),
    expected: ({ worker }) => ({ code: 'OK', messages: one(hostnameOf(worker)) }),
  },
  {
    name: 'nodes: the node itself has metadata too',
    metadata: ({ controlPlane }) => ({ nodes: controlPlane.address }),
    expected: ({ controlPlane }) => ({ code: 'OK', messages: one(hostnameOf(controlPlane)) }),
  },
  {
    name: 'nodes: no port is allowed',
    metadata: ({ worker }) => ({ nodes: `${worker.address}:50000` }),
    expected: ({ worker }) => ({ code: 'INTERNAL', message: `invalid target "${worker.address}:50000"`, messages: [] }),
  },
  {
    name: 'nodes: an error of one target is an item, and the call is OK',
    method: 'Kubeconfig',
    metadata: ({ worker }) => ({ nodes: worker.address }),
    expected: ({ worker }) => ({
      code: 'OK',
      messages: [
        {
          metadata: {
            hostname: worker.address,
            error: 'rpc error: code = Unimplemented desc = kubeconfig is only available on control plane nodes',
            status: { code: 12, message: 'kubeconfig is only available on control plane nodes' },
          },
        },
      ],
    }),
  },
  {
    name: 'nodes: an error of a unary call is an item',
    method: 'EtcdMemberList',
    metadata: ({ worker }) => ({ nodes: worker.address }),
    expected: ({ worker }) => ({
      code: 'OK',
      messages: one({
        metadata: {
          hostname: worker.address,
          error: 'rpc error: code = Unimplemented desc = member list is only available on control plane nodes',
          status: { code: 12, message: 'member list is only available on control plane nodes' },
        },
      }),
    }),
  },
  {
    name: 'nodes: a missing right is an item',
    method: 'Reboot',
    as: 'reader',
    metadata: ({ controlPlane }) => ({ nodes: controlPlane.address }),
    expected: ({ controlPlane }) => ({
      code: 'OK',
      messages: one({
        metadata: {
          hostname: controlPlane.address,
          error: 'rpc error: code = PermissionDenied desc = not authorized',
          status: { code: 7, message: 'not authorized' },
        },
      }),
    }),
  },
  {
    name: 'node: the role of the caller counts on the target',
    method: 'Reboot',
    as: 'reader',
    metadata: ({ worker }) => ({ node: worker.address }),
    expected: () => ({ code: 'PERMISSION_DENIED', message: 'not authorized', messages: [] }),
  },
  {
    name: 'nodes: not for the state',
    method: 'State/Get',
    request: { namespace: 'runtime', type: 'Versions.runtime.talos.dev', id: 'version' },
    metadata: ({ worker }) => ({ nodes: worker.address }),
    expected: () => ({
      code: 'INVALID_ARGUMENT',
      message: 'one-2-many proxying is not supported for method /cosi.resource.State/Get',
      messages: [],
    }),
  },
  {
    name: 'nodes: not for images',
    method: 'ImageService/List',
    metadata: ({ worker }) => ({ nodes: worker.address }),
    expected: () => ({
      code: 'INVALID_ARGUMENT',
      message: 'one-2-many proxying is not supported for method /machine.ImageService/List',
      messages: [],
    }),
  },
  {
    name: 'both: nodes wins',
    metadata: ({ worker, controlPlane }) => ({ node: controlPlane.address, nodes: worker.address }),
    expected: ({ worker }) => ({ code: 'OK', messages: one(hostnameOf(worker)) }),
  },
  {
    name: 'proxyfrom: everything is local, without metadata',
    metadata: ({ worker }) => ({ proxyfrom: 'x', node: worker.address, nodes: worker.address }),
    expected: ({ controlPlane }) => ({ code: 'OK', messages: one({ hostname: controlPlane.name }) }),
  },
];

export const proxyCases: readonly Case[] = [
  ...routed.map(({ name, method = 'Hostname', request = {}, as, metadata, expected }): Case => ({
    stage: 'configured',
    name: `proxy: ${name}`,
    run: async ({ call, target }) => {
      const options = { metadata: metadata(target), ...(as === undefined ? {} : { as }) };
      const { code, message, messages } = await call('controlPlane', method, request, options);
      const wanted = expected(target);
      const words = wanted.message ?? '';
      expect({ code, message, messages }).toEqual({
        code: wanted.code,
        message: typeof words === 'string' ? words : (expect.stringMatching(words) as string),
        messages: wanted.messages ?? [],
      });
    },
  })),
  {
    stage: 'configured',
    name: 'proxy: nodes: several answer, in the order of their arrival',
    run: async ({ call, target }) => {
      const { controlPlane, worker } = target;
      const metadata = { nodes: [worker.address, controlPlane.address] };
      const { messages } = await call('controlPlane', 'Hostname', {}, { metadata });
      const [{ messages: items }] = messages as [{ messages: JsonValue[] }];
      expect(items).toHaveLength(2);
      expect(items).toEqual(expect.arrayContaining([hostnameOf(controlPlane), hostnameOf(worker)]));
    },
  },
  {
    stage: 'configured',
    name: 'proxy: nodes: nobody there is an item beside the others',
    run: async ({ call, target }) => {
      const { controlPlane, nobody } = target;
      const { code, messages } = await call(
        'controlPlane',
        'Hostname',
        {},
        { metadata: { nodes: [nobody, controlPlane.address] } },
      );
      const [{ messages: items }] = messages as [
        { messages: { metadata: { hostname: string; error?: string; status?: { code: number } } }[] },
      ];
      expect(code).toBe('OK');
      expect(
        items
          .map(({ metadata }) => ({ of: metadata.hostname, code: metadata.status?.code }))
          .toSorted((a, b) => a.of.localeCompare(b.of)),
      ).toEqual(
        [
          { of: controlPlane.address, code: undefined },
          { of: nobody, code: 14 },
        ].toSorted((a, b) => a.of.localeCompare(b.of)),
      );
    },
  },
  {
    stage: 'configured',
    name: 'proxy: nodes: every item of a stream says where it is from',
    run: async ({ call, target }) => {
      const { messages } = await call(
        'controlPlane',
        'List',
        { root: '/system' },
        { metadata: { nodes: target.worker.address } },
      );
      const from = (messages as { metadata?: { hostname: string } }[]).map(({ metadata }) => metadata?.hostname);
      expect(new Set(from)).toEqual(new Set([target.worker.address]));
    },
  },
];
