import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { aCluster, machine } from '../controllers/fixture.ts';
import { renderedChart } from './charts.ts';
import { helmOrder } from './order.ts';
import { recordIn, secretOf } from './record.ts';
import { runHelm } from './program.ts';
import { upgradeRelease } from './release.ts';

const words =
  'upgrade cilium cilium --repo https://helm.cilium.io --install --version 1.19.0 --namespace kube-system --values /values/values.yaml --reset-values --history-max 3'.split(
    ' ',
  );

test('what helm is told', () => {
  expect(helmOrder(words)).toEqual({
    release: 'cilium',
    chart: 'cilium',
    repository: 'https://helm.cilium.io',
    version: '1.19.0',
    namespace: 'kube-system',
    valuesFiles: ['/values/values.yaml'],
    install: true,
    historyMax: 3,
  });
  expect(() => helmOrder(['upgrade', 'one', 'two', '--dry'])).toThrow('Error: unknown flag: --dry');
  expect(() => helmOrder(['list'])).toThrow('Error: unknown command "list" for "helm"');
});

test('a record is JSON in gzip in base64 in base64, and comes back whole', () => {
  const record = {
    name: 'cilium',
    namespace: 'kube-system',
    version: 2,
    info: {
      first_deployed: '2026-05-01T10:00:00.000Z',
      last_deployed: '2026-05-01T10:00:00.000Z',
      deleted: '',
      description: 'Install complete',
      status: 'deployed',
      notes: '',
    },
    chart: {
      metadata: {
        name: 'cilium',
        version: '1.19.0',
        appVersion: '1.19.0',
        description: '',
        apiVersion: 'v2',
        type: 'application',
      },
      lock: null,
      templates: [],
      values: {},
      schema: null,
      files: [],
    },
    config: { a: { b: 1 } },
    manifest: '',
  } as const;
  const secret = secretOf(record, new Date('2026-05-01T10:00:00Z'));
  expect(secret).toMatchObject({
    type: 'helm.sh/release.v1',
    metadata: {
      name: 'sh.helm.release.v1.cilium.v2',
      labels: { modifiedAt: '1777629600', name: 'cilium', owner: 'helm', status: 'deployed', version: '2' },
    },
  });
  const { release } = secret['data'] as { readonly release: string };
  const inner = Buffer.from(Buffer.from(release, 'base64').toString(), 'base64');
  expect(JSON.parse(gunzipSync(inner).toString())).toEqual(record);
  expect(recordIn(secret)).toEqual(record);
});

test('upgrades keep so many revisions, supersede the last one, and take away what left the chart', async () => {
  const { twin, clock } = await aCluster([machine('cp-1')], { cni: 'none' });
  const order = helmOrder(words);
  const upgrade = (values: Readonly<Record<string, unknown>>): string =>
    upgradeRelease(twin.api, clock.now(), order, renderedChart(order, values), values);
  expect(upgrade({ hubble: { relay: { enabled: true } } })).toContain('Installing it now');
  expect(twin.api.get('apps/deployments', 'kube-system', 'hubble-relay')).toBeDefined();
  expect(upgrade({})).toContain('has been upgraded');
  expect(twin.api.get('apps/deployments', 'kube-system', 'hubble-relay')?.metadata.deletionTimestamp).toBe(undefined);
  await clock.advance(60_000);
  expect(twin.api.get('apps/deployments', 'kube-system', 'hubble-relay')).toBe(undefined);
  upgrade({ debug: { enabled: true } });
  upgrade({});
  const kept = twin.api
    .list('/secrets', 'kube-system')
    .map(recordIn)
    .flatMap((record) => (record === undefined ? [] : [`${record.version} ${record.info.status}`]));
  expect(kept).toEqual(['2 superseded', '3 superseded', '4 deployed']);
  expect(twin.api.get('/configmaps', 'kube-system', 'cilium-config')?.['data']).toMatchObject({ debug: 'false' });
});

test('helm without rights says which it lacks', async () => {
  const { twin, clock } = await aCluster([machine('cp-1')], { cni: 'none' });
  const pod = { metadata: { namespace: 'kube-system' }, spec: { serviceAccountName: 'nobody' } };
  const command = ['helm', ...words.filter((word) => word !== '--values' && word !== '/values/values.yaml')];
  expect(runHelm(twin.api, clock.now(), pod, { name: 'helm', command })).toEqual({
    code: 1,
    lines: [
      'Error: query: failed to query with labels: secrets is forbidden: User "system:serviceaccount:kube-system:nobody" cannot list resource "secrets" in API group "" in the namespace "kube-system"',
    ],
  });
  expect(runHelm(twin.api, clock.now(), pod, { name: 'other', command: ['sleep', '3'] })).toBe(undefined);
});
