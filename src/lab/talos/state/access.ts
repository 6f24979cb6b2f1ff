import { GrpcStatus } from '../../grpc/status.ts';
import { definitionOf, isNamespace } from './definitions.ts';

export type Roles = ReadonlySet<string>;

const readers = ['os:admin', 'os:operator', 'os:reader'];

/** What a caller with these roles may read; the order of the questions is the one of Talos. */
export function requireReadable(namespace: string, type: string, roles: Roles): void {
  if (!readers.some((role) => roles.has(role))) throw notAuthorized();
  const definition = definitionOf(type);
  if (definition === undefined) throw denied(`resource type ${JSON.stringify(type)} is not supported`);
  if (definition.sensitive === true && !roles.has('os:admin')) throw notAuthorized();
  if (!isNamespace(namespace)) throw denied(`namespace ${JSON.stringify(namespace)} is not supported`);
}

/** Nobody may write: what is asked for is not looked at. */
export function refuseWrite(roles: Roles): GrpcStatus {
  return roles.has('os:admin') ? denied('write access is not allowed') : notAuthorized();
}

const denied = (message: string): GrpcStatus => new GrpcStatus('PERMISSION_DENIED', message);
const notAuthorized = (): GrpcStatus => denied('not authorized');
