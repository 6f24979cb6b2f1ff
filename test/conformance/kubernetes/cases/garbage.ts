import { expect } from 'vitest';
import type { KubeObject } from '../../../../src/wire/kubernetes/objects.ts';
import { holds, time, type Chapter } from '../case.ts';
import { configMap, deployment } from '../objects.ts';
import { gone } from '../world.ts';

const ownedBy = (owner: KubeObject, more: object = {}): object => ({
  ownerReferences: [
    { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid, ...more },
  ],
});

export const garbage: Chapter = {
  title: 'garbage',
  cases: [
    holds('what is owned goes after its owner', async (world) => {
      const owner = await world.make('configmaps', configMap('owner'));
      await world.make('configmaps', configMap('owned', {}, ownedBy(owner)));
      await world.remove('configmaps/owner?propagationPolicy=Background');
      expect((await world.ask('GET configmaps/owner')).status).toBe(404);
      await gone(world, 'configmaps/owned');
    }),
    holds('in the foreground the owner waits for what blocks it', async (world) => {
      const owner = await world.make('configmaps', configMap('owner'));
      await world.make(
        'configmaps',
        configMap('owned', {}, { ...ownedBy(owner, { blockOwnerDeletion: true }), finalizers: ['example.com/hold'] }),
      );
      const going = (await world.remove('configmaps/owner?propagationPolicy=Foreground')) as KubeObject;
      expect(going.metadata).toMatchObject({ finalizers: ['foregroundDeletion'], deletionTimestamp: time() });
      await world.until(
        'what it owns is being deleted',
        async () => 'deletionTimestamp' in (await world.get('configmaps/owned')).metadata,
      );
      expect((await world.ask('GET configmaps/owner')).status).toBe(200);
      await world.patch('configmaps/owned', { metadata: { finalizers: null } });
      await gone(world, 'configmaps/owner');
    }),
    holds('an orphan stays and knows no owner any more', async (world) => {
      const owner = await world.make('configmaps', configMap('owner'));
      await world.make('configmaps', configMap('owned', {}, ownedBy(owner)));
      const going = await world.ask('DELETE configmaps/owner?propagationPolicy=Orphan');
      expect((going.body as KubeObject).metadata).toMatchObject({ finalizers: ['orphan'] });
      await gone(world, 'configmaps/owner');
      expect((await world.get('configmaps/owned')).metadata).not.toHaveProperty('ownerReferences');
    }),
    holds('one of two owners is not enough to go', async (world) => {
      const [one, two] = [
        await world.make('configmaps', configMap('one')),
        await world.make('configmaps', configMap('two')),
      ];
      const references = [one, two].map(({ metadata }) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: metadata.name,
        uid: metadata.uid,
      }));
      await world.make('configmaps', configMap('owned', {}, { ownerReferences: references }));
      await world.remove('configmaps/one');
      const left = await world.until('one owner is left', async () => {
        const { metadata } = await world.get('configmaps/owned');
        return metadata.ownerReferences?.length === 1 ? metadata.ownerReferences : undefined;
      });
      expect(left).toMatchObject([{ name: 'two' }]);
    }),
    holds('an owner that never was takes what it owns with it', async (world) => {
      const ghost = { apiVersion: 'v1', kind: 'ConfigMap', name: 'ghost', uid: '11111111-2222-4333-8444-555555555555' };
      await world.make('configmaps', configMap('owned', {}, { ownerReferences: [ghost] }));
      await gone(world, 'configmaps/owned');
    }),
    holds('a deployment goes with its replica sets and pods', async (world) => {
      await world.make('apps/v1/deployments', deployment('web', { replicas: 2 }));
      await world.until('there are pods', async () => (await world.list('pods')).items.length === 2);
      await world.remove('apps/v1/deployments/web');
      await world.until('nothing is left', async () => {
        const [sets, pods] = [await world.list('apps/v1/replicasets'), await world.list('pods')];
        return sets.items.length + pods.items.length === 0;
      });
    }),
  ],
};
