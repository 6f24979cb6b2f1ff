import { answer, type Call, type Handler, type Routes } from '../call.ts';
import { changingFile, mustBeQuorate } from '../cluster/lock.ts';
import { died } from '../refusal.ts';
import { nodesText, parseNodes, type HaGroup } from './config.ts';

const numbers = ['restricted', 'nofailback'];
const settable = ['nodes', 'comment', ...numbers];

/** Groups are of 8; with 9 they have become rules. */
const untilNine =
  (doing: string, handler: Handler): Handler =>
  (call) => {
    if (call.datacenter.version.major >= 9) throw died(`cannot ${doing}: ha groups have been migrated to rules`);
    return handler(call);
  };

function rowOf({ datacenter }: Call, { id, properties }: HaGroup): Readonly<Record<string, unknown>> {
  const shown = [...properties].map(([key, value]): [string, string | number] => [
    key,
    numbers.includes(key) ? Number(value) : value,
  ]);
  return { ...Object.fromEntries(shown), group: id, type: 'group', digest: datacenter.ha.config.groupsDigest() };
}

const given = (call: Call): [string, string][] =>
  settable.flatMap((key): [string, string][] => {
    const value = call.text(key);
    if (value === undefined) return [];
    return [[key, key === 'nodes' ? nodesText(parseNodes(call.list('nodes'))) : value]];
  });

const readGroup: Handler = (call) => {
  const id = call.text('group') ?? '';
  const group = call.datacenter.ha.config.groups.get(id);
  if (group === undefined) throw died(`no such ha group '${id}'`);
  return answer(rowOf(call, group));
};

const createGroup: Handler = (call) => {
  mustBeQuorate(call);
  const { groups } = call.datacenter.ha.config;
  const id = call.text('group') ?? '';
  return changingFile(call, 'domain-ha', 'create ha group failed', () => {
    if (groups.has(id)) throw died(`ha group ID '${id}' already defined`);
    groups.set(id, { id, properties: new Map(given(call)) });
    return answer(null);
  });
};

const updateGroup: Handler = (call) =>
  changingFile(call, 'domain-ha', 'update ha group failed', () => {
    const { config } = call.datacenter.ha;
    const id = call.text('group') ?? '';
    const digest = call.text('digest');
    if (digest !== undefined && digest !== config.groupsDigest())
      throw died('detected modified configuration - file changed by other user? Try again.');
    const group = config.groups.get(id);
    if (group === undefined) throw died(`no such ha group '${id}'`);
    for (const key of call.list('delete')) {
      if (!settable.includes(key)) throw died(`no such option '${key}'`);
      if (key === 'nodes') throw died(`unable to delete required option '${key}'`);
      group.properties.delete(key);
    }
    for (const [key, value] of given(call)) group.properties.set(key, value);
    return answer(null);
  });

const deleteGroup: Handler = (call) =>
  changingFile(call, 'domain-ha', 'delete ha group failed', () => {
    const { config } = call.datacenter.ha;
    const id = call.text('group') ?? '';
    const user = [...config.resources.values()].find(({ properties }) => properties.get('group') === id);
    if (user !== undefined) throw died(`ha group is used by service '${user.sid}'`);
    config.groups.delete(id);
    return answer(null);
  });

export const haGroupRoutes: Routes = {
  'GET /cluster/ha/groups': untilNine('index groups', (call) =>
    answer([...call.datacenter.ha.config.groups.values()].map((group) => rowOf(call, group))),
  ),
  'POST /cluster/ha/groups': untilNine('create group', createGroup),
  'GET /cluster/ha/groups/{group}': untilNine('read group', readGroup),
  'PUT /cluster/ha/groups/{group}': untilNine('update group', updateGroup),
  'DELETE /cluster/ha/groups/{group}': untilNine('delete group', deleteGroup),
};
