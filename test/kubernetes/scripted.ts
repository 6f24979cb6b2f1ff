import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { openKubernetes } from '../../src/clients/kubernetes/client.ts';
import type { KubernetesClient, KubernetesTarget, KubernetesTools } from '../../src/clients/kubernetes.ts';
import { readableKey } from '../../src/clients/talos/credentials.ts';
import type { Pause } from '../../src/model/pause.ts';
import type { Issued } from '../talos/certificates.ts';
import { aCluster, type Cluster } from '../talos/peer.ts';

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
};

/** What is said, or done to the connection. */
export type Say =
  | { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> }
  /** It is done, and nobody hears of it. */
  | 'hang up'
  | 'silence'
  | ((response: ServerResponse) => void);

export type Script = (asked: Asked) => Say | undefined | Promise<Say | undefined>;

/** An API server of which a test decides every word; discovery it has of its own. */
export type Scripted = AsyncDisposable & {
  readonly target: KubernetesTarget;
  readonly port: number;
  /** `GET /api/v1/namespaces/default/pods`, without discovery and queries. */
  readonly asked: Asked[];
  lines(): readonly string[];
  connections(): number;
  /** Breaks everything that is open, without a word. */
  cut(): void;
  open(tools?: KubernetesTools, target?: Partial<KubernetesTarget>): KubernetesClient;
};

let shared: Promise<Cluster> | undefined;
export const certificates = (): Promise<Cluster> => (shared ??= aCluster());

export async function aScriptedApi(script: Script, leaf?: Issued): Promise<Scripted> {
  const { authority, server: own, admin } = await certificates();
  const asked: Asked[] = [];
  const server = createServer(
    { cert: (leaf ?? own).crt, key: readableKey((leaf ?? own).key), requestCert: true, rejectUnauthorized: false },
    (request, response) => void answer(request, response),
  );
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://x');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const question: Asked = {
      method: request.method ?? '',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
    const said = (await script(question)) ?? discovery(question);
    if (said === undefined || !isDiscovery(pathname)) asked.push(question);
    say(said ?? notFound(question), response);
  };
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const target: KubernetesTarget = {
    server: `https://127.0.0.1:${port}`,
    ca: authority.crt,
    tlsServerName: undefined,
    insecure: false,
    proxy: undefined,
    credentials: { kind: 'certificate', crt: admin.crt, key: readableKey(admin.key) },
    as: undefined,
    namespace: 'default',
  };
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    target,
    port,
    asked,
    lines: () => asked.map(({ method, path }) => `${method} ${path}`),
    connections: () => connections,
    cut,
    open: (tools = {}, other = {}) =>
      openKubernetes({ ...target, ...other }, { pause: hurried, chance: () => 0.5, ...tools }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}

/** What is waited for before trying again is over at once; what is waited for in silence never is. */
const hurried: Pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    if (ms < 60_000) return resolve();
    return signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const isDiscovery = (path: string): boolean => path === '/api' || path === '/apis';

function say(said: Say, response: ServerResponse): void {
  if (said === 'silence') return;
  if (said === 'hang up') return void response.socket?.destroy();
  if (typeof said === 'function') return said(response);
  const { status = 200, body, headers = {} } = said;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

/** A refusal as an API server writes it. */
export const refusal = (
  code: number,
  reason: string,
  message: string,
  details: object = {},
  headers: Record<string, string> = {},
): Exclude<Say, string | ((response: ServerResponse) => void)> => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code },
  headers,
});

function notFound({ path }: Asked): Say {
  const [kind = '', name = ''] = path.split('/').slice(-2);
  return refusal(404, 'NotFound', `${kind} "${name}" not found`, { kind, name });
}

type Row = readonly [resource: string, kind: string, scope: 'Namespaced' | 'Cluster'];
const core: readonly Row[] = [
  ['pods', 'Pod', 'Namespaced'],
  ['configmaps', 'ConfigMap', 'Namespaced'],
  ['secrets', 'Secret', 'Namespaced'],
  ['serviceaccounts', 'ServiceAccount', 'Namespaced'],
  ['nodes', 'Node', 'Cluster'],
];
const apps: readonly Row[] = [['deployments', 'Deployment', 'Namespaced']];
const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

const groupOf = (name: string, rows: readonly Row[]): object => ({
  metadata: name === '' ? {} : { name },
  versions: [
    {
      version: 'v1',
      freshness: 'Current',
      resources: rows.map(([resource, kind, scope]) => ({
        resource,
        responseKind: { group: name, version: 'v1', kind },
        scope,
        singularResource: kind.toLowerCase(),
        verbs,
      })),
    },
  ],
});

export const aggregatedList = (items: readonly object[]): object => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items,
});

function discovery({ path }: Asked): Say | undefined {
  if (path === '/api') return { body: aggregatedList([groupOf('', core)]) };
  if (path === '/apis') return { body: aggregatedList([groupOf('apps', apps)]) };
  return undefined;
}

/** Never ends by itself: this file is loaded once for many tests, and each of them has a time limit of its own. */
export const patient = new AbortController().signal;

export const configMap = (name: string, version = '1', data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: version },
  data,
});
