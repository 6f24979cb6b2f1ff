import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyOf, type Live } from './live.ts';
import { keepAnnotation, leaversOf, memberOf, setLabel } from './prune.ts';

const object: fc.Arbitrary<Live> = fc
  .record({
    kind: fc.constantFrom('ConfigMap', 'Namespace', 'Secret', 'PersistentVolumeClaim', 'Service'),
    name: fc.constantFrom('a', 'b', 'c'),
    namespace: fc.constantFrom('x', 'y'),
    set: fc.constantFrom(undefined, 'ours', 'theirs'),
    manager: fc.constantFrom('ichor', 'kubectl', 'flux'),
    operation: fc.constantFrom('Apply', 'Update'),
    owns: fc.boolean(),
    subresource: fc.constantFrom(undefined, 'status'),
    keep: fc.constantFrom(undefined, 'disabled', 'enabled'),
    going: fc.boolean(),
  })
  .map(({ kind, name, namespace, set, manager, operation, owns, subresource, keep, going }) => ({
    apiVersion: 'v1',
    kind,
    metadata: {
      name,
      namespace,
      ...(set === undefined ? {} : { labels: { [setLabel]: set } }),
      ...(keep === undefined ? {} : { annotations: { [keepAnnotation]: keep } }),
      ...(going ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      managedFields: [
        {
          manager,
          operation,
          fieldsV1: owns ? { 'f:metadata': { 'f:labels': { [`f:${setLabel}`]: {} } } } : { 'f:data': {} },
          ...(subresource === undefined ? {} : { subresource }),
        },
      ],
    },
  }));

test('whatever a cluster has, only what is ours and no longer wanted goes', () => {
  fc.assert(
    fc.property(
      fc.array(object, { maxLength: 20 }),
      fc.array(object, { maxLength: 5 }),
      fc.boolean(),
      (found, wanted, data) => {
        const leavers = leaversOf(found, wanted, { set: 'ours', manager: 'ichor', data });
        const staying = new Set(wanted.map(keyOf));
        for (const { object: gone, kept } of leavers) {
          const [fields] = gone.metadata.managedFields ?? [];
          expect(staying.has(keyOf(gone))).toBe(false);
          expect(gone.metadata.labels?.[setLabel]).toBe('ours');
          expect([fields?.manager, fields?.operation, fields?.subresource]).toEqual(['ichor', 'Apply', undefined]);
          expect(fields?.fieldsV1).toHaveProperty('f:metadata');
          if (kept === undefined) {
            expect(gone.metadata.annotations?.[keepAnnotation]).not.toBe('disabled');
            if (!data) expect(['Namespace', 'PersistentVolumeClaim']).not.toContain(gone.kind);
          }
        }
        const stage = (kind: string): number => (kind === 'Service' ? 0 : kind === 'Namespace' ? 2 : 1);
        const stages = leavers.map(({ object: { kind } }) => stage(kind));
        expect(stages).toEqual(stages.toSorted((one, other) => one - other));
      },
    ),
    { numRuns: 500 },
  );
});

test('a member of a set keeps its own labels', () => {
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { b: 'c' } } };
  expect(memberOf(manifest, 'ours').metadata).toEqual({ name: 'a', labels: { b: 'c', [setLabel]: 'ours' } });
});
