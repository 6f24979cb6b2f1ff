import { expect, test } from 'vitest';
import { parseNodes, type HaRule } from './config.ts';
import { checkRules } from './feasibility.ts';

const together = (id: string, ...sids: string[]): HaRule => affinity(id, 'positive', sids);
const apart = (id: string, ...sids: string[]): HaRule => affinity(id, 'negative', sids);
const affinity = (id: string, kind: string, sids: string[]): HaRule => ({
  id,
  type: 'resource-affinity',
  resources: new Set(sids),
  nodes: undefined,
  properties: new Map([['affinity', kind]]),
});
const pinned = (id: string, nodes: string, ...sids: string[]): HaRule => ({
  id,
  type: 'node-affinity',
  resources: new Set(sids),
  nodes: parseNodes(nodes.split(',')),
  properties: new Map(),
});
const off = (rule: HaRule): HaRule => ({ ...rule, properties: new Map([...rule.properties, ['disable', '1']]) });

test.each<[string, HaRule[], number, Record<string, string[]>]>([
  ['as many as hosts may be apart', [apart('x', 'vm:1', 'vm:2', 'vm:3')], 3, {}],
  [
    'more may not',
    [apart('x', 'vm:1', 'vm:2', 'vm:3')],
    2,
    { x: ['rule defines more resources than available nodes'] },
  ],
  ['nobody counts a rule that is off', [off(apart('x', 'vm:1', 'vm:2'))], 1, {}],
  [
    'one alone is neither apart nor together',
    [apart('x', 'vm:1'), together('y', 'vm:2')],
    3,
    {
      x: ['rule is ineffective as there are less than two resources'],
      y: ['rule is ineffective as there are less than two resources'],
    },
  ],
  [
    'one that nobody has room for has two faults',
    [apart('x', 'vm:1')],
    0,
    {
      x: [
        'rule is ineffective as there are less than two resources',
        'rule defines more resources than available nodes',
      ],
    },
  ],
  [
    'the same two cannot be both',
    [apart('x', 'vm:1', 'vm:2'), together('y', 'vm:1', 'vm:2')],
    3,
    {
      x: ['rule shares two or more resources with a positive resource affinity rule'],
      y: ['rule shares two or more resources with a negative resource affinity rule'],
    },
  ],
  ['sharing one is fine', [apart('x', 'vm:1', 'vm:2'), together('y', 'vm:1', 'vm:3')], 3, {}],
  [
    'a resource is pinned once',
    [pinned('x', 'pve1', 'vm:1'), pinned('y', 'pve2', 'vm:1')],
    3,
    {
      x: ["resource 'vm:1' is already used in another node affinity rule"],
      y: ["resource 'vm:1' is already used in another node affinity rule"],
    },
  ],
  [
    'who must be apart needs hosts to be on',
    [apart('x', 'vm:1', 'vm:2'), pinned('y', 'pve1', 'vm:1', 'vm:2')],
    3,
    {
      x: ['two or more resources are restricted to less nodes than available to the resources'],
      y: [
        'at least one resource is in a negative resource affinity rule and this rule would restrict these to less nodes than available to the resources',
      ],
    },
  ],
  ['and two hosts are enough for two', [apart('x', 'vm:1', 'vm:2'), pinned('y', 'pve1,pve2', 'vm:1', 'vm:2')], 3, {}],
  [
    'who must be together is in one place',
    [together('x', 'vm:1', 'vm:2'), pinned('y', 'pve1', 'vm:1'), pinned('z', 'pve2', 'vm:2')],
    3,
    {
      x: ['resources are in multiple node affinity rules'],
      y: [
        'at least one resource is in a positive resource affinity rule and there are other resources in at least one other node affinity rule already',
      ],
      z: [
        'at least one resource is in a positive resource affinity rule and there are other resources in at least one other node affinity rule already',
      ],
    },
  ],
  [
    'priorities do not go with affinity',
    [apart('x', 'vm:1', 'vm:2'), pinned('y', 'pve1:2,pve2', 'vm:1')],
    3,
    {
      x: ['resources are in node affinity rules with multiple priorities'],
      y: ['resources are in a resource affinity rule and cannot be in a node affinity rule with multiple priorities'],
    },
  ],
  ['one priority for all does', [apart('x', 'vm:1', 'vm:2'), pinned('y', 'pve1:2', 'vm:1')], 3, {}],
])('%s', (_name, rules, hosts, errors) => {
  expect(Object.fromEntries(checkRules(rules, hosts))).toEqual(errors);
});
