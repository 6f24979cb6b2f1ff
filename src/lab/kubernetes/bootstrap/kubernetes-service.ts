import type { Api } from '../api.ts';
import type { TwinNode } from '../twin.ts';
import type { Cluster } from './cluster.ts';

const as = { manager: 'kube-apiserver' };
const ports = [{ name: 'https', port: 6443, protocol: 'TCP' }];
const home = { name: 'kubernetes', namespace: 'default' };

/** The API as pods find it, and where it is at the moment. */
export function publishApi(api: Api, { apiAddress }: Cluster, nodes: readonly TwinNode[]): void {
  if (api.get('/services', home.namespace, home.name) === undefined)
    api.create(
      '/services',
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { ...home, labels: { component: 'apiserver', provider: 'kubernetes' } },
        spec: {
          clusterIP: apiAddress,
          clusterIPs: [apiAddress],
          internalTrafficPolicy: 'Cluster',
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
          ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
          sessionAffinity: 'None',
          type: 'ClusterIP',
        },
      },
      as,
    );
  const addresses = nodes
    .filter(({ alive, controlPlane }) => alive && controlPlane)
    .map(({ address }) => address)
    .toSorted();
  if (addresses.length === 0) return;
  const mirrored = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
  put(
    api,
    '/endpoints',
    { apiVersion: 'v1', kind: 'Endpoints', metadata: { ...home, labels: mirrored } },
    {
      subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports }],
    },
  );
  put(
    api,
    'discovery.k8s.io/endpointslices',
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...home, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
    },
    { endpoints: addresses.map((each) => ({ addresses: [each], conditions: { ready: true } })), ports },
  );
}

function put(api: Api, resource: string, object: Parameters<Api['create']>[1], content: object): void {
  const there = api.get(resource, home.namespace, home.name);
  if (there === undefined) api.create(resource, { ...object, ...content }, as);
  else
    api.update(
      resource,
      home.namespace,
      home.name,
      (mutable) => void Object.assign(mutable, structuredClone(content)),
      as,
    );
}
