import { answer, type Call, type Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { died, wrongParameters } from '../refusal.ts';
import { mustBeUnchanged } from './digest-check.ts';
import { digestOf, withDigest, type FirewallFile, type Row, type Rule, type SecurityGroup } from './file.ts';
import { ruleRoutes, type RuleList } from './rule-routes.ts';
import { clusterScope } from './scope.ts';

const groupsOf = ({ groups }: FirewallFile): readonly Row[] =>
  [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, { comment }]) => ({ group, comment: comment === '' ? undefined : comment }));

function groupNamed(call: Call, { groups }: FirewallFile): SecurityGroup {
  const name = call.text('group') ?? '';
  const group = groups.get(name);
  if (group === undefined) throw died(`no such security group '${name}'`);
  return group;
}

const groupRules: RuleList = {
  home: 'group',
  file: ({ datacenter }) => datacenter.firewall.cluster,
  get: (call, file) => groupNamed(call, file).rules,
  set: (call, file, rules) => {
    groupNamed(call, file).rules = rules;
  },
  lock: clusterScope.lock,
};

const createGroup = (call: Call) =>
  changingFile(call, clusterScope.lock(call), undefined, () => {
    const { cluster } = call.datacenter.firewall;
    const [name, rename, comment] = [call.text('group') ?? '', call.text('rename'), call.text('comment')];
    if (rename !== undefined) renameGroup(call, name, rename, comment);
    else {
      if (cluster.groups.has(name)) throw wrongParameters({ group: `Security group '${name}' already exists` });
      cluster.groups.set(name, { comment, rules: [] });
    }
    return answer(null);
  });

/** Everywhere where it is used; with the name that it has already, only its comment changes. */
function renameGroup(call: Call, name: string, rename: string, comment: string | undefined): void {
  const { firewall } = call.datacenter;
  const { groups } = firewall.cluster;
  mustBeUnchanged(call, digestOf(groupsOf(firewall.cluster)));
  const group = groups.get(rename);
  if (group === undefined) throw wrongParameters({ group: `Security group '${rename}' does not exist` });
  if (name !== rename && groups.has(name))
    throw wrongParameters({ group: `Security group '${name}' does already exist` });
  if (comment !== undefined) group.comment = comment;
  if (name === rename) return;
  groups.delete(rename);
  groups.set(name, group);
  const isUse = (rule: Rule): boolean => rule.get('type') === 'group' && rule.get('action') === rename;
  for (const { rules } of firewall.files()) for (const rule of rules) if (isUse(rule)) rule.set('action', name);
}

const deleteGroup = (call: Call) =>
  changingFile(call, clusterScope.lock(call), undefined, () => {
    const { cluster } = call.datacenter.firewall;
    const name = call.text('group') ?? '';
    if (groupNamed(call, cluster).rules.length > 0) throw died(`Security group '${name}' is not empty`);
    cluster.groups.delete(name);
    return answer(null);
  });

export const firewallGroupRoutes: Routes = {
  ...ruleRoutes('/cluster/firewall/groups/{group}', groupRules),
  'GET /cluster/firewall/groups': ({ datacenter }) => answer(withDigest(groupsOf(datacenter.firewall.cluster))),
  'POST /cluster/firewall/groups': createGroup,
  'DELETE /cluster/firewall/groups/{group}': deleteGroup,
};
