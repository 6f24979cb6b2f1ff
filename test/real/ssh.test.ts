import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openTunnel, type Tunnel } from '../../src/clients/ssh/tunnel.ts';
import { folder } from '../folder.ts';
import { hangingUp, listener } from '../listener.ts';
import { hasSshd, sshd } from './sshd.ts';

const signal = AbortSignal.timeout(120_000);

const echo = () => listener((socket) => void socket.pipe(socket));

const through = (host: { url: string; client: (key: string) => string }, temporary: string, key = 'user'): Tunnel =>
  openTunnel(host.url, { env: process.env, command: host.client(key), temporary });

const processes = (word: string): readonly string[] =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(word));

describe('OpenSSH', () => {
  beforeAll(() => {
    if (!hasSshd) throw new Error('There is no sshd: apt-get install openssh-server openssh-client');
  });
  test('carries many connections over one login, and nothing is left', async () => {
    const [host, temporary, target] = [await sshd(folder()), folder(), await echo()];
    {
      await using tunnel = through(host, temporary);
      const sent = Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(index * 20_000)}`);
      const answers = await Promise.all(
        sent.map(async (each) => {
          const stream = await tunnel.connect(target, signal);
          stream.end(each);
          return text(stream);
        }),
      );
      expect(answers).toEqual(sent);
    }
    expect(readdirSync(temporary)).toEqual([]);
    expect(processes(temporary)).toEqual([]);
  });

  test('says that a target refuses, and that a name has no address', async () => {
    const host = await sshd(folder());
    await using tunnel = through(host, folder());
    await expect(tunnel.connect({ host: '127.0.0.1', port: 1 }, signal)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    await expect(tunnel.connect({ host: 'nobody.invalid', port: 1 }, signal)).rejects.toMatchObject({
      code: 'ENOTFOUND',
    });
  });

  test.each(hangingUp)('says at once that the target %s', async (_, hangUp, heard) => {
    const [host, target] = [await sshd(folder()), await listener(hangUp)];
    await using tunnel = through(host, folder());
    const stream = await tunnel.connect(target, signal);
    stream.write('hello');
    expect(await text(stream)).toBe(heard);
  });

  test('says that it does not pass us on', async () => {
    const host = await sshd(folder(), { AllowTcpForwarding: 'no' });
    await using tunnel = through(host, folder());
    await expect(tunnel.connect(await echo(), signal)).rejects.toMatchObject({ code: 'ssh-forwarding-refused' });
  });

  test('does not trust a host that it does not know, or that changed', async () => {
    const host = await sshd(folder());
    await using tunnel = through(host, folder());
    const target = await echo();
    host.forgetHost();
    await expect(tunnel.connect(target, signal)).rejects.toMatchObject({ code: 'ssh-host-key-unknown' });
    host.mistakeHost();
    await expect(tunnel.connect(target, signal)).rejects.toMatchObject({ code: 'ssh-host-key-changed' });
  });

  test('does not let a stranger in', async () => {
    const host = await sshd(folder());
    await using tunnel = through(host, folder(), 'stranger');
    await expect(tunnel.connect(await echo(), signal)).rejects.toMatchObject({ code: 'ssh-denied' });
  });

  test('is not there any more', async () => {
    const [own, target] = [folder(), await echo()];
    const host = await sshd(own);
    await using tunnel = through(host, folder());
    const stream = await tunnel.connect(target, signal);
    stream.end('before');
    expect(await text(stream)).toBe('before');
    await host.end();
    await using other = openTunnel(`ssh://127.0.0.1:${host.port}`, {
      env: process.env,
      command: host.client('user'),
      temporary: folder(),
    });
    await expect(other.connect(target, signal)).rejects.toMatchObject({ code: 'ssh-unreachable' });
  });
});
