import { answer, type Call, type Routes } from '../call.ts';
import { changingFile, mustBeQuorate } from '../cluster/lock.ts';
import { died, Refusal } from '../refusal.ts';
import { nodesText, parseNodes, type HaConfig, type HaRule } from './config.ts';
import { checkRules, type RuleErrors } from './feasibility.ts';

const numbers = ['strict', 'disable'];
const settable = ['affinity', 'strict', 'disable', 'comment'];

const errorsNow = ({ datacenter }: Call): RuleErrors =>
  checkRules(datacenter.ha.config.rules.values(), datacenter.ha.manager.hosts.size);

function rowOf({ datacenter }: Call, rule: HaRule, errors: RuleErrors): Readonly<Record<string, unknown>> {
  const { config } = datacenter.ha;
  const shown = [...rule.properties].map(([key, value]): [string, string | number] => [
    key,
    numbers.includes(key) ? Number(value) : value,
  ]);
  const wrong = errors.get(rule.id);
  return {
    ...Object.fromEntries(shown),
    rule: rule.id,
    type: rule.type,
    resources: [...rule.resources].toSorted().join(','),
    ...(rule.nodes === undefined ? {} : { nodes: nodesText(rule.nodes) }),
    order: [...config.rules.keys()].indexOf(rule.id) + 1,
    digest: config.rulesDigest(),
    ...(wrong === undefined ? {} : { errors: { resources: wrong } }),
  };
}

function mustBeManaged({ resources }: HaConfig, wanted: Iterable<string>): void {
  const unknown = [...wanted].filter((sid) => !resources.has(sid)).toSorted();
  if (unknown.length > 0) throw died(`cannot use unmanaged resource(s) ${unknown.join(', ')}.`);
}

function mustBeThere({ datacenter }: Call, wanted: Iterable<string>): void {
  const unknown = [...wanted].filter((name) => !datacenter.hosts.has(name)).toSorted();
  if (unknown.length > 0) throw died(`cannot use non-existent node(s) ${unknown.join(', ')}.`);
}

function mustBeFeasible(call: Call, id: string, rules: Iterable<HaRule>): void {
  const wrong = checkRules(rules, call.datacenter.ha.manager.hosts.size).get(id);
  if (wrong !== undefined) throw new Refusal(400, `Rule '${id}' is invalid.`, { resources: wrong.join(', ') });
}

const properties = (call: Call): Map<string, string> =>
  new Map(
    settable.flatMap((key): [string, string][] => {
      const value = call.text(key);
      return value === undefined || (key === 'disable' && value === '0') ? [] : [[key, value]];
    }),
  );

const createRule = (call: Call) => {
  mustBeQuorate(call);
  const { config } = call.datacenter.ha;
  const id = call.text('rule') ?? '';
  return changingFile(call, 'domain-ha', 'create ha rule failed', () => {
    if (config.rules.has(id)) throw died(`HA rule '${id}' already defined`);
    const resources = new Set(call.list('resources'));
    if (resources.size === 0) throw died('no resources were specified');
    mustBeManaged(config, resources);
    const nodes = call.text('nodes') === undefined ? undefined : parseNodes(call.list('nodes'));
    if (nodes !== undefined) mustBeThere(call, nodes.keys());
    const type = call.text('type') as HaRule['type'];
    const rule: HaRule = { id, type, resources, nodes, properties: properties(call) };
    mustBeFeasible(call, id, [...config.rules.values(), rule]);
    config.rules.set(id, rule);
    return answer(null);
  });
};

const updateRule = (call: Call) =>
  changingFile(call, 'domain-ha', 'update HA rules failed', () => {
    const { config } = call.datacenter.ha;
    const id = call.text('rule') ?? '';
    const digest = call.text('digest');
    if (digest !== undefined && digest !== config.rulesDigest())
      throw died('detected modified configuration - file changed by other user? Try again.');
    const rule = config.rules.get(id);
    if (rule === undefined) throw died(`HA rule '${id}' does not exist`);
    if (call.text('type') !== rule.type) throw died("unexpected property 'type'");
    const changed = changedRule(call, rule);
    mustBeManaged(config, changed.resources);
    if (changed.nodes !== undefined) mustBeThere(call, changed.nodes.keys());
    mustBeFeasible(
      call,
      id,
      [...config.rules.values()].map((each) => (each.id === id ? changed : each)),
    );
    config.rules.set(id, changed);
    return answer(null);
  });

function changedRule(call: Call, rule: HaRule): HaRule {
  const set = properties(call);
  const kept = new Map(rule.properties);
  for (const key of call.list('delete')) {
    if (key === 'resources' || key === 'nodes' || key === 'affinity')
      throw died(`unable to delete required option '${key}'`);
    if (!settable.includes(key)) throw died(`no such option '${key}'`);
    if (set.has(key)) throw died(`cannot set and delete property '${key}' at the same time!`);
    kept.delete(key);
  }
  return {
    ...rule,
    resources: call.text('resources') === undefined ? rule.resources : new Set(call.list('resources')),
    nodes: call.text('nodes') === undefined ? rule.nodes : parseNodes(call.list('nodes')),
    properties: new Map([...kept, ...set]),
  };
}

const listRules = (call: Call) => {
  const errors = errorsNow(call);
  const [type, resource] = [call.text('type'), call.text('resource')];
  return answer(
    [...call.datacenter.ha.config.rules.values()]
      .filter((rule) => type === undefined || rule.type === type)
      .filter((rule) => resource === undefined || rule.resources.has(resource))
      .map((rule) => rowOf(call, rule, errors)),
  );
};

const readRule = (call: Call) => {
  const id = call.text('rule') ?? '';
  const rule = call.datacenter.ha.config.rules.get(id);
  if (rule === undefined) throw died(`no such ha rule '${id}'`);
  return answer(rowOf(call, rule, errorsNow(call)));
};

export const haRuleRoutes: Routes = {
  'GET /cluster/ha/rules': listRules,
  'POST /cluster/ha/rules': createRule,
  'GET /cluster/ha/rules/{rule}': readRule,
  'PUT /cluster/ha/rules/{rule}': updateRule,
  'DELETE /cluster/ha/rules/{rule}': (call) =>
    changingFile(call, 'domain-ha', 'delete ha rule failed', () => {
      call.datacenter.ha.config.rules.delete(call.text('rule') ?? '');
      return answer(null);
    }),
};
