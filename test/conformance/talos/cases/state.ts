import { expect } from 'vitest';
import type { JsonObject } from '@bufbuild/protobuf';
import { answers, type Case, type Expected, notAuthorized } from '../case.ts';

const stage = 'maintenance';
const at = 'maintenance';
const version = { namespace: 'runtime', type: 'Versions.runtime.talos.dev' };
const hostname = { namespace: 'network', type: 'HostnameStatuses.net.talos.dev' };
const links = { namespace: 'network', type: 'LinkStatuses.net.talos.dev' };
const configs = { namespace: 'config', type: 'MachineConfigs.config.talos.dev' };

const denied = (message: string): Expected => ({ code: 'PERMISSION_DENIED', message, messages: [] });

const refusals: readonly (readonly [string, string, JsonObject, Expected])[] = [
  ['Get of an id that is not there', 'State/Get', { ...version, id: 'nope' }, missing('runtime/nope')],
  [
    'Get in another namespace',
    'State/Get',
    { ...version, namespace: 'network', id: 'version' },
    missing('network/version'),
  ],
  [
    'Get of an unknown type',
    'State/Get',
    { namespace: 'runtime', type: 'Nope.talos.dev', id: 'x' },
    unsupported('Nope.talos.dev'),
  ],
  [
    'List of an unknown type',
    'State/List',
    { namespace: 'runtime', type: 'Nope.talos.dev' },
    unsupported('Nope.talos.dev'),
  ],
  [
    'Watch of an unknown type',
    'State/Watch',
    { namespace: 'runtime', type: 'Nope.talos.dev' },
    unsupported('Nope.talos.dev'),
  ],
  ['Get by an alias', 'State/Get', { namespace: 'runtime', type: 'version', id: 'version' }, unsupported('version')],
  [
    'Get in an unknown namespace',
    'State/Get',
    { ...version, namespace: 'nope', id: 'version' },
    denied('namespace "nope" is not supported'),
  ],
  [
    'List in an unknown namespace',
    'State/List',
    { ...version, namespace: 'nope' },
    denied('namespace "nope" is not supported'),
  ],
  ['List without a namespace', 'State/List', { type: version.type }, denied('namespace "" is not supported')],
  ['Get of a secret', 'State/Get', { ...configs, id: 'v1alpha1' }, notAuthorized],
  ['List of secrets', 'State/List', configs, notAuthorized],
  ['Watch of secrets', 'State/Watch', { ...configs, options: { bootstrapContents: true } }, notAuthorized],
  [
    'a regular expression that is none',
    'State/List',
    { ...links, options: { idQuery: { regexp: '(' } } },
    {
      code: 'INVALID_ARGUMENT',
      message: 'failed to compile regexp: error parsing regexp: missing closing ): `(`',
      messages: [],
    },
  ],
  [
    'Watch of one with contents',
    'State/Watch',
    { ...version, id: 'version', options: { bootstrapContents: true } },
    { code: 'UNIMPLEMENTED', message: 'bootstrap contents is not implemented for resource watch', messages: [] },
  ],
  [
    'Watch of one by labels',
    'State/Watch',
    { ...version, id: 'version', options: { labelQuery: [{ terms: [{ key: 'a', op: 'EXISTS' }] }] } },
    { code: 'UNIMPLEMENTED', message: 'label query is not implemented for resource watch', messages: [] },
  ],
  [
    'Watch from a bookmark that is none',
    'State/Watch',
    { ...hostname, options: { startFromBookmark: 'bm9wZQ==' } },
    { code: 'FAILED_PRECONDITION', message: 'invalid watch bookmark', messages: [] },
  ],
  [
    'Watch with contents and a tail',
    'State/Watch',
    { ...hostname, options: { bootstrapContents: true, tailEvents: 1 } },
    {
      code: 'UNKNOWN',
      message: 'cannot use BootstrapContents with TailEvents and StartFromBookmark options',
      messages: [],
    },
  ],
];

function missing(what: string): Expected {
  return { code: 'NOT_FOUND', message: `resource ${version.type}(${what}@undefined) doesn't exist`, messages: [] };
}

function unsupported(type: string): Expected {
  return denied(`resource type "${type}" is not supported`);
}

export type Told = {
  readonly resource?: {
    readonly metadata: {
      readonly id?: string;
      readonly version: string;
      readonly phase: string;
      readonly owner?: string;
    };
    readonly spec: { readonly protoSpec?: string; readonly yamlSpec?: string };
  };
  readonly old?: unknown;
  readonly eventType?: string;
  readonly bookmark?: string;
};

/** Events of a watch, message by message, as a reader would tell them. */
export const outline = (messages: readonly unknown[]): readonly string[] =>
  (messages as { event?: Told[] }[]).map(({ event = [] }) =>
    event
      .map(({ resource, eventType = 'CREATED', bookmark, old }) =>
        [
          eventType,
          resource?.metadata.id ?? '-',
          bookmark === undefined ? '' : 'bookmarked',
          old === undefined ? '' : 'with old',
        ]
          .filter((word) => word !== '')
          .join(' '),
      )
      .join(', '),
  );

const watch = (name: string, request: JsonObject, take: number, expected: readonly string[]): Case => ({
  stage,
  name: `state: ${name}`,
  run: async ({ call, target }) => {
    // One more than told, so that something superfluous would be seen.
    const { messages } = await call(at, 'State/Watch', request, { take: take + 1, waitMs: target.patienceMs });
    expect(outline(messages)).toEqual(expected);
  },
});

export const stateCases: readonly Case[] = [
  ...refusals.map(([name, method, request, expected]) =>
    answers(`state: ${name}`, { stage, at, method, request }, expected),
  ),
  watch('a watch of one that is there', { ...version, id: 'version', apiVersion: 1 }, 2, ['', 'CREATED version']),
  watch('a watch of one that is not there', { ...version, id: 'nope', apiVersion: 1 }, 2, ['', 'DESTROYED nope']),
  watch('a watch of all with contents', { ...hostname, options: { bootstrapContents: true }, apiVersion: 1 }, 3, [
    '',
    'CREATED hostname',
    'BOOTSTRAPPED - bookmarked',
  ]),
  watch(
    'an old watcher is not told the end of the contents',
    { ...hostname, options: { bootstrapContents: true } },
    2,
    ['', 'CREATED hostname'],
  ),
  watch('a watch of all without contents', { ...hostname, apiVersion: 1 }, 1, ['']),
  watch('a watch for a bookmark', { ...hostname, options: { bootstrapBookmark: true }, apiVersion: 1 }, 2, [
    '',
    'NOOP - bookmarked',
  ]),
  watch(
    'a watch of all in one message',
    { ...hostname, options: { bootstrapContents: true, aggregated: true }, apiVersion: 1 },
    2,
    ['', 'CREATED hostname, BOOTSTRAPPED - bookmarked'],
  ),
  {
    stage,
    name: 'state: a resource comes in both encodings, with who owns it',
    run: async ({ call }) => {
      const { code, messages } = await call(at, 'State/Get', { ...version, id: 'version' });
      expect({ code, messages }).toEqual({
        code: 'OK',
        messages: [
          {
            resource: {
              metadata: {
                ...version,
                id: 'version',
                version: '1',
                owner: 'runtime.VersionController',
                phase: 'running',
                created: expect.any(String) as string,
                updated: expect.any(String) as string,
              },
              spec: { protoSpec: expect.any(String) as string, yamlSpec: 'name: Talos\nversion: v1.13.9\n' },
            },
          },
        ],
      });
    },
  },
  {
    stage,
    name: 'state: a missing one is told with an empty spec and no version',
    run: async ({ call }) => {
      const { messages } = await call(at, 'State/Watch', { ...version, id: 'nope', apiVersion: 1 }, { take: 2 });
      const told = (messages[1] as { event: Told[] }).event[0];
      expect({ ...told?.resource, metadata: { ...told?.resource?.metadata } }).toMatchObject({
        metadata: { id: 'nope', version: 'undefined', phase: 'running' },
        spec: {},
      });
    },
  },
  {
    stage,
    name: 'state: links are listed by name',
    run: async ({ call }) => {
      const { messages } = await call(at, 'State/List', links);
      const ids = (messages as { resource: { metadata: { id: string } } }[]).map(
        ({ resource }) => resource.metadata.id,
      );
      expect(ids).toEqual(ids.toSorted());
      expect(ids).toContain('lo');
    },
  },
  {
    stage,
    name: 'state: a list by a pattern of ids',
    run: async ({ call }) => {
      const { messages } = await call(at, 'State/List', { ...links, options: { idQuery: { regexp: '^lo$' } } });
      expect((messages as { resource: { metadata: { id: string } } }[]).map((one) => one.resource.metadata.id)).toEqual(
        ['lo'],
      );
    },
  },
  answers(
    'state: a list by a label that nobody has',
    {
      stage,
      at,
      method: 'State/List',
      request: { ...links, options: { labelQuery: [{ terms: [{ key: 'nope', op: 'EXISTS' }] }] } },
    },
    { code: 'OK', messages: [] },
  ),
  {
    stage,
    name: 'state: the machine is in maintenance, ready, and nothing is unmet',
    run: async ({ call }) => {
      const request = { namespace: 'runtime', type: 'MachineStatuses.runtime.talos.dev', id: 'machine' };
      const { messages } = await call(at, 'State/Get', request);
      expect((messages[0] as { resource: { spec: { yamlSpec: string } } }).resource.spec.yamlSpec).toBe(
        'stage: maintenance\nstatus:\n    ready: true\n    unmetConditions: []\n',
      );
    },
  },
  {
    stage,
    name: 'state: the machine has no type yet',
    run: async ({ call }) => {
      const { messages } = await call(at, 'State/List', { namespace: 'config', type: 'MachineTypes.config.talos.dev' });
      expect((messages as { resource: Told['resource'] }[]).map(({ resource }) => resource?.spec)).toEqual([
        { yamlSpec: 'unknown\n' },
      ]);
    },
  },
  {
    stage,
    name: 'state: namespaces',
    run: async ({ call }) => {
      const { messages } = await call(at, 'State/List', { namespace: 'meta', type: 'Namespaces.meta.cosi.dev' });
      expect((messages as { resource: { metadata: { id: string } } }[]).map((one) => one.resource.metadata.id)).toEqual(
        [
          'cluster',
          'cluster-raw',
          'config',
          'controlplane',
          'cri',
          'etcd',
          'files',
          'hardware',
          'k8s',
          'kubespan',
          'meta',
          'network',
          'network-config',
          'perf',
          'runtime',
          'secrets',
          'security',
        ],
      );
    },
  },
];
