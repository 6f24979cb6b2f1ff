import { isIP } from 'node:net';
import type { Call } from '../../grpc/server.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { serveLocally } from '../machined/serve.ts';
import type { LocalCall } from '../machined/call.ts';
import { fanOut } from './fan-out.ts';
import { isLocal } from './local.ts';
import { minorOf } from './methods.ts';
import { callNode } from './peer.ts';

const manyAllowed = [
  '/machine.MachineService/',
  '/cluster.ClusterService/',
  '/inspect.InspectService/',
  '/storage.StorageService/',
  '/time.TimeService/',
];

/** Who answers: this node, another one, or several. */
export async function route(given: LocalCall): Promise<void> {
  const { machine, boot, call } = given;
  const { metadata } = call;
  const nodes = metadata.get('nodes');
  const node = metadata.get('node');
  if (metadata.has('proxyfrom') || (nodes === undefined && node === undefined)) return serveLocally(given);
  if (boot.settings?.type !== 'controlplane') {
    const targets = nodes ?? node ?? [];
    const own = [...machine.ownAddresses(), boot.hostname];
    if (targets.length === 1 && own.includes(targets[0])) return serveLocally(given);
    throw new GrpcStatus('PERMISSION_DENIED', 'no request forwarding');
  }
  if (nodes !== undefined) {
    if (!fansOut(call, minorOf(boot.version)))
      throw new GrpcStatus('INVALID_ARGUMENT', `one-2-many proxying is not supported for method ${call.path}`);
    nodes.forEach(requireTarget);
    return fanOut(given, nodes);
  }
  const [target = '', ...more] = node ?? [];
  if (more.length > 0) throw new GrpcStatus('INVALID_ARGUMENT', 'node metadata must be single-valued');
  requireTarget(target);
  if (isLocal(given, target)) return serveLocally(given);
  for await (const message of callNode(given, target)) await call.send(message);
}

const fansOut = ({ path }: Call, minor: number): boolean =>
  minor >= 13 ? manyAllowed.some((prefix) => path.startsWith(prefix)) : !path.startsWith('/cosi.');

function requireTarget(target: string): void {
  const port = isIP(target) === 0 && /:\d+$/.test(target);
  if (target === '' || port) throw new GrpcStatus('INTERNAL', `invalid target "${target}"`);
}
