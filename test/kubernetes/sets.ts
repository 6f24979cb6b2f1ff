import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openKubernetes } from '../../src/clients/kubernetes/client.ts';
import { findKubernetes } from '../../src/clients/kubernetes/kubeconfig/target.ts';
import type { KubernetesClient } from '../../src/clients/kubernetes.ts';
import { drain, type DrainEvent } from '../../src/execute/drain.ts';
import { applySet, previewSet } from '../../src/execute/set.ts';
import type { SetEvent, SetOptions } from '../../src/execute/set-tools.ts';
import { driftOf } from '../../src/kubernetes/compare.ts';
import { memberOf } from '../../src/kubernetes/prune.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import type { KubeObject } from '../../src/wire/kubernetes/objects.ts';

export type SetWorld = AsyncDisposable & { readonly kubeconfig: string };

const namespace: Manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const inShop = (apiVersion: string, kind: string, name: string, fields: object): Manifest => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'shop' },
  ...fields,
});
const labels = { app: 'web' };
const template = (image: string) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] }] },
});
const secret = inShop('v1', 'Secret', 'key', { stringData: { password: 'hunter2' } });
const settings = (a: string) => inShop('v1', 'ConfigMap', 'settings', { data: { a } });
const service = inShop('v1', 'Service', 'web', { spec: { selector: labels, ports: [{ port: 80 }] } });
const deployment = (replicas: number) =>
  inShop('apps/v1', 'Deployment', 'web', {
    spec: { replicas, selector: { matchLabels: labels }, template: template('example.org/web:1') },
  });
const role = inShop('rbac.authorization.k8s.io/v1', 'Role', 'reader', {
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
});
const policy = inShop('networking.k8s.io/v1', 'NetworkPolicy', 'web', {
  spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: [{ podSelector: { matchLabels: labels } }] }] },
});
const definition: Manifest = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.sets.example.org' },
  spec: {
    group: 'sets.example.org',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', default: 3 },
                  tags: { type: 'array', items: { type: 'string' } },
                },
              },
            },
          },
        },
      },
    ],
  },
};
const thing = inShop('sets.example.org/v1', 'Thing', 'one', { spec: { tags: ['a', 'b'] } });

/** What sets and drains do with a real API at the other end; the same for the twin and for a real server. */
export function setCases(where: string, start: () => Promise<SetWorld>, timeout: number): void {
  describe(`sets of objects on ${where}`, () => {
    let world: SetWorld;
    let client: KubernetesClient;
    let events: SetEvent[] = [];
    const signal = new AbortController().signal;
    const options: SetOptions = {
      set: 'demo',
      manager: 'ichor',
      force: false,
      prune: 'without-data',
      wait: false,
      atMostMs: 30_000,
      everyMs: 100,
    };
    const common = {
      clock: { now: () => new Date() },
      pause: (ms: number, stop: AbortSignal) => setTimeout(ms, undefined, { signal: stop }),
    };
    const tools = () => ({ ...common, client, salt: 'salt', tell: (event: SetEvent) => void events.push(event) });
    const apply = (manifests: readonly Manifest[], more: Partial<SetOptions> = {}) => {
      events = [];
      return applySet(manifests, { ...options, ...more }, tools(), signal);
    };
    const outcomes = ({ applied }: Awaited<ReturnType<typeof apply>>) =>
      applied.map(({ object, outcome }) => `${outcome} ${object}`);

    beforeAll(async () => {
      world = await start();
      client = openKubernetes(await findKubernetes({ file: world.kubeconfig }, { env: {} }));
    }, timeout);
    afterAll(async () => {
      await client[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    });

    const everything = [thing, deployment(0), service, role, policy, secret, settings('1'), namespace, definition];

    test('definitions, namespaces and what needs them, in one go; a second time nothing changes', async () => {
      expect(outcomes(await apply(everything))).toEqual([
        'created CustomResourceDefinition things.sets.example.org',
        'created Namespace shop',
        'created NetworkPolicy shop/web',
        'created Role shop/reader',
        'created Secret shop/key',
        'created ConfigMap shop/settings',
        'created Service shop/web',
        'created Deployment shop/web',
        'created Thing shop/one',
      ]);
      const again = await apply(everything);
      expect(again.applied.filter(({ outcome }) => outcome !== 'unchanged')).toEqual([]);
      expect([again.pruned, again.unseen]).toEqual([[], []]);
    });

    test('what is there is what is wanted, by the fields that are ours', async () => {
      for (const manifest of everything) {
        const { apiVersion, kind, metadata } = manifest;
        const live = await client.get({ apiVersion, kind, ...metadata }, signal);
        expect([kind, driftOf(memberOf(manifest, 'demo'), live, 'ichor', 'salt')]).toEqual([kind, []]);
      }
    });

    test('what somebody else changes is drift, and nothing else is', async () => {
      const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' };
      const body = {
        metadata: { annotations: { theirs: 'x' } },
        spec: {
          paused: true,
          template: {
            spec: {
              containers: [
                { name: 'web', image: 'example.org/web:2' },
                { name: 'sidecar', image: 'x' },
              ],
            },
          },
        },
      };
      const live = await client.patch(ref, { kind: 'strategic', body }, { manager: 'somebody' }, signal);
      const wanted = memberOf(deployment(0), 'demo');
      expect(driftOf(wanted, live, 'ichor', 'salt')).toEqual([
        {
          path: 'spec.template.spec.containers[name=web].image',
          from: 'example.org/web:2',
          to: 'example.org/web:1',
        },
      ]);
      const preview = await previewSet([deployment(0)], { ...options, force: true, prune: 'none' }, tools(), signal);
      expect(preview.applied).toEqual([
        {
          object: 'Deployment shop/web',
          outcome: 'changed',
          differences: [
            {
              path: 'spec.template.spec.containers[name=web].image',
              from: 'example.org/web:2',
              to: 'example.org/web:1',
            },
          ],
        },
      ]);
    });

    test('fields of others are refused, and taken over when that is said', async () => {
      await expect(apply([deployment(0)], { prune: 'none' })).rejects.toMatchObject({
        code: 'kubernetes-owned-by-others',
      });
      expect(outcomes(await apply([deployment(0)], { prune: 'none', force: true }))).toEqual([
        'changed Deployment shop/web',
      ]);
    });

    test('a changed secret is told, and its value is not', async () => {
      const changed = { ...secret, stringData: { password: 'hunter3' } };
      const { applied } = await previewSet([changed], { ...options, prune: 'none' }, tools(), signal);
      expect(applied.map(({ differences }) => differences.map(({ path }) => path))).toEqual([['data.password']]);
      expect(JSON.stringify(applied)).not.toMatch(/hunter|aHVudGVy/);
    });

    test('what left the set goes; what a controller made after it stays until its owner goes', async () => {
      const preview = await previewSet([namespace, definition], options, tools(), signal);
      const { pruned } = await apply([namespace, service]);
      const kept = {
        object: 'CustomResourceDefinition things.sets.example.org',
        kept: 'what is kept in it would be lost',
      };
      expect([pruned[0], pruned.at(-1)]).toEqual([{ object: 'Thing shop/one' }, kept]);
      expect(
        pruned
          .slice(1, -1)
          .map(({ object }) => object)
          .toSorted(),
      ).toEqual([
        'ConfigMap shop/settings',
        'Deployment shop/web',
        'NetworkPolicy shop/web',
        'Role shop/reader',
        'Secret shop/key',
      ]);
      expect(preview.pruned).toContainEqual({ object: 'Service shop/web' });
      const slices = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', namespace: 'shop' };
      const { items } = await client.list({ ...slices, labels: 'kubernetes.io/service-name=web' }, {}, signal);
      for (const { metadata } of items) expect(metadata.labels).toMatchObject({ 'ichor.dev/set': 'demo' });
    });

    test('a node is emptied as its budget allows', { timeout }, async () => {
      const node = await client.get({ apiVersion: 'v1', kind: 'Node', name: 'w-1' }, signal);
      if (node === undefined)
        await client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'w-1' } }, {}, signal);
      const owner = await client.create(inShop('v1', 'ConfigMap', 'owner', {}), {}, signal);
      const pod = (name: string): KubeObject => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name,
          namespace: 'shop',
          labels: { app: 'drained' },
          ownerReferences: [
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid ?? '', controller: true },
          ],
        },
        spec: {
          nodeName: 'w-1',
          terminationGracePeriodSeconds: 0,
          containers: [{ name: 'a', image: 'example.org/a' }],
        },
      });
      await client.create(inShop('v1', 'ServiceAccount', 'default', {}), {}, signal).catch(() => undefined);
      await client.create(pod('one'), {}, signal);
      const budget = inShop('policy/v1', 'PodDisruptionBudget', 'web', {
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'drained' } } },
      });
      await client.create(budget, {}, signal);
      const body = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
      const one = { apiVersion: 'v1', kind: 'Pod', name: 'one', namespace: 'shop' };
      await client.patch(one, { kind: 'merge', body }, { subresource: 'status' }, signal);
      const counted = async () => {
        const live = await client.get(
          { ...one, apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', name: 'web' },
          signal,
        );
        return live?.['status'];
      };
      await expect.poll(counted, { timeout: 20_000 }).toMatchObject({ currentHealthy: 1, desiredHealthy: 1 });
      const told: DrainEvent[] = [];
      const consent = { unmanaged: false, emptyDir: false };
      const draining = (atMostMs: number) =>
        drain(
          'w-1',
          { consent, atMostMs, everyMs: 100, gracePeriodSeconds: 0 },
          { ...common, client, tell: (event) => void told.push(event) },
          signal,
        );
      await expect(draining(1000)).rejects.toMatchObject({
        code: 'drain-took-too-long',
        message: expect.stringMatching(
          /^w-1 is not empty after 1 s\. Still there:\n {2}shop\/one: PodDisruptionBudget web allows 0 of its pods to go \(1 healthy, 1 needed\)\.$/,
        ) as string,
      });
      await client.delete(
        { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', name: 'web', namespace: 'shop' },
        {},
        signal,
      );
      expect(await draining(20_000)).toMatchObject({ node: 'w-1', gone: ['shop/one'] });
    });
  });
}
