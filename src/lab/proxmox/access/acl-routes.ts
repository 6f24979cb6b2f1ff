import { answer, principalName } from '../call.ts';
import type { Call, Principal, Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { died, wrongParameters } from '../refusal.ts';
import type { Subject } from './acl.ts';
import { isAclPath, normalPath } from './paths.ts';
import { accessOf, userConfig } from './state-of.ts';
import type { AccessState } from './state.ts';

/** Whom a change is for; refuses whoever is not there. */
function subjectsOf(call: Call): readonly Subject[] {
  const access = accessOf(call.datacenter);
  const known = (there: boolean, text: string): void => {
    if (!there) throw died(text);
  };
  return [
    ...call.list('groups').map((id): Subject => {
      known(access.groups.has(id), `group '${id}' does not exist`);
      return { kind: 'group', id };
    }),
    ...call.list('users').map((id): Subject => {
      known(access.users.has(id), `user '${id}' does not exist`);
      return { kind: 'user', id };
    }),
    ...call.list('tokens').map((id): Subject => {
      const [user = '', token = ''] = id.split('!');
      known(access.user(user).tokens.has(token), `no such token '${token}' for user '${user}'`);
      return { kind: 'token', id };
    }),
  ];
}

/** Who may not give everything may give only what they have. */
function mayHandOut(call: Call, path: string, role: string, propagate: boolean): void {
  const access = accessOf(call.datacenter);
  const own = access.privileges(call.who, path);
  if (own.has('Permissions.Modify')) return;
  const verb = call.flag('delete') ? 'remove' : 'add';
  const cannot = (rest: string): Error => wrongParameters({ role: `Cannot ${verb} role '${role}' ${rest}` });
  for (const privilege of access.roles.get(role) ?? []) {
    if (!own.has(privilege)) throw cannot("- requires 'Permissions.Modify' or superset of privileges.");
    if (propagate && own.get(privilege) !== true && !call.flag('delete'))
      throw cannot("with propagation - requires 'Permissions.Modify' or propagated superset of privileges.");
  }
  if (role === 'NoAccess') throw cannot("- requires 'Permissions.Modify'");
}

const usualPaths = ['/', '/access', '/access/groups', '/nodes', '/pool', '/sdn', '/storage', '/vms'];

/** Everything that somebody has anywhere; paths where that is nothing are left out. */
function effective({ datacenter }: Call, who: Principal): Record<string, Record<string, 0 | 1>> {
  const access = accessOf(datacenter);
  const members = [...datacenter.pools.values()].flatMap(({ vms, storages }) => [
    ...[...vms].map((vmid) => `/vms/${vmid}`),
    ...[...storages].map((storage) => `/storage/${storage}`),
  ]);
  const paths = new Set([...usualPaths, ...access.acl.paths(), ...members]);
  return Object.fromEntries(
    [...paths]
      .map((path) => [path, shown(access, who, path)] as const)
      .filter(([, held]) => Object.keys(held).length > 0),
  );
}

const shown = (access: AccessState, who: Principal, path: string): Record<string, 0 | 1> =>
  Object.fromEntries([...access.privileges(who, path)].map(([privilege, propagate]) => [privilege, propagate ? 1 : 0]));

export const aclRoutes: Routes = {
  'GET /access/acl': (call) => {
    const audit = call.may('/access', ['Sys.Audit']);
    return answer(
      accessOf(call.datacenter)
        .acl.all()
        .filter(({ path }) => audit || call.may(path, ['Permissions.Modify']))
        .map(({ path, kind, id, role, propagate }) => ({
          path,
          type: kind,
          ugid: id,
          roleid: role,
          propagate: propagate ? 1 : 0,
        })),
    );
  },

  'PUT /access/acl': async (call) => {
    const { roles, acl } = accessOf(call.datacenter);
    if (['users', 'groups', 'tokens'].every((name) => (call.text(name) ?? '') === '')) {
      const text = "either 'users', 'groups' or 'tokens' is required.";
      throw wrongParameters({ users: text, groups: text, tokens: text });
    }
    const given = call.text('path') ?? '';
    const path = normalPath(given);
    if (path === undefined || !(call.flag('delete') || isAclPath(path)))
      throw wrongParameters({ path: `invalid ACL path '${given}'` });
    const propagate = call.text('propagate') !== '0';
    await changingFile(call, userConfig, 'ACL update failed', () => {
      for (const role of call.list('roles')) {
        if (!roles.has(role)) throw died(`role '${role}' does not exist`);
        mayHandOut(call, path, role, propagate);
        for (const subject of subjectsOf(call))
          if (call.flag('delete')) acl.revoke({ ...subject, path, role });
          else acl.grant({ ...subject, path, role, propagate });
      }
    });
    return answer(null);
  },

  'GET /access/permissions': (call) => {
    const self = principalName(call.who);
    const wanted = call.text('userid') ?? self;
    const [user = '', token] = wanted.split('!');
    if (wanted !== self && !(token !== undefined && user === self)) call.require('/access', ['Sys.Audit']);
    const who: Principal = { user, token };
    const path = call.text('path');
    return answer(path === undefined ? effective(call, who) : { [path]: shown(accessOf(call.datacenter), who, path) });
  },
};
