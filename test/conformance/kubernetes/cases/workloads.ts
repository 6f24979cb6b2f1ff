import { expect } from 'vitest';
import type { KubeObject } from '../../../../src/wire/kubernetes/objects.ts';
import { holds, like, type Chapter } from '../case.ts';
import { deployment, template } from '../objects.ts';

export const workloads: Chapter = {
  title: 'workloads',
  cases: [
    holds('a deployment makes a replica set, that makes pods', async (world) => {
      const made = await world.make('apps/v1/deployments', deployment('web', { replicas: 2 }));
      const pods = await world.until('there are two', async () => {
        const { items } = await world.list('pods?labelSelector=app%3Dweb');
        return items.length === 2 ? items : undefined;
      });
      const [set] = (await world.list('apps/v1/replicasets')).items;
      const hash = set?.metadata.labels?.['pod-template-hash'] ?? '';
      expect(set?.metadata).toMatchObject({
        name: `web-${hash}`,
        labels: { app: 'web', 'pod-template-hash': hash },
        annotations: {
          'deployment.kubernetes.io/desired-replicas': '2',
          'deployment.kubernetes.io/max-replicas': '3',
          'deployment.kubernetes.io/revision': '1',
        },
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: 'web',
            uid: made.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      });
      expect(pods.map(({ metadata }) => metadata)).toMatchObject(
        Array.from({ length: 2 }, () => ({
          name: like(new RegExp(`^web-${hash}-[a-z0-9]{5}$`)),
          generateName: `web-${hash}-`,
          ownerReferences: [{ kind: 'ReplicaSet', name: `web-${hash}`, uid: set?.metadata.uid, controller: true }],
        })),
      );
    }),
    holds('a deployment that is scaled to nothing has no pods', async (world) => {
      await world.make('apps/v1/deployments', deployment('web', { replicas: 1 }));
      await world.until('there is one', async () => (await world.list('pods')).items.length === 1);
      await world.patch('apps/v1/deployments/web/scale', { spec: { replicas: 0 } });
      await world.until('there is none', async () => (await world.list('pods')).items.length === 0);
    }),
    holds('a new template makes a second replica set, with the next revision', async (world) => {
      await world.make('apps/v1/deployments', deployment('web', { replicas: 0 }));
      const set = (count: number): Promise<unknown> =>
        world.until(
          `there are ${count} replica sets`,
          async () => (await world.list('apps/v1/replicasets')).items.length === count,
        );
      await set(1);
      await world.patch('apps/v1/deployments/web', {
        spec: { template: template('web', [{ name: 'main', image: 'pause:2' }]) },
      });
      await set(2);
      const revisions = (await world.list('apps/v1/replicasets')).items.map(
        ({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision'],
      );
      expect(new Set(revisions)).toEqual(new Set(['1', '2']));
    }),
    holds('the status of a deployment says what was observed', async (world) => {
      await world.make('apps/v1/deployments', deployment('web', { replicas: 1 }));
      const { status } = await world.until('its status is there', async () => {
        const found = await world.get('apps/v1/deployments/web');
        const { replicas, unavailableReplicas } = found['status'] as Record<string, number>;
        return replicas === 1 && unavailableReplicas === 1 ? found : undefined;
      });
      expect(status).toMatchObject({ observedGeneration: 1, replicas: 1, updatedReplicas: 1, unavailableReplicas: 1 });
      const { conditions } = status as { conditions: { type: string; status: string; reason: string }[] };
      expect(new Set(conditions.map(({ type, status: is, reason }) => [type, is, reason]))).toEqual(
        new Set([
          ['Available', 'False', 'MinimumReplicasUnavailable'],
          ['Progressing', 'True', 'ReplicaSetUpdated'],
        ]),
      );
    }),
    holds('a stateful set makes its first pod and waits for it', async (world) => {
      await world.make('apps/v1/statefulsets', {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'db' },
        spec: { serviceName: 'db', replicas: 2, selector: { matchLabels: { app: 'db' } }, template: template('db') },
      });
      const pod = await world.until('its first pod is there', async () => {
        const { status, body } = await world.ask('GET pods/db-0');
        return status === 200 ? (body as KubeObject) : undefined;
      });
      expect(pod.metadata.labels).toMatchObject({
        app: 'db',
        'statefulset.kubernetes.io/pod-name': 'db-0',
        'apps.kubernetes.io/pod-index': '0',
      });
      expect((await world.ask('GET pods/db-1')).status).toBe(404);
    }),
    holds('a job makes a pod with its name in the labels', async (world) => {
      const made = await world.make('batch/v1/jobs', {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'work' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'pause' }] } } },
      });
      const [pod] = await world.until('its pod is there', async () => {
        const { items } = await world.list('pods');
        return items.length === 1 ? items : undefined;
      });
      expect(pod?.metadata.labels).toEqual({
        'batch.kubernetes.io/controller-uid': made.metadata.uid,
        'batch.kubernetes.io/job-name': 'work',
        'controller-uid': made.metadata.uid,
        'job-name': 'work',
      });
    }),
    holds('a service that selects nothing has an empty slice', async (world) => {
      await world.make('services', {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web' },
        spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
      });
      const slice = await world.until('a slice is there', async () => {
        const { items } = await world.list('discovery.k8s.io/v1/endpointslices');
        return items[0];
      });
      expect(slice).toMatchObject({
        metadata: {
          generateName: 'web-',
          labels: {
            'kubernetes.io/service-name': 'web',
            'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
          },
        },
        addressType: 'IPv4',
      });
    }),
  ],
};
