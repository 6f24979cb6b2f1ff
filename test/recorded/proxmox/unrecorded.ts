import type { Unrecorded } from './happened.ts';
import { unrecordedOfVms } from './unrecorded-vms.ts';

const both = { users: 'ichor@pve', tokens: 'ichor@pve!auto' };

/** A role for the user and for the token of the recordings. */
const grant = (before: number, path: string, roles: string): Unrecorded => ({
  before,
  method: 'PUT',
  path: '/access/acl',
  form: { path, roles, ...both },
});
const revoke = (before: number, path: string, roles: string): Unrecorded => ({
  before,
  method: 'PUT',
  path: '/access/acl',
  form: { path, roles, delete: 1, ...both },
});
const role = (before: number, roleid: string, privs: string): Unrecorded => ({
  before,
  method: 'POST',
  path: '/access/roles',
  form: { roleid, privs },
});
const account = (before: number, form: Readonly<Record<string, number>>): Unrecorded => ({
  before,
  method: 'PUT',
  path: '/access/users/ichor@pve',
  form,
});

/** What was done between two rows without being written down; without it the rows behind make no sense. */
export const unrecorded: readonly Unrecorded[] = [
  ...unrecordedOfVms,
  revoke(1317, '/', 'PVEAuditor'),
  grant(1317, '/pool/talos', 'IchorVM'),
  grant(1330, '/storage/local-lvm', 'PVEDatastoreUser'),
  grant(1338, '/storage/local', 'PVEDatastoreUser'),
  grant(1352, '/sdn/zones/localnetwork/vmbr0', 'PVESDNUser'),
  role(1416, 'Templates', 'Datastore.AllocateTemplate'),
  grant(1416, '/storage/local', 'Templates'),
  role(1417, 'IchorNet', 'Sys.AccessNetwork'),
  grant(1417, '/nodes/pve1', 'IchorNet'),
  revoke(1420, '/storage/local', 'Templates'),
  {
    before: 1421,
    method: 'POST',
    path: '/nodes/pve1/qemu',
    form: { vmid: 120, name: 'p', memory: 64, pool: 'talos', scsi0: 'local-lvm:1' },
    auth: 'token ichor@pve!auto',
    task: 'UPID:pve1:000013FE:000665A3:6AFA3DF6:qmcreate:120:ichor@pve!auto:',
  },
  account(1671, { enable: 0 }),
  account(1673, { enable: 1, expire: 1 }),
  account(1674, { expire: 0 }),
];

/** The request behind a task that nobody asked for in the recording. */
export function requestBehind(task: string): Omit<Unrecorded, 'before' | 'task'> | undefined {
  const [, node = '', pid = '', , , type = '', id = '', user = ''] = task.split(':');
  // Nobody’s: made up by whoever asked for it.
  if (pid === '00000001') return undefined;
  const auth = user.includes('!') ? `token ${user}` : 'ticket root@pam';
  const vm = `/nodes/${node}/qemu/${id}`;
  // Nobody ever had that one.
  if (task.includes(':00000001:')) return undefined;
  switch (type) {
    case 'qmdestroy':
      return { method: 'DELETE', path: node === 'pve1' ? vm : `${vm}?purge=1`, auth };
    case 'qmstart':
      return { method: 'POST', path: `${vm}/status/start`, auth };
    case 'qmstop':
      return { method: 'POST', path: `${vm}/status/stop`, auth };
    case 'qmshutdown':
      return { method: 'POST', path: `${vm}/status/shutdown`, auth };
    case 'imgdel':
      // Which file it was is nowhere said; one that is not there is deleted just as well.
      return { method: 'DELETE', path: `/nodes/${node}/storage/${id}/content/iso%2Fgone.iso`, auth };
    default:
      return undefined;
  }
}
