import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPair, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { peerProgram } from './peers.ts';

export type Answer = { readonly status: number; readonly body: unknown };
export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A real control plane on loopback: etcd and kube-apiserver, no controllers, no nodes. */
export type Kube = AsyncDisposable & {
  readonly kubeconfig: string;
  /** One request as an administrator; the body is sent and read as JSON. */
  readonly request: (method: string, path: string, body?: unknown, contentType?: string) => Promise<Answer>;
  readonly kubectl: (args: readonly string[], input?: string) => Promise<Ran>;
};

const startWithinMs = 120_000;
const stopWithinMs = 20_000;

export async function startKube(): Promise<Kube> {
  const [etcd, apiserver, kubectl] = [
    await peerProgram('etcd'),
    await peerProgram('kube-apiserver'),
    await peerProgram('kubectl'),
  ];
  const undo: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    return await start({ etcd, apiserver, kubectl }, undo, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

type Programs = { readonly etcd: string; readonly apiserver: string; readonly kubectl: string };

/** Whatever is begun here leaves in `undo` how it is ended; the last first. */
async function start(programs: Programs, undo: (() => unknown)[], stop: () => Promise<void>): Promise<Kube> {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-kube-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const begin = (name: string, program: string, args: readonly string[]): Running => {
    const running = startProcess(name, folder, program, args);
    undo.push(() => running.end());
    return running;
  };

  const [etcdPort, peerPort, port] = await freePorts(3);
  const token = randomBytes(24).toString('hex');
  await writeFile(join(folder, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
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
  return {
    kubeconfig,
    request: client.request,
    kubectl: (args, input) => runToEnd(programs.kubectl, ['--kubeconfig', kubeconfig, ...args], folder, input),
    [Symbol.asyncDispose]: stop,
  };
}

type Running = {
  /** Asks again and again until there is an answer; says what it waited for when there is none. */
  readonly until: <T>(what: string, deadline: number, ask: () => Promise<T | undefined>) => Promise<T>;
  readonly end: () => Promise<void>;
};

function startProcess(name: string, folder: string, program: string, args: readonly string[]): Running {
  const log = join(folder, `${name}.log`);
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const file = createWriteStream(log);
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  let failure: Error | undefined;
  child.on('error', (error) => (failure = error));
  // A test run that is ended early leaves nothing behind.
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);

  const explain = async (what: string): Promise<Error> => {
    const tail = (await readFile(log, 'utf8').catch(() => '')).split('\n').slice(-30).join('\n');
    return new Error(`${name} ${what}. Its last words:\n${tail}`, { cause: failure });
  };
  return {
    until: async (what, deadline, ask) => {
      for (;;) {
        const answer = await ask();
        if (answer !== undefined) return answer;
        if (failure !== undefined || hasEnded(child)) throw await explain(`ended while we waited for ${what}`);
        if (Date.now() > deadline) throw await explain(`did not give ${what} in time`);
        await sleep(100);
      }
    },
    end: async () => {
      process.off('exit', endWithUs);
      await endProcess(child);
      file.end();
    },
  };
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const patience = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await ended;
  clearTimeout(patience);
}

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

function kubeconfigText(server: string, certificate: string, token: string): string {
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

function runToEnd(program: string, args: readonly string[], home: string, input = ''): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // What it keeps for itself goes into the folder that is removed.
    const child = spawn(program, args, { env: { ...process.env, HOME: home, KUBECACHEDIR: join(home, 'kubectl') } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    // It may end without having read it all.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
