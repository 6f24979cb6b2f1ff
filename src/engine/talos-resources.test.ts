import { expect, test } from 'vitest';
import { fakeNode, gathered, resource, sequence } from '../../test/fake-talos.ts';
import type { ResourceDefinition } from '../clients/talos.ts';
import { findResources, watchResources, type Wanted } from './talos-resources.ts';

const never = new AbortController().signal;
const definition = (
  type: string,
  namespace: string,
  aliases: readonly string[],
  sensitive = false,
): ResourceDefinition => ({
  type,
  namespace,
  aliases,
  sensitive,
  columns: [],
});
const members = definition('Members.cluster.talos.dev', 'cluster', ['member', 'members']);
const configs = definition('MachineConfigs.config.talos.dev', 'config', ['machineconfig', 'mc'], true);
const cp0 = resource({ type: members.type, namespace: 'cluster', id: 'cp-0' });

const node = (asked: unknown[] = []) =>
  fakeNode({
    definitions: sequence([members, configs]),
    list: (query) => {
      asked.push(query);
      return Promise.resolve([cp0]);
    },
    get: (query) => {
      asked.push(query);
      return Promise.resolve(query.id === 'cp-0' ? cp0 : undefined);
    },
    async *watch(query) {
      asked.push(query);
      yield await Promise.resolve({ kind: 'created', resource: cp0 } as const);
    },
  });

test.each<[wanted: Wanted, query: object]>([
  [
    { type: 'members', secrets: false },
    { type: members.type, namespace: 'cluster' },
  ],
  [
    { type: 'Members.Cluster.talos.dev', secrets: false },
    { type: members.type, namespace: 'cluster' },
  ],
  [
    { type: 'member', id: 'cp-0', secrets: false },
    { type: members.type, namespace: 'cluster', id: 'cp-0' },
  ],
  [
    { type: 'member', namespace: 'other', secrets: false },
    { type: members.type, namespace: 'other' },
  ],
])('%j is looked up by its type, in its namespace', async (wanted, query) => {
  const asked: unknown[] = [];
  expect(await findResources(node(asked), wanted, never)).toEqual({ definition: members, resources: [cp0] });
  expect(asked).toEqual([query]);
});

test.each<[wanted: Wanted, code: string, message: string, remedy: string]>([
  [
    { type: 'memberz', secrets: false },
    'unknown-type',
    'The node knows no resources called "memberz".',
    'Did you mean member? All of them:\n    ichor talos get rd',
  ],
  [
    { type: 'nothing-like-it', secrets: false },
    'unknown-type',
    'The node knows no resources called "nothing-like-it".',
    'All of them:\n    ichor talos get rd',
  ],
  [
    { type: 'members', id: 'cp-9', secrets: false },
    'no-resource',
    'There is no Members.cluster.talos.dev called "cp-9".',
    'See which there are:\n    ichor talos get members',
  ],
  [
    { type: 'mc', secrets: false },
    'sensitive',
    'MachineConfigs.config.talos.dev hold secrets in clear.',
    'If nobody looks over your shoulder, add --show-secrets.',
  ],
])('%j: %s', async (wanted, code, message, remedy) => {
  await expect(findResources(node(), wanted, never)).rejects.toMatchObject({ code, message, remedy });
});

test('a watch says first what it watches', async () => {
  const asked: unknown[] = [];
  expect(await gathered(watchResources(node(asked), { type: 'members', secrets: false }, never))).toEqual([
    { kind: 'definition', definition: members },
    { kind: 'change', change: { kind: 'created', resource: cp0 } },
  ]);
  expect(asked).toEqual([{ type: members.type, namespace: 'cluster' }]);
});
