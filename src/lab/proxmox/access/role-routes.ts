import { answer } from '../call.ts';
import type { Call, Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { died, wrongParameters } from '../refusal.ts';
import { accessOf, userConfig } from './state-of.ts';

function mustBeOurs(call: Call, what: string): string {
  const role = call.text('roleid') ?? '';
  if (accessOf(call.datacenter).isBuiltIn(role)) throw died(`auto-generated role '${role}' cannot be ${what}`);
  return role;
}

function mustExist(call: Call, role: string): ReadonlySet<string> {
  const privileges = accessOf(call.datacenter).roles.get(role);
  if (privileges === undefined) throw died(`role '${role}' does not exist`);
  return privileges;
}

export const roleRoutes: Routes = {
  'GET /access/roles': (call) => {
    const access = accessOf(call.datacenter);
    return answer(
      [...access.roles].map(([roleid, privileges]) => ({
        roleid,
        privs: [...privileges].toSorted().join(','),
        special: access.isBuiltIn(roleid) ? 1 : 0,
      })),
    );
  },

  'POST /access/roles': async (call) => {
    const { roles } = accessOf(call.datacenter);
    const role = call.text('roleid') ?? '';
    if (/^PVE/i.test(role))
      throw wrongParameters({ roleid: "cannot use role ID starting with the (case-insensitive) 'PVE' namespace" });
    await changingFile(call, userConfig, 'create role failed', () => {
      if (roles.has(role)) throw died(`role '${role}' already exists`);
      roles.set(role, new Set(call.list('privs')));
    });
    return answer(null);
  },

  'GET /access/roles/{roleid}': (call) =>
    answer(Object.fromEntries([...mustExist(call, call.text('roleid') ?? '')].map((privilege) => [privilege, 1]))),

  'PUT /access/roles/{roleid}': async (call) => {
    const role = mustBeOurs(call, 'modified');
    await changingFile(call, userConfig, 'update role failed', () => {
      const before = mustExist(call, role);
      accessOf(call.datacenter).roles.set(
        role,
        new Set([...(call.flag('append') ? before : []), ...call.list('privs')]),
      );
    });
    return answer(null);
  },

  'DELETE /access/roles/{roleid}': async (call) => {
    const role = mustBeOurs(call, 'deleted');
    await changingFile(call, userConfig, 'delete role failed', () => {
      mustExist(call, role);
      accessOf(call.datacenter).roles.delete(role);
    });
    return answer(null);
  },
};
