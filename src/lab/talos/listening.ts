import type { Server } from 'node:net';

export function listenOn(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 256 }, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });
}

export const stopListening = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
