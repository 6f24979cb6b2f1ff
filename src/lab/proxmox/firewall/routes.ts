import { answer, type Call, type Routes } from '../call.ts';
import { aliasRoutes } from './alias-routes.ts';
import type { FirewallFile } from './file.ts';
import { firewallGroupRoutes } from './group-routes.ts';
import { ipsetRoutes } from './ipset-routes.ts';
import { macros } from './macros.ts';
import { optionRoutes } from './option-routes.ts';
import { ruleRoutes, type RuleList } from './rule-routes.ts';
import { clusterScope, vmScope, type Scope } from './scope.ts';

const rulesOf = ({ home, read, write, lock }: Scope): RuleList => ({
  home,
  lock,
  file: (call, writes) => (writes ? write(call) : read(call)),
  get: (_call, { rules }) => rules,
  set: (_call, file, rules) => {
    file.rules = rules;
  },
});

const commonRoutes = (scope: Scope): Routes => ({
  ...optionRoutes(scope),
  ...aliasRoutes(scope),
  ...ipsetRoutes(scope),
  ...ruleRoutes(`${scope.path}/rules`, rulesOf(scope)),
});

/** What a rule can refer to. */
function references({ ipsets, aliases }: FirewallFile, scope: 'dc' | 'guest', wanted: string | undefined) {
  const row = (type: string, name: string, ref: string, comment: string | undefined) => ({
    type,
    name,
    ref,
    scope,
    ...(comment === undefined || comment === '' ? {} : { comment }),
  });
  const sets = [...ipsets].map(([name, { comment }]) => row('ipset', name, `+${name}`, comment));
  const names = [...aliases].map(([name, { comment }]) => row('alias', name, name, comment));
  return [...(wanted === 'alias' ? [] : sets), ...(wanted === 'ipset' ? [] : names)];
}

const clusterReferences = (call: Call) => references(call.datacenter.firewall.cluster, 'dc', call.text('type'));

const index = (names: readonly string[]) => () => answer(names.map((name) => ({ name })));

export const firewallRoutes: Routes = {
  ...commonRoutes(clusterScope),
  ...commonRoutes(vmScope),
  ...firewallGroupRoutes,
  'GET /cluster/firewall': index(['aliases', 'rules', 'options', 'groups', 'ipset', 'macros', 'refs']),
  'GET /cluster/firewall/macros': () => answer(Object.entries(macros).map(([macro, descr]) => ({ macro, descr }))),
  'GET /cluster/firewall/refs': (call) => answer(clusterReferences(call)),
  [`GET ${vmScope.path}`]: index(['rules', 'aliases', 'ipset', 'refs', 'options']),
  [`GET ${vmScope.path}/refs`]: (call) =>
    answer([...clusterReferences(call), ...references(vmScope.read(call), 'guest', call.text('type'))]),
  [`GET ${vmScope.path}/log`]: () => answer([{ n: 1, t: 'no content' }], { total: 1 }),
};
