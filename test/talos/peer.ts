import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { readableKey } from '../../src/clients/talos/credentials.ts';
import { MachineService, type VersionResponseSchema } from '../../src/wire/gen/talos/machine_pb.ts';
import { anAuthority, type Authority, type Issued } from './certificates.ts';

/** A gRPC server with Talos’ TLS and whatever services a test gives it. */
export type Peer = AsyncDisposable & {
  readonly host: string;
  readonly port: number;
  readonly server: Http2SecureServer;
  readonly sessions: ReadonlySet<ServerHttp2Session>;
  /** How many TCP connections there have been. */
  connections(): number;
  /** Breaks everything that is open, without a word. */
  cut(): void;
};

export async function aPeer(leaf: Issued, routes: (router: ConnectRouter) => void, port = 0): Promise<Peer> {
  const server = createSecureServer(
    { cert: leaf.crt, key: readableKey(leaf.key), minVersion: 'TLSv1.3', ALPNProtocols: ['h2'] },
    connectNodeAdapter({ routes, readMaxBytes: 64 * 1024 * 1024, writeMaxBytes: 64 * 1024 * 1024 }),
  );
  const sockets = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  server.on('session', (session) => {
    sessions.add(session.on('error', () => undefined).on('close', () => sessions.delete(session)));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    server,
    sessions,
    connections: () => connections,
    cut,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}

export type Cluster = { readonly authority: Authority; readonly server: Issued; readonly admin: Issued };

/** A CA, a server’s leaf for 127.0.0.1 and an administrator’s. */
export async function aCluster(): Promise<Cluster> {
  const authority = await anAuthority();
  const [server, admin] = await Promise.all([
    authority.issue({ name: 'cp-1', use: ['server'], addresses: ['127.0.0.1'] }),
    authority.issue({ name: '', use: ['client'], organizations: ['os:admin'] }),
  ]);
  return { authority, server, admin };
}

type Machine = Partial<ServiceImpl<typeof MachineService>>;

export const machine =
  (methods: Machine) =>
  (router: ConnectRouter): void =>
    void router.service(MachineService, methods);

/** What a configured node says to Version. */
export const running: MessageInitShape<typeof VersionResponseSchema> = {
  messages: [
    {
      version: { tag: 'v1.13.9', sha: 'abc', arch: 'amd64' },
      platform: { name: 'metal', mode: 'metal' },
      features: { rbac: true },
    },
  ],
};
