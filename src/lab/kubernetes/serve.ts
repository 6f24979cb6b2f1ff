import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { KubernetesTwin } from './twin.ts';

export type ServeOptions = {
  readonly address?: string;
  /** 0: any that is free. */
  readonly port?: number;
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  /** PEM: named to clients as those whose certificates are taken. */
  readonly clientAuthorities?: readonly string[];
};

export type Served = AsyncDisposable & { readonly address: string; readonly port: number; readonly url: string };

/** A twin on a socket of its own; clients are asked for a certificate, and need none. */
export async function serveKubernetes(twin: Pick<KubernetesTwin, 'handle'>, options: ServeOptions): Promise<Served> {
  const { address = '127.0.0.1', port = 0, certificate, key, clientAuthorities = [] } = options;
  const server = createServer(
    {
      cert: certificate,
      key,
      ...(clientAuthorities.length === 0 ? {} : { ca: [...clientAuthorities] }),
      requestCert: true,
      rejectUnauthorized: false,
      keepAliveTimeout: 120_000,
      requestTimeout: 0,
    },
    twin.handle,
  );
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    address,
    port: bound,
    url: `https://${address}:${bound}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
