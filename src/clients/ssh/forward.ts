import { createServer, type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { Connector } from '../../model/connector.ts';
import type { Helm } from '../helm.ts';

type Forward = { readonly port: number } & AsyncDisposable;

/** A port on loopback that leads to one target, for programs that know nothing of tunnels. */
export async function openForward(
  connect: Connector,
  target: { readonly host: string; readonly port: number },
): Promise<Forward> {
  const ending = new AbortController();
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket.on('error', () => undefined).once('close', () => sockets.delete(socket)));
    connect(target, ending.signal).then(
      (stream) => {
        const over = (): void => {};
        pipeline(socket, stream, over);
        pipeline(stream, socket, over);
      },
      () => socket.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      ending.abort(new Error('the forward has ended'));
      const closed = new Promise((resolve) => void server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A helm whose cluster is behind a tunnel: it is told of a port on loopback, and whom the certificate must name. */
export const helmThrough = (helm: Helm, connect: Connector): Helm => ({
  version: helm.version,
  run: async (order, target, signal) => {
    const url = new URL(target.server);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
    await using forward = await openForward(connect, { host, port });
    url.hostname = '127.0.0.1';
    url.port = String(forward.port);
    const near = { server: url.href.replace(/\/$/, ''), tlsServerName: target.tlsServerName ?? host, proxy: undefined };
    await helm.run(order, { ...target, ...near }, signal);
  },
});
