import type { PveVersion } from '../datacenter.ts';

type Levels = {
  readonly root: readonly string[];
  readonly admin: readonly string[];
  readonly user: readonly string[];
  readonly audit: readonly string[];
};

const config = ['Disk', 'CPU', 'Memory', 'Network', 'HWType', 'Options'].map((each) => `VM.Config.${each}`);

/** 9 took the agent out of VM.Monitor, gave it privileges of its own, and added replication. */
const vm = {
  8: {
    admin: ['VM.Monitor'],
    user: [],
    audit: [],
  },
  9: {
    admin: ['VM.GuestAgent.Unrestricted', 'VM.Replicate'],
    user: ['VM.GuestAgent.FileRead', 'VM.GuestAgent.FileSystemMgmt', 'VM.GuestAgent.FileWrite'],
    audit: ['VM.GuestAgent.Audit'],
  },
} as const;

/** Privileges by what they are about and by who is meant to have them. */
const groups = (major: PveVersion['major']): Readonly<Record<string, Levels>> => ({
  VM: {
    root: [],
    admin: [
      ...config,
      'VM.Allocate',
      'VM.Clone',
      'VM.Migrate',
      'VM.Snapshot',
      'VM.Snapshot.Rollback',
      ...vm[major].admin,
    ],
    user: ['VM.Config.CDROM', 'VM.Config.Cloudinit', 'VM.Console', 'VM.Backup', 'VM.PowerMgmt', ...vm[major].user],
    audit: ['VM.Audit', ...vm[major].audit],
  },
  Sys: {
    root: ['Sys.PowerMgmt', 'Sys.Modify', 'Sys.Incoming', 'Sys.AccessNetwork'],
    admin: ['Sys.Console', 'Sys.Syslog'],
    user: [],
    audit: ['Sys.Audit'],
  },
  Datastore: {
    root: [],
    admin: ['Datastore.Allocate', 'Datastore.AllocateTemplate'],
    user: ['Datastore.AllocateSpace'],
    audit: ['Datastore.Audit'],
  },
  SDN: { root: [], admin: ['SDN.Allocate', 'SDN.Audit'], user: ['SDN.Use'], audit: ['SDN.Audit'] },
  User: {
    root: ['Realm.Allocate'],
    admin: ['User.Modify', 'Group.Allocate', 'Realm.AllocateUser'],
    user: [],
    audit: [],
  },
  Pool: { root: [], admin: ['Pool.Allocate'], user: ['Pool.Audit'], audit: ['Pool.Audit'] },
  Mapping: { root: [], admin: ['Mapping.Modify'], user: ['Mapping.Use'], audit: ['Mapping.Audit'] },
});

export const privilegesOf = (major: PveVersion['major']): ReadonlySet<string> =>
  new Set([
    'Permissions.Modify',
    ...Object.values(groups(major)).flatMap(({ root, admin, user, audit }) => [...root, ...admin, ...user, ...audit]),
  ]);

/** Roles that are always there and that nobody can change. */
export function builtInRoles(major: PveVersion['major']): ReadonlyMap<string, ReadonlySet<string>> {
  const all = Object.entries(groups(major));
  const roles = new Map<string, ReadonlySet<string>>([
    ['NoAccess', new Set()],
    ['Administrator', privilegesOf(major)],
    ['PVETemplateUser', new Set(['VM.Clone', 'VM.Audit'])],
    ['PVEAuditor', new Set(all.flatMap(([, { audit }]) => audit))],
    [
      'PVEAdmin',
      new Set(
        all
          .flatMap(([, { admin, user, audit }]) => [...admin, ...user, ...audit])
          // Whoever may change what hardware is mapped can reach into the host.
          .filter((each) => each !== 'Mapping.Modify'),
      ),
    ],
  ]);
  for (const [name, { admin, user, audit }] of all) {
    roles.set(`PVE${name}Admin`, new Set([...admin, ...user, ...audit]));
    if (user.length > 0) roles.set(`PVE${name}User`, new Set([...user, ...audit]));
  }
  return roles;
}
