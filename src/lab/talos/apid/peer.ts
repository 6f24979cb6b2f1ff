import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { callThrough, openSession } from '../../grpc/client.ts';
import { hangUp } from '../../grpc/hang-up.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import type { LocalCall } from '../machined/call.ts';
import { reachesDiscovery } from '../node/discovery.ts';
import { impersonator } from './credentials.ts';
import { forever } from './faulty.ts';

const port = 50_000;

/** Calls another node in the name of the caller and passes its frames on as they are. */
export async function* callNode(given: LocalCall, target: string): AsyncGenerator<Uint8Array> {
  const { machine, boot, call, roles } = given;
  const address = await addressOf(given, target);
  if (!machine.world.isThere(address)) throw unreachable(address, 'connect: no route to host');
  const raw = await machine.world.network.dial(address, port).catch((error: NodeJS.ErrnoException) => {
    throw unreachable(address, words[error.code ?? ''] ?? error.message);
  });
  const { settings } = boot;
  if (settings === undefined) throw new GrpcStatus('UNAVAILABLE', 'no configuration');
  const own = impersonator(boot.clock, settings.ca);
  const socket = connectTls({
    socket: raw,
    cert: own.crt,
    key: own.key,
    ca: [settings.ca.crt, ...settings.acceptedCas],
    checkServerIdentity: () => undefined,
    ALPNProtocols: ['h2'],
    minVersion: 'TLSv1.3',
  });
  const session = openSession(socket);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', (error: Error) => reject(unreachable(address, error.message)));
      socket.once('close', () => reject(unreachable(address, 'EOF')));
    });
    const metadata = new Map(
      [...call.metadata].filter(([key]) => !/^(node|nodes|talos-role|content-type|te|grpc-.*|user-agent)$/.test(key)),
    );
    metadata.set('proxyfrom', [machine.address]);
    metadata.set('talos-role', [...roles]);
    yield* callThrough(session, { path: call.path, metadata, requests: call.requests }, call.signal);
  } finally {
    hangUp(session, socket);
  }
}

/** Nodes know each other’s names. */
async function addressOf({ machine, call }: LocalCall, target: string): Promise<string> {
  if (isIP(target) !== 0) return target;
  // Without the discovery service nobody knows a bare name, and nobody says so either.
  if (!reachesDiscovery(machine) && /^[a-z0-9-]+$/.test(target)) return forever(call.signal);
  for (const other of machine.world.machines()) if (other.boot?.hostname === target) return other.address;
  throw new GrpcStatus('UNAVAILABLE', 'name resolver error: produced zero addresses');
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
};

const unreachable = (address: string, why: string): GrpcStatus =>
  new GrpcStatus(
    'UNAVAILABLE',
    `connection error: desc = "transport: Error while dialing: dial tcp ${address}:${port}: ${why}"`,
  );
