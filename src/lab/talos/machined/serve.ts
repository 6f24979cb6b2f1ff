import { GrpcStatus } from '../../grpc/status.ts';
import { methodAt, minorOf } from '../apid/methods.ts';
import type { LocalCall } from './call.ts';
import { handlers } from './handlers.ts';

/** Anybody may bring the first configuration, and clear a disk for it. */
const openInMaintenance = ['/machine.MachineService/ApplyConfiguration', '/storage.StorageService/BlockDeviceWipe'];

export async function serveLocally(given: LocalCall): Promise<void> {
  const { call, boot, roles, maintenance } = given;
  const minor = minorOf(boot.version);
  if (maintenance && minor < 13) refuseInOldMaintenance(call.path, minor);
  const method = methodAt(call.path, boot.version);
  if (typeof method === 'string') throw new GrpcStatus('UNIMPLEMENTED', method);
  const open = maintenance && openInMaintenance.includes(call.path);
  if (!open && !method.roles.some((role) => roles.has(role)))
    throw new GrpcStatus('PERMISSION_DENIED', 'not authorized');
  const handler = handlers[call.path];
  if (handler === undefined) throw new GrpcStatus('UNIMPLEMENTED', `the twin does not simulate ${call.path}`);
  await handler(given);
}

const oldMaintenance = [
  '/machine.MachineService/ApplyConfiguration',
  '/storage.StorageService/Disks',
  '/cosi.resource.State/Get',
  '/cosi.resource.State/List',
  '/cosi.resource.State/Watch',
];

/** Before 1.13 a small server of its own answered in maintenance mode. */
function refuseInOldMaintenance(path: string, minor: number): void {
  if (oldMaintenance.includes(path) || (minor >= 11 && path === '/storage.StorageService/BlockDeviceWipe')) return;
  const [, service = '', name = ''] = path.split('/');
  if (!['machine.MachineService', 'storage.StorageService', 'cosi.resource.State'].includes(service))
    throw new GrpcStatus('UNIMPLEMENTED', `unknown service ${service}`);
  throw new GrpcStatus(
    'UNIMPLEMENTED',
    ['Version', 'Upgrade', 'Reset', 'MetaWrite', 'MetaDelete'].includes(name)
      ? 'API is not implemented in maintenance mode'
      : `method ${name} not implemented`,
  );
}
