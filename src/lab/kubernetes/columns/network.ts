import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { selectorText } from '../kinds/selectors.ts';
import { text, texts, tree, trees } from '../kinds/tree.ts';
import type { Column } from '../resource.ts';
import {
  ageColumn,
  column,
  count,
  labelsText,
  nameColumn,
  nothing,
  orNothing,
  some,
  specOf,
  statusOf,
  wide,
} from './cells.ts';

const balancers = (object: KubeObject): readonly string[] =>
  trees(tree(statusOf(object)['loadBalancer'])['ingress'])
    .map(({ ip, hostname }) => text(ip) || text(hostname))
    .filter((address) => address !== '');

function externalAddress(service: KubeObject): string {
  const spec = specOf(service);
  const own = texts(spec['externalIPs']);
  switch (spec['type']) {
    case 'ExternalName':
      return text(spec['externalName']);
    case 'LoadBalancer':
      return [...balancers(service), ...own].join(',') || '<pending>';
    default:
      return orNothing(own.join(','));
  }
}

const servicePorts = (service: KubeObject): string =>
  orNothing(
    trees(specOf(service)['ports'])
      .map(({ port, nodePort, protocol }) =>
        count(nodePort) > 0
          ? `${count(port)}:${count(nodePort)}/${text(protocol)}`
          : `${count(port)}/${text(protocol)}`,
      )
      .join(','),
  );

export const serviceColumns: readonly Column[] = [
  nameColumn,
  column('Type', (service) => text(specOf(service)['type'])),
  column('Cluster-IP', (service) =>
    orNothing(texts(specOf(service)['clusterIPs'])[0] ?? text(specOf(service)['clusterIP'])),
  ),
  column('External-IP', externalAddress),
  column('Port(s)', servicePorts),
  ageColumn,
  wide('Selector', (service) => labelsText(specOf(service)['selector'])),
];

export const endpointsColumns: readonly Column[] = [
  nameColumn,
  column('Endpoints', (endpoints) => {
    const all = trees(endpoints['subsets']).flatMap((subset) => {
      const addresses = trees(subset['addresses']).map(({ ip }) => text(ip));
      const ports = trees(subset['ports']);
      if (ports.length === 0) return addresses;
      return ports.flatMap(({ port }) =>
        addresses.map((ip) => (ip.includes(':') ? `[${ip}]` : ip) + `:${count(port)}`),
      );
    });
    return orNothing(some(all));
  }),
  ageColumn,
];

export const endpointSliceColumns: readonly Column[] = [
  nameColumn,
  column('AddressType', (slice) => text(slice['addressType'])),
  column(
    'Ports',
    (slice) =>
      some(trees(slice['ports']).map(({ port }) => (port === undefined ? '*' : String(count(port))))) || '<unset>',
  ),
  column(
    'Endpoints',
    (slice) => some(trees(slice['endpoints']).flatMap(({ addresses }) => texts(addresses))) || '<unset>',
  ),
  ageColumn,
];

export const ingressColumns: readonly Column[] = [
  nameColumn,
  column('Class', (ingress) =>
    orNothing(
      text(specOf(ingress)['ingressClassName']) ||
        (ingress.metadata.annotations?.['kubernetes.io/ingress.class'] ?? ''),
    ),
  ),
  column('Hosts', (ingress) => {
    const hosts = trees(specOf(ingress)['rules'])
      .map(({ host }) => text(host))
      .filter((host) => host !== '');
    return some(hosts) || '*';
  }),
  column('Address', (ingress) => balancers(ingress).join(',')),
  column('Ports', (ingress) => (trees(specOf(ingress)['tls']).length > 0 ? '80, 443' : '80')),
  ageColumn,
];

export const ingressClassColumns: readonly Column[] = [
  nameColumn,
  column('Controller', (of) => text(specOf(of)['controller'])),
  column('Parameters', (of) => {
    const { apiGroup, kind, name } = tree(specOf(of)['parameters']);
    if (text(kind) === '') return nothing;
    return `${text(kind)}${text(apiGroup) === '' ? '' : `.${text(apiGroup)}`}/${text(name)}`;
  }),
  ageColumn,
];

export const networkPolicyColumns: readonly Column[] = [
  nameColumn,
  column('Pod-Selector', (policy) => orNothing(selectorText(specOf(policy)['podSelector']))),
  ageColumn,
];

export const serviceCidrColumns: readonly Column[] = [
  nameColumn,
  column('CIDRs', (range) => texts(specOf(range)['cidrs']).join(',')),
  ageColumn,
];
