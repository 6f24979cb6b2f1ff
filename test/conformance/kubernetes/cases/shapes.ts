import { expect } from 'vitest';
import { holds, type Chapter } from '../case.ts';
import { configMap, deployment, pod, service } from '../objects.ts';
import type { World } from '../world.ts';

type Table = {
  readonly kind: string;
  readonly columnDefinitions: readonly { readonly name: string; readonly type: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object?: { readonly kind: string } }[];
};

const asTable = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json' } as const;
const table = async ({ ask }: World, call: string): Promise<Table> =>
  (await ask(`GET ${call}`, undefined, asTable)).body as Table;
const age = expect.stringMatching(/^\d+s$/) as unknown;

const columns = (
  what: string,
  call: string,
  wanted: readonly string[],
  wide: readonly string[] = [],
): ReturnType<typeof holds> =>
  holds(`columns of ${what}`, async (world) => {
    const { columnDefinitions } = await table(world, call);
    expect(columnDefinitions.map(({ name, priority }) => (priority === 0 ? name : `(${name})`))).toEqual([
      ...wanted,
      ...wide.map((name) => `(${name})`),
    ]);
  });

export const tables: Chapter = {
  title: 'tables',
  cases: [
    holds('a list of objects as rows, each with its metadata', async (world) => {
      await world.make('configmaps', configMap('a', { one: '1', two: '2' }));
      const { kind, columnDefinitions, rows } = await table(world, 'configmaps?fieldSelector=metadata.name%3Da');
      expect({ kind, columns: columnDefinitions.map(({ name, type }) => [name, type]) }).toEqual({
        kind: 'Table',
        columns: [
          ['Name', 'string'],
          ['Data', 'string'],
          ['Age', 'string'],
        ],
      });
      expect(rows).toMatchObject([
        { cells: ['a', 2, age], object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } } },
      ]);
    }),
    holds('one object as a row', async (world) => {
      await world.make('configmaps', configMap('a'));
      expect((await table(world, 'configmaps/a')).rows).toMatchObject([{ cells: ['a', 0, age] }]);
    }),
    holds('rows may come without objects', async (world) => {
      await world.make('configmaps', configMap('a'));
      expect((await table(world, 'configmaps/a?includeObject=None')).rows).toEqual([
        { cells: ['a', 0, age], object: null },
      ]);
    }),
    holds('rows may come with the whole objects', async (world) => {
      await world.make('configmaps', configMap('a', { one: '1' }));
      expect((await table(world, 'configmaps/a?includeObject=Object')).rows).toMatchObject([
        { object: { kind: 'ConfigMap', data: { one: '1' } } },
      ]);
    }),
    holds('a service', async (world) => {
      await world.make(
        'services',
        service('web', {
          type: 'NodePort',
          ports: [{ port: 80 }, { name: 'x', port: 81, protocol: 'UDP' }].map((each, index) => ({
            name: `p${index}`,
            ...each,
          })),
        }),
      );
      const { rows } = await table(world, 'services');
      expect(rows[0]?.cells).toEqual([
        'web',
        'NodePort',
        expect.stringMatching(/^10\.96\.\d+\.\d+$/),
        '<none>',
        expect.stringMatching(/^80:3\d{4}\/TCP,81:3\d{4}\/UDP$/),
        age,
        '<none>',
      ]);
    }),
    holds('a deployment', async (world) => {
      await world.make('apps/v1/deployments', deployment('web', { replicas: 0, paused: true }));
      expect((await table(world, 'apps/v1/deployments')).rows[0]?.cells).toEqual([
        'web',
        '0/0',
        0,
        0,
        age,
        'main',
        'pause',
        'app=web',
      ]);
    }),
    holds('a pod that waits', async (world) => {
      await world.make('pods', pod('a', { nodeName: 'n-{ns}' }));
      expect((await table(world, 'pods')).rows[0]?.cells).toEqual([
        'a',
        '0/1',
        'Pending',
        '0',
        age,
        '<none>',
        `n-${world.ns}`,
        '<none>',
        '<none>',
      ]);
    }),
    columns(
      'pods',
      'pods',
      ['Name', 'Ready', 'Status', 'Restarts', 'Age'],
      ['IP', 'Node', 'Nominated Node', 'Readiness Gates'],
    ),
    columns(
      'nodes',
      '/api/v1/nodes',
      ['Name', 'Status', 'Roles', 'Age', 'Version'],
      ['Internal-IP', 'External-IP', 'OS-Image', 'Kernel-Version', 'Container-Runtime'],
    ),
    columns('services', 'services', ['Name', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age'], ['Selector']),
    columns(
      'deployments',
      'apps/v1/deployments',
      ['Name', 'Ready', 'Up-to-date', 'Available', 'Age'],
      ['Containers', 'Images', 'Selector'],
    ),
    columns(
      'daemon sets',
      'apps/v1/daemonsets',
      ['Name', 'Desired', 'Current', 'Ready', 'Up-to-date', 'Available', 'Node Selector', 'Age'],
      ['Containers', 'Images', 'Selector'],
    ),
    columns('stateful sets', 'apps/v1/statefulsets', ['Name', 'Ready', 'Age'], ['Containers', 'Images']),
    columns(
      'jobs',
      'batch/v1/jobs',
      ['Name', 'Status', 'Completions', 'Duration', 'Age'],
      ['Containers', 'Images', 'Selector'],
    ),
    columns('secrets', 'secrets', ['Name', 'Type', 'Data', 'Age']),
    columns('namespaces', '/api/v1/namespaces', ['Name', 'Status', 'Age']),
    columns('events', 'events', [
      'Last Seen',
      'Type',
      'Reason',
      'Object',
      '(Subobject)',
      '(Source)',
      'Message',
      '(First Seen)',
      '(Count)',
      '(Name)',
    ]),
    columns('definitions', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', ['Name', 'Created At']),
    columns('disruption budgets', 'policy/v1/poddisruptionbudgets', [
      'Name',
      'Min Available',
      'Max Unavailable',
      'Allowed Disruptions',
      'Age',
    ]),
    columns('leases', 'coordination.k8s.io/v1/leases', ['Name', 'Holder', 'Age']),
  ],
};

export const discovery: Chapter = {
  title: 'discovery',
  cases: [
    holds('/api says which versions', async ({ ask }) => {
      expect((await ask('GET /api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    }),
    holds('/apis has the groups that people use', async ({ ask }) => {
      const { groups } = (await ask('GET /apis')).body as {
        groups: { name: string; preferredVersion: { version: string } }[];
      };
      const known = new Map(groups.map(({ name, preferredVersion }) => [name, preferredVersion.version]));
      const wanted = {
        apps: 'v1',
        batch: 'v1',
        policy: 'v1',
        'rbac.authorization.k8s.io': 'v1',
        'apiextensions.k8s.io': 'v1',
        'apiregistration.k8s.io': 'v1',
        'coordination.k8s.io': 'v1',
        'discovery.k8s.io': 'v1',
        'networking.k8s.io': 'v1',
        'storage.k8s.io': 'v1',
        'authentication.k8s.io': 'v1',
        'authorization.k8s.io': 'v1',
        'admissionregistration.k8s.io': 'v1',
        autoscaling: 'v2',
        'scheduling.k8s.io': 'v1',
        'certificates.k8s.io': 'v1',
        'node.k8s.io': 'v1',
        'events.k8s.io': 'v1',
      };
      expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, known.get(name)]))).toEqual(wanted);
    }),
    holds('resources of the core group', async ({ ask }) => {
      const { resources } = (await ask('GET /api/v1')).body as { resources: { name: string }[] };
      const { storageVersionHash: _hash, ...pods } = resources.find(({ name }) => name === 'pods') as Record<
        string,
        unknown
      >;
      expect(pods).toEqual({
        name: 'pods',
        singularName: 'pod',
        namespaced: true,
        kind: 'Pod',
        verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
        shortNames: ['po'],
        categories: ['all'],
      });
      for (const name of [
        'pods/eviction',
        'pods/log',
        'pods/status',
        'namespaces/finalize',
        'serviceaccounts/token',
        'nodes/status',
      ])
        expect(resources.map((each) => each.name)).toContain(name);
    }),
    holds('a subresource may be of another group', async ({ ask }) => {
      const { resources } = (await ask('GET /apis/apps/v1')).body as { resources: { name: string }[] };
      expect(resources.find(({ name }) => name === 'deployments/scale')).toEqual({
        name: 'deployments/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get', 'patch', 'update'],
      });
    }),
    holds('one group by its name', async ({ ask }) => {
      expect((await ask('GET /apis/policy')).body).toEqual({
        kind: 'APIGroup',
        apiVersion: 'v1',
        name: 'policy',
        versions: [{ groupVersion: 'policy/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'policy/v1', version: 'v1' },
      });
    }),
    holds('all of it in one answer, with a tag for what has not changed', async ({ ask }) => {
      const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
      const { body, headers } = await ask('GET /apis', undefined, { accept });
      const { kind, apiVersion, items } = body as {
        kind: string;
        apiVersion: string;
        items: {
          metadata: { name: string };
          versions: { version: string; freshness: string; resources: { resource: string }[] }[];
        }[];
      };
      expect({ kind, apiVersion }).toEqual({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
      const apps = items.find(({ metadata }) => metadata.name === 'apps');
      expect(apps?.versions.map(({ version, freshness }) => [version, freshness])).toEqual([['v1', 'Current']]);
      const daemons = apps?.versions[0]?.resources.find(({ resource }) => resource === 'daemonsets');
      expect(daemons).toEqual({
        resource: 'daemonsets',
        responseKind: { group: '', version: '', kind: 'DaemonSet' },
        scope: 'Namespaced',
        singularResource: 'daemonset',
        verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
        shortNames: ['ds'],
        categories: ['all'],
        subresources: [
          {
            subresource: 'status',
            responseKind: { group: '', version: '', kind: 'DaemonSet' },
            verbs: ['get', 'patch', 'update'],
          },
        ],
      });
      const again = await ask('GET /apis', undefined, { accept, headers: { 'if-none-match': headers.etag ?? '' } });
      expect(again.status).toBe(304);
    }),
    holds('OpenAPI v3 has a document for each version', async ({ ask }) => {
      const { body } = await ask('GET /openapi/v3');
      const { paths } = (typeof body === 'string' ? JSON.parse(body) : body) as {
        paths: Record<string, { serverRelativeURL: string }>;
      };
      const url = paths['apis/apps/v1']?.serverRelativeURL ?? '';
      expect(url).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]+$/);
      const document = (await ask(`GET ${url}`)).body as { components: { schemas: Record<string, object> } };
      expect(Object.keys(document.components.schemas)).toContain('io.k8s.api.apps.v1.Deployment');
    }),
  ],
};
