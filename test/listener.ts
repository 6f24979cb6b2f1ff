import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Somebody who listens on loopback until the test is over. */
export async function listener(
  receive: (socket: Socket) => void,
): Promise<{ readonly host: string; readonly port: number }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => receive(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

/** How the other end may leave who has said something, and what is heard of it. */
export const hangingUp: readonly [how: string, hangUp: (socket: Socket) => void, heard: string][] = [
  ['says goodbye and hangs up', (socket) => socket.once('data', () => socket.end('bye')), 'bye'],
  ['breaks off', (socket) => socket.once('data', () => socket.resetAndDestroy()), ''],
];
