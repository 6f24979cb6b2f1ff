import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Manifest } from '../model/manifest.ts';
import { removalOrder, repeated, stageOf, stagesOf } from './order.ts';

const kinds = [
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'definitions'],
  ['v1', 'Namespace', 'namespaces'],
  ['scheduling.k8s.io/v1', 'PriorityClass', 'ground'],
  ['v1', 'ServiceAccount', 'access'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'access'],
  ['v1', 'Secret', 'settings'],
  ['v1', 'Service', 'services'],
  ['apps/v1', 'DaemonSet', 'workloads'],
  ['batch/v1', 'Job', 'workloads'],
  ['cilium.io/v2', 'CiliumLoadBalancerIPPool', 'resources'],
  ['cluster.x-k8s.io/v1beta2', 'Cluster', 'resources'],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'gates'],
  ['apiregistration.k8s.io/v1', 'APIService', 'gates'],
] as const;

const manifest = (apiVersion: string, kind: string, name: string): Manifest => ({
  apiVersion,
  kind,
  metadata: { name },
});

test.each(kinds)('%s %s belongs to %s', (apiVersion, kind, stage) => expect(stageOf({ apiVersion, kind })).toBe(stage));

test('nothing is lost, what others need comes first, and what is equal stays as it was written', () => {
  const set = fc.array(fc.constantFrom(...kinds.keys()), { maxLength: 30 });
  fc.assert(
    fc.property(set, (indexes) => {
      const written = indexes.map((index, place) => {
        const [apiVersion, kind] = kinds[index] ?? kinds[0];
        return manifest(apiVersion, kind, `n${place}`);
      });
      const stages = stagesOf(written);
      expect(stages.map(({ name }) => name)).toEqual([
        ...new Set(indexes.toSorted((a, b) => a - b).map((index) => (kinds[index] ?? kinds[0])[2])),
      ]);
      for (const { name, manifests } of stages)
        expect(manifests).toEqual(written.filter((one) => stageOf(one) === name));
      expect(removalOrder(written).map(stageOf)).toEqual(
        stages.toReversed().flatMap(({ name, manifests }) => manifests.map(() => name)),
      );
    }),
  );
});

test('an object that is there twice is found, whatever version it is written in', () => {
  const twice = manifest('batch/v1beta1', 'Job', 'a');
  expect(repeated([manifest('batch/v1', 'Job', 'a'), manifest('batch/v1', 'Job', 'b'), twice])).toEqual([twice]);
});
