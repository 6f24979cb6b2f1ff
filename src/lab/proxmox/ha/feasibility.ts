import type { HaRule } from './config.ts';

/** What is wrong with rules, by rule; all of it is about their resources. */
export type RuleErrors = ReadonlyMap<string, readonly string[]>;

type Found = Map<string, string[]>;

/** Looks at all rules together, against the hosts that the manager knows. */
export function checkRules(all: Iterable<HaRule>, hosts: number): RuleErrors {
  const rules = [...all].filter(({ properties }) => properties.get('disable') !== '1');
  const found: Found = new Map();
  const complain = (rule: HaRule, words: string): void =>
    void found.set(rule.id, [...(found.get(rule.id) ?? []), words]);
  const ofNodes = rules.filter(({ type }) => type === 'node-affinity');
  const ofResources = rules.filter(({ type }) => type === 'resource-affinity');
  const apart = ofResources.filter(({ properties }) => properties.get('affinity') === 'negative');
  const together = ofResources.filter(({ properties }) => properties.get('affinity') === 'positive');
  checkSingleUse(ofNodes, complain);
  for (const rule of ofResources)
    if (rule.resources.size < 2) complain(rule, 'rule is ineffective as there are less than two resources');
  for (const rule of apart)
    if (rule.resources.size > hosts) complain(rule, 'rule defines more resources than available nodes');
  checkContradictions(together, apart, complain);
  checkPriorities(ofResources, ofNodes, complain);
  checkTogetherInOnePlace(together, ofNodes, complain);
  checkRoomToBeApart(apart, ofNodes, complain);
  return found;
}

type Complain = (rule: HaRule, words: string) => void;

const shared = (one: HaRule, other: HaRule): readonly string[] =>
  [...one.resources].filter((sid) => other.resources.has(sid));

function checkSingleUse(rules: readonly HaRule[], complain: Complain): void {
  for (const rule of rules)
    for (const sid of rule.resources)
      if (rules.some((other) => other !== rule && other.resources.has(sid)))
        complain(rule, `resource '${sid}' is already used in another node affinity rule`);
}

function checkContradictions(together: readonly HaRule[], apart: readonly HaRule[], complain: Complain): void {
  const words = 'rule shares two or more resources with a';
  const clash = (one: HaRule, other: HaRule): boolean => shared(one, other).length >= 2;
  for (const rule of apart)
    if (together.some((other) => clash(rule, other))) complain(rule, `${words} positive resource affinity rule`);
  for (const rule of together)
    if (apart.some((other) => clash(rule, other))) complain(rule, `${words} negative resource affinity rule`);
}

function checkPriorities(ofResources: readonly HaRule[], ofNodes: readonly HaRule[], complain: Complain): void {
  for (const rule of ofResources) {
    const paired = ofNodes.filter((other) => shared(rule, other).length > 0);
    if (!paired.some(({ nodes }) => new Set(nodes?.values()).size > 1)) continue;
    for (const other of paired)
      complain(
        other,
        'resources are in a resource affinity rule and cannot be in a node affinity rule with multiple priorities',
      );
    complain(rule, 'resources are in node affinity rules with multiple priorities');
  }
}

function checkTogetherInOnePlace(together: readonly HaRule[], ofNodes: readonly HaRule[], complain: Complain): void {
  for (const rule of together) {
    const paired = ofNodes.filter((other) => shared(rule, other).length > 0);
    if (paired.length < 2) continue;
    for (const other of paired)
      complain(
        other,
        'at least one resource is in a positive resource affinity rule and there are other resources in at least one other node affinity rule already',
      );
    complain(rule, 'resources are in multiple node affinity rules');
  }
}

/** Who must be apart needs as many hosts as there are of them. */
function checkRoomToBeApart(apart: readonly HaRule[], ofNodes: readonly HaRule[], complain: Complain): void {
  for (const rule of apart) {
    const paired = ofNodes.filter((other) => shared(rule, other).length > 0);
    const placed = new Set(paired.flatMap((other) => shared(rule, other)));
    const allowed = new Set(paired.flatMap(({ nodes }) => [...(nodes?.keys() ?? [])]));
    if (allowed.size >= placed.size) continue;
    complain(rule, 'two or more resources are restricted to less nodes than available to the resources');
    for (const other of paired)
      complain(
        other,
        'at least one resource is in a negative resource affinity rule and this rule would restrict these to less nodes than available to the resources',
      );
  }
}
