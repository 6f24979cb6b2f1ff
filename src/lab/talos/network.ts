import { platform } from 'node:os';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Where twins listen and how they reach each other. */
export interface LabNetwork {
  listen(server: Server, host: string, port: number): Promise<void>;
  /** From here on nobody finds it; resolves when everybody who did has left. */
  release(server: Server): Promise<void>;
  dial(host: string, port: number, signal?: AbortSignal): Promise<Socket>;
}

/** Whether this machine lets a program listen on that address: Linux does for all of 127.0.0.0/8, macOS for 127.0.0.1 alone. */
export function canBind(address: string, port = 0): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: address, port }, () => server.close(() => resolve(true)));
  });
}

/** What to type where an address has to be added first. */
export class AddressNotThere extends Error {
  override readonly name = 'AddressNotThere';
  readonly remedy: string;

  constructor(address: string) {
    const type =
      platform() === 'darwin' ? `sudo ifconfig lo0 alias ${address}` : `sudo ip address add ${address}/32 dev lo`;
    super(
      `Nothing can listen on ${address} here. Add the address, or start the lab with addresses: 'mapped' and reach it through its connector:\n    ${type}`,
    );
    this.remedy = type;
  }
}

/** Real ports on each node’s own loopback address. */
export const ownAddresses: LabNetwork = {
  listen: async (server, host, port) => {
    await listening(server, host, port).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRNOTAVAIL') throw new AddressNotThere(host);
      throw error;
    });
  },
  release: stopListening,
  dial: (host, port, signal) => dialed(host, port, signal),
};

/** Everything on 127.0.0.1 with ports as they come; only who asks this network finds a node. */
export function mappedAddresses(): LabNetwork {
  const places = new Map<string, Server>();
  return {
    listen: async (server, host, port) => {
      const place = `${host}:${port}`;
      if (places.has(place))
        throw Object.assign(new Error(`listen EADDRINUSE: address already in use ${place}`), { code: 'EADDRINUSE' });
      places.set(place, server);
      await listening(server, '127.0.0.1', 0);
    },
    release: async (server) => {
      for (const [place, each] of places) if (each === server) places.delete(place);
      await stopListening(server);
    },
    dial: (host, port, signal) => {
      const actual = places.get(`${host}:${port}`)?.address() as AddressInfo | null | undefined;
      if (actual !== null && actual !== undefined) return dialed('127.0.0.1', actual.port, signal);
      const refused = Object.assign(new Error(`connect ECONNREFUSED ${host}:${port}`), { code: 'ECONNREFUSED' });
      return Promise.reject(refused);
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 256 }, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });
}

const dialMs = 20_000;

function dialed(host: string, port: number, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: dialMs, ...(signal === undefined ? {} : { signal }) });
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.setNoDelay(true);
      resolve(socket);
    });
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('i/o timeout'), { code: 'ETIMEDOUT' })));
    socket.once('error', reject);
  });
}

function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
