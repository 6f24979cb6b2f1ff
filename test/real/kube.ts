import { generateKeyPair, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { peerProgram } from './peers.ts';
import { runToEnd, startProcess, type Ran, type Running } from './processes.ts';

export type Answer = { readonly status: number; readonly body: unknown };

/** A real control plane on loopback: etcd and kube-apiserver, no nodes; controllers if they are wanted. */
export type Kube = AsyncDisposable & {
  readonly kubeconfig: string;
  readonly url: string;
  /** PEM: the one certificate that the server has. */
  readonly certificate: string;
  /** Of an administrator. */
  readonly token: string;
  /** Of the API server, for whoever wants to know what it costs. */
  readonly pid: number | undefined;
  /** One request as an administrator; the body is sent and read as JSON. */
  readonly request: (method: string, path: string, body?: unknown, contentType?: string) => Promise<Answer>;
  readonly kubectl: (args: readonly string[], input?: string) => Promise<Ran>;
  /** etcd forgets everything but what is now, as it does every five minutes anyway. */
  readonly compact: () => Promise<void>;
};

export type KubeOptions = {
  /** kube-controller-manager: garbage collection, service accounts, namespaces that end, workloads. */
  readonly controllers?: boolean;
  /** kube-scheduler, besides. */
  readonly scheduler?: boolean;
  /** More tokens: who, and of which groups. */
  readonly tokens?: Readonly<Record<string, { readonly user: string; readonly groups: readonly string[] }>>;
  /** PEM: whoever shows a certificate of this one is who it says. */
  readonly clientAuthority?: string;
};

const startWithinMs = 120_000;

export async function startKube(options: KubeOptions = {}): Promise<Kube> {
  const programs = {
    etcd: await peerProgram('etcd'),
    apiserver: await peerProgram('kube-apiserver'),
    kubectl: await peerProgram('kubectl'),
    controllers: options.controllers === true ? await peerProgram('kube-controller-manager') : undefined,
    scheduler: options.scheduler === true ? await peerProgram('kube-scheduler') : undefined,
  };
  const undo: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    return await start(programs, options, undo, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

type Programs = {
  readonly etcd: string;
  readonly apiserver: string;
  readonly kubectl: string;
  readonly controllers: string | undefined;
  readonly scheduler: string | undefined;
};

/** Whatever is begun here leaves in `undo` how it is ended; the last first. */
async function start(
  programs: Programs,
  options: KubeOptions,
  undo: (() => unknown)[],
  stop: () => Promise<void>,
): Promise<Kube> {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-kube-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const begin = (name: string, program: string, args: readonly string[]): Running => {
    const running = startProcess(name, folder, program, args);
    undo.push(() => running.end());
    return running;
  };

  const [etcdPort, peerPort, port] = await freePorts(3);
  const token = randomBytes(24).toString('hex');
  const known = { [token]: { user: 'admin', groups: ['system:masters'] }, ...options.tokens };
  await writeFile(join(folder, 'tokens.csv'), tokenFile(known), { mode: 0o600 });
  await writeFile(join(folder, 'service-account.key'), await serviceAccountKey(), { mode: 0o600 });

  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  begin('etcd', programs.etcd, [
    `--data-dir=${join(folder, 'etcd')}`,
    '--unsafe-no-fsync',
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
    '--log-level=warn',
  ]);
  const server = begin('kube-apiserver', programs.apiserver, [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${folder}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${join(folder, 'service-account.key')}`,
    `--service-account-signing-key-file=${join(folder, 'service-account.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--endpoint-reconciler-type=none',
    '--allow-privileged',
    ...(await clientAuthority(folder, options)),
  ]);

  const url = `https://127.0.0.1:${port}`;
  const deadline = Date.now() + startWithinMs;
  const certificate = await server.until('its certificate', deadline, () =>
    readFile(join(folder, 'apiserver.crt'), 'utf8').catch(() => undefined),
  );
  const client = adminClient(url, certificate, token);
  undo.push(() => client.close());
  await server.until('an answer to /readyz', deadline, async () => {
    const answer = await client.request('GET', '/readyz').catch(() => undefined);
    return answer?.status === 200 ? answer : undefined;
  });

  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigText(url, certificate, token), { mode: 0o600 });
  if (programs.controllers !== undefined) {
    const controllers = begin('kube-controller-manager', programs.controllers, controllerFlags(folder));
    await controllers.until('a service account', deadline, async () => {
      const account = await client.request('GET', '/api/v1/namespaces/default/serviceaccounts/default');
      return account.status === 200 ? account : undefined;
    });
  }
  if (programs.scheduler !== undefined)
    begin('kube-scheduler', programs.scheduler, [
      `--kubeconfig=${kubeconfig}`,
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
    ]);
  return {
    kubeconfig,
    url,
    certificate,
    token,
    pid: server.pid,
    request: client.request,
    kubectl: (args, input) =>
      runToEnd(programs.kubectl, ['--kubeconfig', kubeconfig, ...args], { home: folder, input }),
    compact: () => compact(etcdUrl),
    [Symbol.asyncDispose]: stop,
  };
}

async function compact(etcdUrl: string): Promise<void> {
  const ask = async (path: string, body: object): Promise<{ header: { revision: string } }> => {
    const answer = await fetch(`${etcdUrl}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd: ${await answer.text()}`);
    return (await answer.json()) as { header: { revision: string } };
  };
  const { header } = await ask('range', { key: Buffer.from('/').toString('base64') });
  await ask('compaction', { revision: header.revision, physical: true });
}

const tokenFile = (tokens: NonNullable<KubeOptions['tokens']>): string =>
  Object.entries(tokens)
    .map(([token, { user, groups }]) => `${token},${user},${user},"${groups.join(',')}"\n`)
    .join('');

async function clientAuthority(folder: string, options: KubeOptions): Promise<readonly string[]> {
  if (options.clientAuthority === undefined) return [];
  const file = join(folder, 'clients.crt');
  await writeFile(file, options.clientAuthority);
  return [`--client-ca-file=${file}`];
}

const controllerFlags = (folder: string): readonly string[] => [
  `--kubeconfig=${join(folder, 'kubeconfig')}`,
  '--use-service-account-credentials',
  '--leader-elect=false',
  '--bind-address=127.0.0.1',
  '--secure-port=0',
  `--service-account-private-key-file=${join(folder, 'service-account.key')}`,
  `--root-ca-file=${join(folder, 'apiserver.crt')}`,
];

/** Ports that were free a moment ago. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
        ),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function serviceAccountKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Trusts the one certificate that the server made for itself, and nothing else. */
function adminClient(url: string, certificate: string, token: string) {
  const agent = new https.Agent({ keepAlive: true, ca: certificate, maxSockets: 16 });
  const request = (method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': contentType }),
      };
      const sent = https.request(new URL(path, url), { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json') === true;
          resolve({ status: response.statusCode ?? 0, body: isJson ? (JSON.parse(text) as unknown) : text });
        });
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return { request, close: () => agent.destroy() };
}

export function kubeconfigText(server: string, certificate: string, token: string): string {
  const authority = Buffer.from(certificate).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'real',
    clusters: [{ name: 'real', cluster: { server, 'certificate-authority-data': authority } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'admin' } }],
  });
}
