import { spawn } from 'node:child_process';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Connector } from '../../model/connector.ts';
import { firstOf } from '../../model/signals.ts';
import { ChildStream } from './child-stream.ts';
import { destinationOf } from './destination.ts';
import { loginProblem, passingProblem, sshMissing } from './problems.ts';

type TunnelTools = {
  /** What ssh inherits: HOME, SSH_AUTH_SOCK. */
  readonly env: NodeJS.ProcessEnv;
  readonly command?: string;
  /** Where the private folder is made. */
  readonly temporary?: string;
};

export type Tunnel = { readonly connect: Connector } & AsyncDisposable;

/** Over what people set for themselves: nothing is asked, nothing else is forwarded, and a dead line is noticed. */
const ours = [
  'BatchMode=yes',
  'ConnectTimeout=15',
  'ServerAliveInterval=15',
  'ServerAliveCountMax=3',
  'ClearAllForwardings=yes',
  'ForwardAgent=no',
  'ForwardX11=no',
  'PermitLocalCommand=no',
  'RemoteCommand=none',
  'RequestTTY=no',
].flatMap((option) => ['-o', option]);

/** Without anybody who uses it the master ends by itself: also when we were killed. */
const idleSeconds = 60;
/** By then a version of ssh that says nothing of an open channel has one, or its user finds out. */
const sayNothingMs = 10_000;

/**
 * Byte streams through OpenSSH: one login, kept by a master that the first connection starts, and one `ssh -W` for each
 * connection. Keys, agent, known hosts and ~/.ssh/config are ssh’s own business.
 */
export function openTunnel(url: string, { env, command = 'ssh', temporary = tmpdir() }: TunnelTools): Tunnel {
  const to = destinationOf(url);
  let folder: Promise<string> | undefined;
  let login: Promise<string> | undefined;
  const streams = new Set<Duplex>();
  const closed = new AbortController();

  const logIn = async (): Promise<string> => {
    folder ??= mkdtemp(join(shortest(temporary), 'ichor-ssh-'));
    const [socket, log] = pathsIn(await folder);
    await Promise.all([rm(socket, { force: true }), rm(log, { force: true })]);
    const words = ['-N', '-E', log, ...ours, '-o', 'LogLevel=INFO'];
    const master = ['-o', 'ControlMaster=yes', '-o', `ControlPersist=${idleSeconds}`, '-o', `ControlPath=${socket}`];
    const code = await exitOf(command, [...words, ...master, ...to.words], env);
    if (code !== 0) throw loginProblem(await readFile(log, 'utf8').catch(() => ''), to);
    return socket;
  };

  /** Of all that connect at once one logs in; after a failure, or when the master has ended, the next one tries again. */
  const loggedIn = async (): Promise<string> => {
    const before = login;
    if (before !== undefined && (await before.then(exists, () => false))) return before;
    if (login === before) login = logIn();
    return login ?? logIn();
  };

  const connect: Connector = async ({ host, port }, callers) => {
    using signal = firstOf(callers, closed.signal);
    signal.throwIfAborted();
    const socket = await unlessAborted(loggedIn(), signal);
    const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const log = join(socket, '..', 'log');
    const before = await sizeOf(log);
    // Nothing is started for somebody who gave up meanwhile: nobody would end it.
    signal.throwIfAborted();
    const words = ['-v', ...ours, '-o', 'ControlMaster=no', '-o', `ControlPath=${socket}`, '-W', target, ...to.words];
    const { stream, opened } = passOn(command, words, env, signal);
    streams.add(stream.once('close', () => streams.delete(stream)));
    const said = await opened;
    if (said === undefined && !signal.aborted) return stream;
    stream.on('error', () => undefined).destroy();
    signal.throwIfAborted();
    const logged = (await readFile(log, 'utf8').catch(() => '')).slice(before);
    throw passingProblem(logged.split('\n').findLast((line) => line.includes('open failed')) ?? said ?? '', target, to);
  };

  return {
    connect,
    [Symbol.asyncDispose]: async () => {
      closed.abort(new Error('the tunnel was closed'));
      for (const stream of streams) stream.on('error', () => undefined).destroy();
      const socket = await login?.catch(() => undefined);
      if (socket !== undefined && (await exists(socket)))
        await exitOf(command, ['-o', `ControlPath=${socket}`, '-O', 'exit', ...to.words], env).catch(() => undefined);
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
    },
  };
}

const pathsIn = (folder: string): readonly [socket: string, log: string] => [join(folder, 'c'), join(folder, 'log')];

/** A socket’s path has 104 bytes at most on some systems, and ssh first makes it with 17 more. */
const shortest = (folder: string): string => (Buffer.byteLength(folder) > 60 ? '/tmp' : folder);

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const sizeOf = async (path: string): Promise<number> => (await readFile(path, 'utf8').catch(() => '')).length;

const exitOf = (command: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, words, { env, stdio: 'ignore' });
    child.on('error', (error) => reject(sshMissing(error))).on('exit', resolve);
  });

type Passed = {
  readonly stream: Duplex;
  /** Undefined: it is open. Else what ssh said when it ended. */
  readonly opened: Promise<string | undefined>;
};

function passOn(command: string, words: readonly string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Passed {
  const child = spawn(command, words, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const stream = new ChildStream(child);
  const opened = new Promise<string | undefined>((resolve, reject) => {
    let said = '';
    const stop = (): void => settle('');
    const patience = setTimeout(() => settle(undefined), sayNothingMs);
    const settle = (outcome: string | undefined): void => {
      clearTimeout(patience);
      signal.removeEventListener('abort', stop);
      resolve(outcome);
    };
    signal.addEventListener('abort', stop, { once: true });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-10_000);
      // The master’s answer; or the way of an ssh that had to log in by itself.
      if (/master session id|Entering interactive session/.test(said)) settle(undefined);
    });
    child.stdout.once('readable', () => {
      if (child.stdout.readableLength > 0) settle(undefined);
    });
    child.on('error', (error) => {
      clearTimeout(patience);
      reject(sshMissing(error));
    });
    child.on('close', () => settle(said.replaceAll(/^debug1:.*\n/gm, '')));
  });
  return { stream, opened };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
