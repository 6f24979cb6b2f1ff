import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export const hasSshd = existsSync('/usr/sbin/sshd');

/** A real sshd on loopback with keys of its own, and a home whose ssh configuration knows it. */
export async function sshd(folder: string, options: Readonly<Record<string, string>> = {}) {
  const port = await freePort();
  const key = (name: string): string => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
    return readFileSync(join(folder, `${name}.pub`), 'utf8')
      .split(' ')
      .slice(0, 2)
      .join(' ');
  };
  const [host, user, stranger] = [key('host'), key('user'), key('stranger')];
  writeFileSync(join(folder, 'authorized'), `${user}\n`, { mode: 0o600 });
  const settings = {
    Port: String(port),
    ListenAddress: '127.0.0.1',
    HostKey: join(folder, 'host'),
    AuthorizedKeysFile: join(folder, 'authorized'),
    PidFile: 'none',
    StrictModes: 'no',
    UsePAM: 'no',
    PasswordAuthentication: 'no',
    PermitRootLogin: 'yes',
    LogLevel: 'QUIET',
    ...options,
  };
  writeFileSync(join(folder, 'sshd_config'), lines(settings));
  // Where sshd gives up its rights; its package makes it at boot.
  mkdirSync('/run/sshd', { recursive: true });
  const child = spawn('/usr/sbin/sshd', ['-D', '-f', join(folder, 'sshd_config')], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGTERM'));
  await answers(port);

  const known = join(folder, 'known_hosts');
  const knows = (as: string): void => writeFileSync(known, as === '' ? '' : `[127.0.0.1]:${port} ${as}\n`);
  knows(host);
  const client = (identity: string): string => {
    const command = join(folder, `ssh-${identity}`);
    const config = join(folder, `config-${identity}`);
    writeFileSync(
      config,
      lines({
        IdentityFile: join(folder, identity),
        IdentitiesOnly: 'yes',
        UserKnownHostsFile: known,
        GlobalKnownHostsFile: '/dev/null',
        // Things that people have set, and that must not be in the way.
        RequestTTY: 'force',
        ControlMaster: 'auto',
        LogLevel: 'QUIET',
      }),
    );
    writeFileSync(command, `#!/bin/sh\nexec ssh -F '${config}' "$@"\n`, { mode: 0o755 });
    return command;
  };
  const { username } = userInfo();
  return {
    url: `ssh://${username}@127.0.0.1:${port}`,
    port,
    /** ssh, as somebody with that key has it configured. */
    client,
    forgetHost: () => knows(''),
    mistakeHost: () => knows(stranger),
    end: async () => {
      const over = once(child, 'exit');
      child.kill('SIGTERM');
      await over;
    },
  };
}

const lines = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name} ${value}\n`)
    .join('');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, '127.0.0.1');
    const up = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (up) return;
    await setTimeout(25);
  }
  throw new Error('sshd does not answer.');
}
