import { answer, principalName } from '../call.ts';
import type { Call, Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { died } from '../refusal.ts';
import { accessOf, userConfig } from './state-of.ts';
import { newUser, realmOf, realms } from './state.ts';
import type { User } from './state.ts';
import { shownToken } from './token-routes.ts';

const details = ['firstname', 'lastname', 'email', 'comment', 'keys'];

/** Only what was given. */
function shownUser({ enable, expire, details: known }: User): Record<string, unknown> {
  return { enable: enable ? 1 : 0, expire, ...Object.fromEntries(known) };
}

function joinGroups(call: Call, user: User): void {
  const { groups } = accessOf(call.datacenter);
  for (const group of call.list('groups')) {
    if (!groups.has(group)) throw died(`no such group '${group}'`);
    user.groups.add(group);
  }
}

function maySee(call: Call, userid: string): boolean {
  const access = accessOf(call.datacenter);
  const rights = ['User.Modify', 'Sys.Audit'];
  if (call.may('/access/groups', rights, 'any') || principalName(call.who) === userid) return true;
  return [...(access.users.get(userid)?.groups ?? [])].some((group) =>
    call.may(`/access/groups/${group}`, rights, 'any'),
  );
}

export const userRoutes: Routes = {
  'GET /access/users': (call) => {
    const enabled = call.text('enabled');
    const full = call.flag('full');
    const rows = [...accessOf(call.datacenter).users]
      .filter(([userid]) => maySee(call, userid))
      .filter(([, { enable }]) => enabled === undefined || enable === (enabled === '1'))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([userid, user]) => {
        const type = realms.get(realmOf(userid))?.type;
        return {
          userid,
          ...shownUser(user),
          ...(type === undefined ? {} : { 'realm-type': type }),
          ...(full
            ? {
                groups: [...user.groups].toSorted().join(','),
                tokens: [...user.tokens].map(([tokenid, token]) => ({ tokenid, ...shownToken(token) })),
              }
            : {}),
        };
      });
    return answer(rows);
  },

  'POST /access/users': async (call) => {
    const { users } = accessOf(call.datacenter);
    const userid = call.text('userid') ?? '';
    await changingFile(call, userConfig, 'create user failed', () => {
      if (users.has(userid)) throw died(`user '${userid}' already exists`);
      const user = newUser();
      user.enable = call.text('enable') !== '0';
      user.expire = call.number('expire') ?? 0;
      user.password = call.text('password');
      joinGroups(call, user);
      for (const name of details) {
        const value = call.text(name);
        if (value !== undefined && value !== '') user.details.set(name, value);
      }
      users.set(userid, user);
    });
    return answer(null);
  },

  'GET /access/users/{userid}': (call) => {
    const user = accessOf(call.datacenter).user(call.text('userid') ?? '');
    return answer({
      ...shownUser(user),
      groups: [...user.groups].toSorted(),
      tokens:
        user.tokens.size === 0
          ? null
          : Object.fromEntries([...user.tokens].map(([tokenid, token]) => [tokenid, shownToken(token)])),
    });
  },

  'PUT /access/users/{userid}': async (call) => {
    const access = accessOf(call.datacenter);
    await changingFile(call, userConfig, 'update user failed', () => {
      const user = access.user(call.text('userid') ?? '');
      user.enable = call.text('enable') === undefined ? user.enable : call.flag('enable');
      user.expire = call.number('expire') ?? user.expire;
      if (call.text('groups') !== undefined && !call.flag('append')) user.groups.clear();
      joinGroups(call, user);
      for (const name of details) {
        const value = call.text(name);
        if (value !== undefined) user.details.set(name, value);
      }
    });
    return answer(null);
  },

  'DELETE /access/users/{userid}': async (call) => {
    const { users, acl } = accessOf(call.datacenter);
    const userid = call.text('userid') ?? '';
    await changingFile(call, userConfig, 'delete user failed', () => {
      users.delete(userid);
      acl.forget({
        subjects: ({ kind, id }) =>
          (kind === 'user' && id === userid) || (kind === 'token' && id.startsWith(`${userid}!`)),
      });
    });
    return answer(null);
  },
};
