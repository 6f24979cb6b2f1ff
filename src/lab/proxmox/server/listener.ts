import { createServer as createNetServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { AddressNotThere } from '../../talos/network.ts';
import type { Host } from '../host.ts';
import { serveConnection } from './connection.ts';
import type { Serve } from './connection.ts';

const handshake = 0x16;
/** Who says nothing at all is not waited for. */
const silenceMs = 5000;

/** Port 8006 of a host. TLS and plain HTTP come to the same port; who speaks plainly is sent to the other one. */
export interface Listener {
  /** Where it really is. */
  readonly port: number;
  /** The machine is gone: open connections break, new ones are refused. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export type Listening = {
  readonly host: Host;
  readonly bind: { readonly address: string; readonly port: number };
  readonly serve: Serve;
  readonly redirect: Serve;
  readonly now: () => Date;
  /** Resolves at once unless the host is frozen. */
  readonly awake: () => Promise<void>;
};

export async function listen(given: Listening): Promise<Listener> {
  const { host, bind, serve, redirect, now, awake } = given;
  const open = new Set<Socket>();
  const tls = createTlsServer({
    key: host.certificate.key,
    cert: host.certificate.crt,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
  });
  tls.on('secureConnection', (socket) => void serveConnection(socket, serve, { now }));
  tls.on('tlsClientError', (_error, socket) => socket.destroy());
  const accept = async (raw: Socket): Promise<void> => {
    open.add(raw);
    raw.setNoDelay(true);
    raw.once('close', () => open.delete(raw));
    raw.on('error', () => raw.destroy());
    await awake();
    raw.setTimeout(silenceMs, () => raw.destroy());
    raw.once('data', (first: Buffer) => {
      raw.setTimeout(0);
      raw.pause();
      raw.unshift(first);
      if (first[0] === handshake) tls.emit('connection', raw);
      else void serveConnection(raw, redirect, { now });
    });
  };
  let port = bind.port;
  let server: Server | undefined;
  // One after the other: a host that comes back at once waits until its old port is free.
  let changing = Promise.resolve();
  const change = (how: () => Promise<void>): Promise<void> => {
    changing = changing.then(how);
    return changing;
  };
  const up = (): Promise<void> =>
    change(async () => {
      if (server !== undefined) return;
      server = createNetServer((raw) => void accept(raw));
      await listening(server, bind.address, port);
      ({ port } = server.address() as AddressInfo);
    });
  await up();
  return {
    get port() {
      return port;
    },
    up,
    down: () => {
      for (const socket of open) socket.destroy();
      return change(async () => {
        const closing = server;
        server = undefined;
        for (const socket of open) socket.destroy();
        if (closing !== undefined) await new Promise<void>((resolve) => void closing.close(() => resolve()));
      });
    },
  };
}

const listening = (server: Server, address: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRNOTAVAIL') reject(new AddressNotThere(address));
      else if (error.code === 'EADDRINUSE')
        reject(new Error(`Port ${port} of ${address} is taken: another lab may be running there.`, { cause: error }));
      else reject(error);
    };
    server.once('error', refused);
    server.listen({ host: address, port, backlog: 512 }, () => {
      server.off('error', refused);
      server.on('error', () => undefined);
      resolve();
    });
  });
