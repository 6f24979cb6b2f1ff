import { readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fakeSsh } from '../../../test/fake-ssh.ts';
import { folder } from '../../../test/folder.ts';
import { hangingUp, listener } from '../../../test/listener.ts';
import { Problem } from '../../model/problem.ts';
import type { KubernetesTarget } from '../kubernetes.ts';
import { destinationOf } from './destination.ts';
import { helmThrough, openForward } from './forward.ts';
import { openTunnel } from './tunnel.ts';

const signal = AbortSignal.timeout(60_000);
const url = 'ssh://root@pve1.example.org:2222';

/** Answers with what it is told, and hangs up when the other end does. */
const echo = () => listener((socket) => void socket.pipe(socket));

const problemOf = async (action: Promise<unknown>): Promise<Problem> => {
  const error = await action.catch((thrown: unknown) => thrown);
  if (error instanceof Problem) return error;
  throw new Error('It was not refused.', { cause: error });
};

test('connections go through one login, carry every byte both ways, and nothing is left', async () => {
  const [ssh, temporary, target] = [fakeSsh(folder()), folder(), await echo()];
  {
    await using tunnel = openTunnel(url, { env: process.env, command: ssh.command, temporary });
    expect(readdirSync(temporary)).toEqual([]);
    const much = 'x'.repeat(1 << 20);
    const answers = await Promise.all(
      ['a', 'b', much].map(async (sent) => {
        const stream = await tunnel.connect(target, signal);
        stream.end(sent);
        return text(stream);
      }),
    );
    expect(answers).toEqual(['a', 'b', much]);
    expect(readdirSync(temporary)).toHaveLength(1);
  }
  expect(readdirSync(temporary)).toEqual([]);
  const told = ssh.told();
  expect(told.map((words) => ['-N', '-W', '-O'].find((flag) => words.includes(flag)))).toEqual([
    '-N',
    '-W',
    '-W',
    '-W',
    '-O',
  ]);
  for (const words of told) {
    expect(words.slice(-6)).toEqual(['-l', 'root', '-p', '2222', '--', 'pve1.example.org']);
    expect(words.filter((word) => /StrictHostKeyChecking|UserKnownHosts/i.test(word))).toEqual([]);
  }
  for (const words of told.slice(0, -1)) expect(words).toContain('BatchMode=yes');
});

test('TLS goes through, and what came before the other end hung up is read in full', async () => {
  const much = 'y'.repeat(1 << 20);
  const psk = { psk: Buffer.alloc(16, 7), identity: 'test' };
  const settings = { ciphers: 'PSK', minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;
  const server = createTlsServer({ ...settings, pskCallback: () => psk.psk }, (socket) => socket.end(much));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const ssh = fakeSsh(folder());
  await using tunnel = openTunnel(url, { env: process.env, command: ssh.command, temporary: folder() });
  const stream = await tunnel.connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }, signal);
  const socket = connectTls({
    ...settings,
    socket: stream,
    pskCallback: () => psk,
    checkServerIdentity: () => undefined,
  });
  expect((await text(socket)).length).toBe(much.length);
});

test.each(hangingUp)('a target that %s is heard at once', async (_, hangUp, heard) => {
  const target = await listener(hangUp);
  await using tunnel = openTunnel(url, { env: process.env, command: fakeSsh(folder()).command, temporary: folder() });
  const stream = await tunnel.connect(target, signal);
  stream.write('hello');
  expect(await text(stream)).toBe(heard);
});

test('nothing is started before somebody connects', async () => {
  const [ssh, temporary] = [fakeSsh(folder()), folder()];
  {
    await using _tunnel = openTunnel(url, { env: process.env, command: ssh.command, temporary });
  }
  expect(readdirSync(temporary)).toEqual([]);
  expect(() => ssh.told()).toThrow('ENOENT');
});

test('whoever hangs up ends the process that carried it', async () => {
  const [ssh, target] = [fakeSsh(folder()), await echo()];
  await using tunnel = openTunnel(url, { env: process.env, command: ssh.command, temporary: folder() });
  const stream = await tunnel.connect(target, signal);
  stream.destroy();
  await once(stream, 'close');
  const left = await tunnel.connect(target, signal);
  left.write('still');
  expect(String((await once(left, 'data'))[0])).toBe('still');
});

describe('where ssh cannot log in it says what to do', () => {
  test.each<[says: string, code: string, message: RegExp, typed: string]>([
    [
      '@@@@@@@\r\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\nHost key verification failed.\r\n',
      'ssh-host-key-changed',
      /another host key than it did before/,
      "    ssh-keygen -R '[pve1.example.org]:2222' && ssh -p 2222 root@pve1.example.org true",
    ],
    [
      'No ED25519 host key is known for [pve1.example.org]:2222 and you have requested strict checking.\r\nHost key verification failed.\r\n',
      'ssh-host-key-unknown',
      /is not known here/,
      '    ssh -p 2222 root@pve1.example.org true',
    ],
    [
      'root@pve1.example.org: Permission denied (publickey,password).\r\n',
      'ssh-denied',
      /does not let you in/,
      '    ssh -p 2222 root@pve1.example.org -o BatchMode=yes true',
    ],
    [
      'ssh: connect to host pve1.example.org port 2222: Connection refused\r\n',
      'ssh-unreachable',
      /nothing listens there/,
      '    ssh -p 2222 root@pve1.example.org true',
    ],
    [
      'ssh: Could not resolve hostname pve1.example.org: Name or service not known\r\n',
      'ssh-unreachable',
      /its name has no address/,
      '    ssh -p 2222 root@pve1.example.org true',
    ],
    [
      '/root/.ssh/config: line 3: Bad configuration option: frobnicate\r\n',
      'ssh-failed',
      /Bad configuration option: frobnicate/,
      '    ssh -p 2222 root@pve1.example.org -v true',
    ],
  ])('%s', async (says, code, message, typed) => {
    const ssh = fakeSsh(folder());
    ssh.loginSays(says);
    await using tunnel = openTunnel(url, { env: process.env, command: ssh.command, temporary: folder() });
    const problem = await problemOf(tunnel.connect({ host: '127.0.0.1', port: 1 }, signal));
    expect(problem.code).toBe(code);
    expect(problem.message).toMatch(message);
    expect(problem.remedy.split('\n').at(-1)).toBe(typed);
  });

  test('there is no ssh', async () => {
    await using tunnel = openTunnel(url, { env: process.env, command: '/no/such/ssh', temporary: folder() });
    const problem = await problemOf(tunnel.connect({ host: '127.0.0.1', port: 1 }, signal));
    expect([problem.code, problem.remedy.split('\n').at(-1)]).toEqual([
      'ssh-missing',
      '    sudo apt install openssh-client',
    ]);
  });
});

test('a target that refuses is told as the kernel tells it; a host that does not pass us on is a problem', async () => {
  const ssh = fakeSsh(folder());
  await using tunnel = openTunnel(url, { env: process.env, command: ssh.command, temporary: folder() });
  await expect(tunnel.connect({ host: '127.0.0.1', port: 1 }, signal)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  ssh.passingSays('administratively prohibited: open failed');
  const problem = await problemOf(tunnel.connect({ host: '10.0.0.5', port: 50000 }, signal));
  expect(problem.code).toBe('ssh-forwarding-refused');
  expect(problem.message).toContain('does not pass you on to 10.0.0.5:50000');
  expect(problem.remedy).toContain('AllowTcpForwarding');
});

test('somebody who does not wait any longer is let go', async () => {
  const ssh = fakeSsh(folder());
  await using tunnel = openTunnel(url, { env: process.env, command: ssh.command, temporary: folder() });
  await expect(tunnel.connect({ host: '127.0.0.1', port: 1 }, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
    'enough',
  );
});

const processes = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'ProcessWrap').length;
const atMoment = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
};

test('whoever gives up, at whatever moment, leaves no process behind', async () => {
  const [ssh, target, before] = [fakeSsh(folder()), await echo(), processes()];
  await using tunnel = openTunnel(url, { env: process.env, command: ssh.command, temporary: folder() });
  (await tunnel.connect(target, signal)).destroy();
  for (let turns = 0; turns < 8; turns++) {
    const enough = new AbortController();
    const connecting = tunnel.connect(target, enough.signal);
    const refused = expect(connecting).rejects.toThrow('enough');
    await atMoment(turns);
    enough.abort(new Error('enough'));
    await refused;
  }
  await expect.poll(processes, { timeout: 10_000 }).toBe(before);
});

test('a tunnel that is closed meanwhile leaves no process behind, and opens nothing more', async () => {
  const [target, before] = [await echo(), processes()];
  for (let turns = 0; turns < 4; turns++) {
    const ssh = fakeSsh(folder());
    const tunnel = openTunnel(url, { env: process.env, command: ssh.command, temporary: folder() });
    if (turns % 2 === 0) (await tunnel.connect(target, signal)).destroy();
    const refused = expect(tunnel.connect(target, signal)).rejects.toThrow('the tunnel was closed');
    await atMoment(turns);
    await tunnel[Symbol.asyncDispose]();
    await refused;
    await expect(tunnel.connect(target, signal)).rejects.toThrow('the tunnel was closed');
  }
  await expect.poll(processes, { timeout: 10_000 }).toBe(before);
});

test.each([
  ['ssh://pve1', ['--', 'pve1'], 'ssh pve1'],
  ['ssh://root@[fd00::1]:22', ['-l', 'root', '-p', '22', '--', 'fd00::1'], 'ssh -p 22 root@fd00::1'],
])('%s is told to ssh in its own words', (written, words, typed) => {
  expect(destinationOf(written)).toMatchObject({ words, typed });
});

test.each(['ssh://-oProxyCommand=x', 'ssh://-l@host', 'https://host', 'ssh://root:secret@host', 'host', ''])(
  '%s is refused, and not repeated',
  (written) => {
    expect(() => destinationOf(written)).toThrow(/machines.via cannot be used/);
    expect(() => destinationOf(written)).not.toThrow(/secret@/);
  },
);

test('a forward leads from a port on loopback to the target', async () => {
  const target = await echo();
  const ssh = fakeSsh(folder());
  await using tunnel = openTunnel(url, { env: process.env, command: ssh.command, temporary: folder() });
  await using forward = await openForward(tunnel.connect, target);
  const { connect } = await import('node:net');
  const socket = connect({ host: '127.0.0.1', port: forward.port, allowHalfOpen: true });
  socket.end('through');
  expect(await text(socket)).toBe('through');
});

test('helm is sent to a port on loopback, and told whom the certificate must name', async () => {
  const seen: KubernetesTarget[] = [];
  const helm = helmThrough(
    {
      version: 'v4.3.1',
      run: async (_, given) => {
        seen.push(given);
      },
    },
    (_, stop) => Promise.reject(new Error(String(stop.aborted))),
  );
  const given: KubernetesTarget = {
    server: `https://10.10.0.5:6443/prefix`,
    ca: 'ca',
    tlsServerName: undefined,
    insecure: false,
    proxy: 'http://proxy:3128',
    credentials: {} as KubernetesTarget['credentials'],
    as: undefined,
    namespace: 'default',
  };
  await helm.run({ words: () => [], values: '' }, given, signal);
  expect(seen).toEqual([
    {
      ...given,
      server: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/prefix$/) as string,
      tlsServerName: '10.10.0.5',
      proxy: undefined,
    },
  ]);
});
