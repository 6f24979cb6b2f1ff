import { answer } from '../call.ts';
import type { Call, Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { died } from '../refusal.ts';
import { accessOf, userConfig } from './state-of.ts';

const membersOf = (call: Call, group: string): readonly string[] =>
  [...accessOf(call.datacenter).users]
    .flatMap(([userid, { groups }]) => (groups.has(group) ? [userid] : []))
    .toSorted((one, other) => (one < other ? -1 : 1));

const shown = (comment: string | undefined): Record<string, string> => (comment === undefined ? {} : { comment });

function existing(call: Call): { comment: string | undefined } {
  const groupid = call.text('groupid') ?? '';
  const group = accessOf(call.datacenter).groups.get(groupid);
  if (group === undefined) throw died(`group '${groupid}' does not exist`);
  return group;
}

export const groupRoutes: Routes = {
  'GET /access/groups': (call) =>
    answer(
      [...accessOf(call.datacenter).groups]
        .filter(([group]) => call.may(`/access/groups/${group}`, ['User.Modify', 'Sys.Audit', 'Group.Allocate'], 'any'))
        .map(([groupid, { comment }]) => ({ groupid, ...shown(comment), users: membersOf(call, groupid).join(',') })),
    ),

  'POST /access/groups': async (call) => {
    const { groups } = accessOf(call.datacenter);
    const groupid = call.text('groupid') ?? '';
    await changingFile(call, userConfig, 'create group failed', () => {
      if (groups.has(groupid)) throw died(`group '${groupid}' already exists`);
      const comment = call.text('comment');
      groups.set(groupid, { comment: comment === '' ? undefined : comment });
    });
    return answer(null);
  },

  'GET /access/groups/{groupid}': (call) => {
    const { comment } = existing(call);
    return answer({ members: membersOf(call, call.text('groupid') ?? ''), ...shown(comment) });
  },

  'PUT /access/groups/{groupid}': async (call) => {
    await changingFile(call, userConfig, 'update group failed', () => {
      const group = existing(call);
      group.comment = call.text('comment') ?? group.comment;
    });
    return answer(null);
  },

  'DELETE /access/groups/{groupid}': async (call) => {
    const { groups, users, acl } = accessOf(call.datacenter);
    const groupid = call.text('groupid') ?? '';
    await changingFile(call, userConfig, 'delete group failed', () => {
      existing(call);
      groups.delete(groupid);
      // Who was in it keeps no place in one of the same name that comes later.
      for (const user of users.values()) user.groups.delete(groupid);
      acl.forget({ subjects: ({ kind, id }) => kind === 'group' && id === groupid });
    });
    return answer(null);
  },
};
