import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { readableKey } from '../../src/clients/talos/credentials.ts';
import { openTalos } from '../../src/clients/talos/node.ts';
import { serveGrpc } from '../../src/lab/grpc/server.ts';
import { GrpcStatus } from '../../src/lab/grpc/status.ts';
import { acceptTls, secureContext } from '../../src/lab/tls/accept.ts';
import { aCluster } from './peer.ts';

/**
 * Hangs up while what arrives is being read, again and again: the client when one call was refused and another is open, the node
 * instead of an answer, or a node that is cut off, so that what is written to it fails. What goes wrong there ends the process, so
 * this is one of its own.
 */
const [whoHangsUp, rounds] = process.argv.slice(2);
const { authority, server: leaf, admin } = await aCluster();
const access = { kind: 'mutual', ca: authority.crt, ...admin } as const;
const context = secureContext({ crt: leaf.crt, key: readableKey(leaf.key) });
const { signal } = new AbortController();

const server = createServer((raw) => {
  void acceptTls(raw, { context }).then((accepted) => {
    if (accepted === undefined) return;
    const connection = serveGrpc(accepted.socket, async ({ path }) => {
      if (whoHangsUp === 'node' && path.endsWith('/Version')) connection.destroy();
      await setTimeout(Math.random() * 3);
      if (whoHangsUp === 'cable' && Math.random() < 0.2) raw.resetAndDestroy();
      throw new GrpcStatus('UNAVAILABLE', 'not now');
    });
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

async function once(): Promise<void> {
  await using node = openTalos({ host: '127.0.0.1', port, access });
  const calls = whoHangsUp === 'cable' ? 10 : 1;
  const both = Array.from({ length: calls }, () => [node.machineStatus(signal), node.version(signal)]).flat();
  if (whoHangsUp === 'client') await Promise.all(both).catch(() => undefined);
  else await Promise.allSettled(both);
}
for (let round = 0; round < Number(rounds); round++) await Promise.all([once(), once(), once(), once()]);
server.close();
process.stdout.write('still here\n');
