import { describe, expect, test } from 'vitest';
import {
  aggregatedList,
  aScriptedApi,
  configMap,
  patient,
  refusal,
  type Say,
} from '../../../../test/kubernetes/scripted.ts';
import { collect, told } from '../../../../test/talos/told.ts';

const all = '/api/v1/configmaps';
const query = { apiVersion: 'v1', kind: 'ConfigMap' };
const { apiVersion: _, kind: __, ...bare } = configMap('a');
const page = (names: readonly string[], token?: string): Say => ({
  body: {
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '9', ...(token === undefined ? {} : { continue: token, remainingItemCount: 1 }) },
    items: names.map((name) => ({ ...bare, metadata: { ...bare.metadata, name } })),
  },
});
const expired = refusal(410, 'Expired', 'The provided continue parameter is too old', {});

describe('a list', () => {
  test('is whole, however many pages it took, and every item says what it is', async () => {
    await using api = await aScriptedApi(({ path, query: { continue: token } }) =>
      path === all ? (token === undefined ? page(['a', 'b'], 't1') : page(['c'])) : undefined,
    );
    await using client = api.open();
    const list = await client.list(
      { ...query, labels: 'a=b,c', fields: 'metadata.name!=x' },
      { pageSize: 2, resourceVersion: '0' },
      patient,
    );
    expect(list.metadata).toEqual({ resourceVersion: '9' });
    expect(list.items.map(({ kind, apiVersion, metadata }) => [apiVersion, kind, metadata.name])).toEqual([
      ['v1', 'ConfigMap', 'a'],
      ['v1', 'ConfigMap', 'b'],
      ['v1', 'ConfigMap', 'c'],
    ]);
    const common = { labelSelector: 'a=b,c', fieldSelector: 'metadata.name!=x', limit: '2' };
    expect(api.asked.map((asked) => asked.query)).toEqual([
      { ...common, resourceVersion: '0' },
      { ...common, continue: 't1' },
    ]);
  });

  test('begins again when its moment is forgotten, and at last without pages', async () => {
    await using api = await aScriptedApi(({ path, query: { continue: token, limit } }) => {
      if (path !== all) return undefined;
      if (limit === undefined) return page(['a', 'b', 'c']);
      return token === undefined ? page(['a'], 't1') : expired;
    });
    await using client = api.open();
    const { items } = await client.list(query, { pageSize: 1 }, patient);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
    expect(api.asked.map((asked) => [asked.query['limit'], asked.query['continue']])).toEqual([
      ['1', undefined],
      ['1', 't1'],
      ['1', undefined],
      ['1', 't1'],
      ['1', undefined],
      ['1', 't1'],
      [undefined, undefined],
    ]);
  });
});

describe('an object', () => {
  test('that is not there is undefined; of a kind that is not there it is a problem', async () => {
    await using api = await aScriptedApi(() => undefined);
    await using client = api.open();
    expect(await client.get({ ...query, name: 'a' }, patient)).toBeUndefined();
    expect(await told(client.get({ apiVersion: 'apps/v1', kind: 'Deploymnt', name: 'a' }, patient))).toEqual({
      code: 'kubernetes-unknown-kind',
      recovery: 'ask',
      message: `127.0.0.1:${api.port} has no Deploymnt in apps/v1. Did you mean Deployment?`,
    });
    expect((await told(client.get({ apiVersion: 'v1', kind: 'Deployment', name: 'a' }, patient))).message).toBe(
      `127.0.0.1:${api.port} has no Deployment in v1. It has it in apps/v1.`,
    );
  });

  test('has a path by its scope, its namespace and its subresource', async () => {
    await using api = await aScriptedApi(() => undefined);
    await using client = api.open({}, { namespace: 'mine' });
    await client.get({ apiVersion: 'v1', kind: 'Node', name: 'n', namespace: 'ignored' }, patient);
    await client.get({ apiVersion: 'v1', kind: 'Pod', name: 'p' }, patient);
    await client.get(
      { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', namespace: 'x', subresource: 'scale' },
      patient,
    );
    expect(api.lines()).toEqual([
      'GET /api/v1/nodes/n',
      'GET /api/v1/namespaces/mine/pods/p',
      'GET /apis/apps/v1/namespaces/x/deployments/d/scale',
    ]);
  });
});

describe('what a server knows', () => {
  const widgets = {
    metadata: { name: 'acme.io' },
    versions: [
      {
        version: 'v1',
        freshness: 'Current',
        resources: [
          {
            resource: 'widgets',
            responseKind: { group: 'acme.io', version: 'v1', kind: 'Widget' },
            scope: 'Cluster',
            singularResource: 'widget',
            verbs: ['get'],
            shortNames: ['wd'],
            subresources: [
              {
                subresource: 'scale',
                responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                verbs: ['get'],
              },
            ],
          },
        ],
      },
    ],
  };

  test('is asked for once, and again for a kind that is not in it', async () => {
    let installed = false;
    const asked: unknown[] = [];
    await using api = await aScriptedApi(({ path, headers }) => {
      if (path === '/api' || path === '/apis') asked.push([path, headers['if-none-match']]);
      if (path === '/api' && headers['if-none-match'] === '"one"')
        return (response) => void response.writeHead(304).end();
      if (path === '/api') return { body: aggregatedList([]), headers: { etag: '"one"' } };
      if (path === '/apis') return { body: aggregatedList(installed ? [widgets] : []) };
      return path === '/apis/acme.io/v1/widgets/w' ? { body: { ...configMap('w'), kind: 'Widget' } } : undefined;
    });
    await using client = api.open();
    const widget = { apiVersion: 'acme.io/v1', kind: 'Widget', name: 'w' };
    expect((await told(client.get(widget, patient))).code).toBe('kubernetes-unknown-kind');
    installed = true;
    const found = await Promise.all(Array.from({ length: 5 }, () => client.get(widget, patient)));
    expect(found.map((object) => object?.kind)).toEqual(Array.from({ length: 5 }, () => 'Widget'));
    expect(asked).toEqual([
      ['/api', undefined],
      ['/apis', undefined],
      ['/api', '"one"'],
      ['/apis', undefined],
    ]);
    expect(await client.resources(patient)).toEqual([
      {
        name: 'widgets',
        singularName: 'widget',
        namespaced: false,
        kind: 'Widget',
        group: 'acme.io',
        version: 'v1',
        servedBy: 'acme.io/v1',
        verbs: ['get'],
        shortNames: ['wd'],
      },
      {
        name: 'widgets/scale',
        singularName: '',
        namespaced: false,
        kind: 'Scale',
        group: 'autoscaling',
        version: 'v1',
        servedBy: 'acme.io/v1',
        verbs: ['get'],
      },
    ]);
  });

  test('is forgotten when a path is gone that it told of', async () => {
    let installed = true;
    await using api = await aScriptedApi(({ path }) => {
      if (path === '/apis') return { body: aggregatedList(installed ? [widgets] : []) };
      return path.startsWith('/apis/acme.io')
        ? { status: 404, body: '404 page not found', headers: { 'content-type': 'text/plain' } }
        : undefined;
    });
    await using client = api.open();
    await client.resources(patient);
    installed = false;
    const lookup = client.get({ apiVersion: 'acme.io/v1', kind: 'Widget', name: 'w' }, patient);
    expect((await told(lookup)).message).toBe(`127.0.0.1:${api.port} has no Widget in acme.io/v1.`);
  });

  test('is collected bit by bit from a server that knows no better, without what does not answer', async () => {
    await using api = await aScriptedApi(({ path }) => {
      if (path === '/api') return { body: { kind: 'APIVersions', versions: ['v1'] } };
      if (path === '/apis') {
        const versions = (name: string) => [{ groupVersion: `${name}/v1`, version: 'v1' }];
        return {
          body: {
            kind: 'APIGroupList',
            groups: [
              { name: 'apps', versions: versions('apps') },
              { name: 'down', versions: versions('down') },
            ],
          },
        };
      }
      if (path === '/apis/down/v1') return { status: 503, body: 'no endpoints' };
      const resources =
        path === '/api/v1'
          ? [{ name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get'] }]
          : [{ name: 'deployments', singularName: 'deployment', namespaced: true, kind: 'Deployment', verbs: ['get'] }];
      if (path !== '/api/v1' && path !== '/apis/apps/v1') return undefined;
      return { body: { kind: 'APIResourceList', groupVersion: path.replace(/^\/apis?\//, ''), resources } };
    });
    await using client = api.open();
    expect((await client.resources(patient)).map(({ servedBy, kind }) => [servedBy, kind])).toEqual([
      ['v1', 'Pod'],
      ['apps/v1', 'Deployment'],
    ]);
    expect(await client.silent(patient)).toEqual(['down/v1']);
    expect(await told(client.get({ apiVersion: 'down/v1', kind: 'Thing', name: 'x' }, patient))).toEqual({
      code: 'kubernetes-unavailable',
      recovery: 'retry',
      message: `127.0.0.1:${api.port} does not say whether it has Thing in down/v1: whoever serves that does not answer.`,
    });
  });
});

describe('logs', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', name: 'p' };

  test('come line by line', async () => {
    await using api = await aScriptedApi(({ path }) =>
      path.endsWith('/p/log')
        ? (response) => {
            response.writeHead(200, { 'content-type': 'text/plain' });
            response.write('eins\nzw');
            response.end('ei\n\ndrei – 3');
          }
        : undefined,
    );
    await using client = api.open();
    const lines = await collect(client.logs(pod, { container: 'c', tailLines: 5, previous: false }, patient));
    expect(lines).toEqual(['eins', 'zwei', '', 'drei – 3']);
    expect(api.asked[0]?.query).toEqual({ container: 'c', tailLines: '5', previous: 'false' });
  });

  test('that break off are a problem', async () => {
    await using api = await aScriptedApi(({ path }) =>
      path.endsWith('/p/log')
        ? (response) => {
            response.writeHead(200, { 'content-type': 'text/plain' });
            response.write('eins\n', () => response.socket?.destroy());
          }
        : undefined,
    );
    await using client = api.open();
    const logs = client.logs(pod, { follow: true }, patient);
    expect((await told(collect(logs))).code).toBe('kubernetes-lost-answer');
  });
});

test('whatever has no kind is answered as it is', async () => {
  await using api = await aScriptedApi(({ path }) =>
    path === '/readyz' ? { status: 500, body: '[+]ping ok\n[-]etcd failed' } : undefined,
  );
  await using client = api.open();
  expect(await client.raw('/readyz?verbose', patient)).toEqual({ status: 500, text: '[+]ping ok\n[-]etcd failed' });
  expect(api.asked[0]?.query).toEqual({ verbose: '' });
});
