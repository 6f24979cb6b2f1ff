import { done, forbidden, refused } from '../case.ts';
import type { Case, Chapter } from '../case.ts';

const give = (name: string, path: string, roles: string, to: Readonly<Record<string, string | number>>): Case =>
  done(name, 'PUT /access/acl', { form: { path, roles, ...to } });
const robot = { tokens: 'eva@pve!robot' };
const eva = { users: 'eva@pve' };
const both = { ...eva, ...robot };
const permissions = (name: string, data: unknown, path?: string): Case =>
  done(
    name,
    `GET /access/permissions${path === undefined ? '' : `?path=${encodeURIComponent(path)}`}`,
    { who: 'eva’s token' },
    data,
  );

const vmid = 4200;

export const rights: Chapter = {
  title: 'rights',
  cases: [
    permissions('a token starts with nothing', {}),
    forbidden(
      'a VM is not looked at',
      `GET /nodes/h1/qemu/${vmid}/config`,
      { who: 'eva’s token' },
      `/vms/${vmid}, VM.Audit`,
    ),
    forbidden('nor is the cluster', 'GET /cluster/status', { who: 'eva’s token' }, '/, Sys.Audit'),
    forbidden(
      'whether the parameters are good or not',
      'GET /cluster/status?x=1',
      { who: 'eva’s token' },
      '/, Sys.Audit',
    ),
    forbidden(
      'whether a host is there or not',
      'GET /nodes/attic/status',
      { who: 'eva’s token' },
      '/nodes/attic, Sys.Audit',
    ),
    forbidden(
      'several rights would do',
      'GET /nodes/h1/storage/local/content',
      { who: 'eva’s token' },
      '/storage/local, Datastore.Audit|Datastore.AllocateSpace',
    ),
    forbidden('some need one of two things', 'GET /nodes/h1/query-url-metadata?url=http://x', { who: 'eva’s token' }),
    give('the token alone is given something', '/', 'PVEAuditor', robot),
    permissions('which is nothing without its user', {}),
    give('the user is given a part of it', '/vms', 'PVEAuditor', eva),
    permissions('both have that part', { '/vms/4200': auditor() }, '/vms/4200'),
    refused(
      'now it is seen that the VM is not there',
      `GET /nodes/h1/qemu/${vmid}/config`,
      { who: 'eva’s token' },
      500,
      `Configuration file 'nodes/h1/qemu-server/${vmid}.conf' does not exist`,
    ),
    forbidden(
      'but nothing is done to it',
      `POST /nodes/h1/qemu/${vmid}/status/start`,
      { who: 'eva’s token' },
      `/vms/${vmid}, VM.PowerMgmt`,
    ),
    give('who is named further down counts alone', `/vms/${vmid}`, 'Operator', both),
    permissions(
      'and what was said above is replaced',
      { [`/vms/${vmid}`]: { 'VM.Audit': 1, 'VM.PowerMgmt': 1, 'VM.Console': 1 } },
      `/vms/${vmid}`,
    ),
    give('nothing is a right too', `/vms/${vmid}`, 'NoAccess', both),
    permissions('and it wins', { [`/vms/${vmid}`]: {} }, `/vms/${vmid}`),
    done('a pool with a VM that is not there yet', 'POST /pools', { form: { poolid: 'crew' } }),
    done('', 'PUT /pools', { form: { poolid: 'crew', vms: 4201 } }),
    give('rights over a pool', '/pool/crew', 'Operator', both),
    permissions(
      'are rights over its members, and go no further',
      {
        '/vms/4201': {
          ...zeros(auditor()),
          ...zeros({ 'VM.Audit': 1, 'VM.PowerMgmt': 1, 'VM.Console': 1 }),
          ...auditor(),
        },
      },
      '/vms/4201',
    ),
    forbidden(
      'who may not hand out rights does not',
      'PUT /access/acl',
      { who: 'eva’s token', form: { path: '/vms/4201', roles: 'Operator', ...eva } },
      '/vms/4201, Permissions.Modify|VM.Allocate',
    ),
    forbidden('a token is not its user', 'POST /access/users/eva@pve/token/other', { who: 'eva’s token', form: {} }),
    {
      ...done('the user may', 'GET /access/users/eva@pve/token/robot', { who: 'eva' }),
      body: { data: { privsep: 1, expire: 0, comment: 'builds' } },
    },
    forbidden(
      'root’s token is not root',
      'POST /nodes/h1/storage/local/content/iso/a.iso',
      { form: { target: 'x' } },
      'user != root@pam',
    ),
  ],
};

function auditor(): Record<string, 0 | 1> {
  return {
    'VM.Audit': 1,
    'VM.GuestAgent.Audit': 1,
    'Sys.Audit': 1,
    'Datastore.Audit': 1,
    'SDN.Audit': 1,
    'Pool.Audit': 1,
    'Mapping.Audit': 1,
  };
}

function zeros(privileges: Readonly<Record<string, 0 | 1>>): Record<string, 0 | 1> {
  return Object.fromEntries(Object.keys(privileges).map((name) => [name, 0]));
}
