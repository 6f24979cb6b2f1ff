import { describe, expect, test } from 'vitest';
import { contracts } from '../config/contract.ts';
import { leafNamed } from './leaf.ts';
import { fieldsOf, within, type FieldType } from './types.ts';

/** Every type below this one, each once. */
function typesBelow(type: FieldType, seen = new Set<FieldType>()): ReadonlySet<FieldType> {
  if (seen.has(type)) return seen;
  seen.add(type);
  if (type.kind === 'pointer') typesBelow(type.to, seen);
  if (type.kind === 'list' || type.kind === 'map') typesBelow(type.of, seen);
  if (type.kind === 'struct') for (const field of type.fields.values()) typesBelow(field.type, seen);
  return seen;
}

describe('the table of fields', () => {
  test.each(contracts)('is whole for %s', (contract) => {
    const { main, documents } = fieldsOf(contract);
    const types = [main, ...[...documents.values()].map(({ type }) => type)].flatMap((type) => [...typesBelow(type)]);
    const leaves = types.flatMap((type) => (type.kind === 'leaf' ? [leafNamed(type.name).wants] : []));
    expect(leaves.length).toBeGreaterThan(10);
  });

  test('knows what came with a minor and what went', () => {
    const has = (path: string): readonly string[] =>
      contracts.filter((contract) => {
        let type: FieldType | undefined = fieldsOf(contract).main;
        for (const step of path.split('.')) {
          const inner: FieldType | undefined = type?.kind === 'pointer' ? type.to : type;
          type = inner?.kind === 'struct' ? inner.fields.get(step)?.type : undefined;
        }
        return type !== undefined;
      });
    expect({
      always: has('machine.type'),
      uki: has('machine.install.grubUseUKICmdline'),
      policies: has('cluster.network.cni.flannel.kubeNetworkPoliciesEnabled'),
      filters: has('machine.network.kubespan.filters.excludeAdvertisedNetworks'),
    }).toEqual({
      always: ['1.9', '1.10', '1.11', '1.12', '1.13', '1.14'],
      uki: ['1.12', '1.13', '1.14'],
      policies: ['1.13', '1.14'],
      filters: ['1.12', '1.13', '1.14'],
    });
  });

  test('counts documents by minor', () => {
    expect(contracts.map((contract) => fieldsOf(contract).documents.size)).toEqual([10, 13, 17, 36, 44, 89]);
  });

  test.each([
    ['', '1.9', true],
    ['1.12..', '1.11', false],
    ['1.12..', '1.12', true],
    ['..1.11', '1.11', true],
    ['..1.9', '1.10', false],
    ['1.10..1.12', '1.13', false],
  ] as const)('%s holds for %s: %s', (range, contract, holds) => {
    expect(within(range, contract)).toBe(holds);
  });
});
