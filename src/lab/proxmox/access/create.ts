import type { Principal } from '../call.ts';
import { principalName } from '../call.ts';
import type { Datacenter } from '../datacenter.ts';
import { died } from '../refusal.ts';
import { createAcl } from './acl.ts';
import type { Roles, Subject } from './acl.ts';
import { builtInRoles } from './privileges.ts';
import { newUser } from './state.ts';
import type { AccessState, User } from './state.ts';
import { createTickets } from './tickets.ts';
import type { LabClock } from '../../clock.ts';

const none: ReadonlyMap<string, boolean> = new Map();

export function createAccess(datacenter: () => Datacenter, major: 8 | 9, clock: LabClock): AccessState {
  const users = new Map<string, User>([['root@pam', newUser()]]);
  const builtIn = builtInRoles(major);
  const roles = new Map(builtIn);
  const acl = createAcl();
  const everything: ReadonlyMap<string, boolean> = new Map(
    [...(builtIn.get('Administrator') ?? [])].map((privilege) => [privilege, true]),
  );

  const rolesAt = (who: Subject, path: string): Roles => {
    const groups = users.get(who.id)?.groups ?? new Set<string>();
    const direct = acl.rolesOf(who, groups, path);
    const pool = poolOf(datacenter(), path);
    if (pool === undefined || direct.has('NoAccess')) return direct;
    const through = acl.rolesOf(who, groups, `/pool/${pool}`);
    if (through.has('NoAccess')) return new Map([['NoAccess', false]]);
    // What comes with a pool never goes on from its members.
    return new Map([...[...through.keys()].map((role) => [role, false] as const), ...direct]);
  };

  const privilegesOf = (who: Subject, path: string): ReadonlyMap<string, boolean> => {
    const privileges = new Map<string, boolean>();
    for (const [role, propagate] of rolesAt(who, path))
      for (const privilege of roles.get(role) ?? [])
        privileges.set(privilege, propagate || privileges.get(privilege) === true);
    return privileges;
  };

  const privileges = (who: Principal, path: string): ReadonlyMap<string, boolean> => {
    const token = who.token === undefined ? undefined : users.get(who.user)?.tokens.get(who.token);
    if (who.token !== undefined && token === undefined) return none;
    if (token?.privsep !== true)
      return who.user === 'root@pam' ? everything : privilegesOf({ kind: 'user', id: who.user }, path);
    const own = privilegesOf({ kind: 'token', id: principalName(who) }, path);
    if (who.user === 'root@pam') return own;
    const owner = privilegesOf({ kind: 'user', id: who.user }, path);
    return new Map(
      [...own]
        .filter(([privilege]) => owner.has(privilege))
        .map(([privilege, propagate]) => [privilege, propagate && owner.get(privilege) === true]),
    );
  };

  return {
    users,
    groups: new Map(),
    roles,
    acl,
    tickets: createTickets(clock),
    isBuiltIn: (role) => builtIn.has(role),
    privileges,
    may: (who, path, wanted, how = 'all') => {
      const held = privileges(who, path);
      return how === 'any' ? wanted.some((each) => held.has(each)) : wanted.every((each) => held.has(each));
    },
    forgetPath: (path) => acl.forget({ path }),
    user: (userid) => {
      const user = users.get(userid);
      if (user === undefined) throw died(`no such user ('${userid}')`);
      return user;
    },
    whyNot: (userid) => {
      const user = users.get(userid);
      if (user === undefined) return `no such user ('${userid}')`;
      if (!user.enable) return `user '${userid}' is disabled`;
      const expired = user.expire > 0 && user.expire < clock.now().getTime() / 1000;
      return expired ? `user '${userid}' access expired` : undefined;
    },
  };
}

/** The pool that a VM or storage is a member of. */
function poolOf({ pools }: Datacenter, path: string): string | undefined {
  const [, kind, id = ''] = /^\/(vms|storage)\/([^/]+)$/.exec(path) ?? [];
  if (kind === undefined) return undefined;
  for (const [name, pool] of pools) if (kind === 'vms' ? pool.vms.has(Number(id)) : pool.storages.has(id)) return name;
  return undefined;
}
