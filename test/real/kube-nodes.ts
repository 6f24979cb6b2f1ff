import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubernetesApi, LabCluster } from '../../src/lab/talos/world.ts';

/** As much of the Kubernetes API as talosctl needs to cordon a node and to find that nothing is left to evict. */
export function nodesApi(cluster: LabCluster): KubernetesApi {
  const cordoned = new Set<string>();
  const nodeOf = (name: string): object | undefined => {
    const node = cluster.nodes().find((each) => each.name === name);
    return node === undefined
      ? undefined
      : {
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name, uid: name, resourceVersion: '1' },
          spec: cordoned.has(name) ? { unschedulable: true } : {},
          status: {
            addresses: [{ type: 'InternalIP', address: node.address }],
            conditions: [{ type: 'Ready', status: node.ready ? 'True' : 'False' }],
          },
        };
  };
  return {
    handle: (request: IncomingMessage, response: ServerResponse) => {
      void answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    },
  };

  async function answer(request: IncomingMessage): Promise<{ readonly status: number; readonly body: object }> {
    let text = '';
    for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString();
    const { pathname } = new URL(request.url ?? '/', 'https://node');
    const name = /^\/api\/v1\/nodes\/([^/]+)$/.exec(pathname)?.[1];
    if (pathname.endsWith('/pods'))
      return {
        status: 200,
        body: { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '1' }, items: [] },
      };
    if (pathname === '/api/v1/nodes')
      return {
        status: 200,
        body: {
          apiVersion: 'v1',
          kind: 'NodeList',
          metadata: {},
          items: cluster.nodes().map((node) => nodeOf(node.name)),
        },
      };
    const node = name === undefined ? undefined : nodeOf(name);
    if (name === undefined || node === undefined)
      return {
        status: 404,
        body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 },
      };
    if (request.method === 'PATCH' || request.method === 'PUT') {
      if (/"unschedulable":\s*true/.test(text)) cordoned.add(name);
      else cordoned.delete(name);
    }
    return { status: 200, body: nodeOf(name) ?? node };
  }
}
