import { isIP } from 'node:net';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, Strategy } from '../resource.ts';
import { subdomain } from '../verbs/names.ts';
import { complain, immutable, invalidValue, isPort, notSupported, oneOf, portRange, required } from './errors.ts';
import { checkPort } from './probe-checks.ts';
import { checkSelector } from './selectors.ts';
import { notAnAddress } from './service.ts';
import { fill, isEmpty, isTree, text, texts, type Tree, tree, trees, within } from './tree.ts';

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function checkBackend(field: string, backend: Tree): readonly FieldError[] {
  const { service, resource } = backend;
  if (!isTree(service) && !isTree(resource))
    return [invalidValue(field, '', 'resource or service backend is required')];
  if (!isTree(service)) return [];
  const { name, number } = tree(service['port']);
  return [
    ...(text(service['name']) === '' ? [required(`${field}.service.name`)] : []),
    ...(text(name) === '' && (number ?? 0) === 0 ? [required(field, 'port name or number is required')] : []),
    ...((number ?? 0) !== 0 && !isPort(number)
      ? [invalidValue(`${field}.service.port.number`, number, portRange)]
      : []),
  ];
}

function checkIngress(ingress: KubeObject): readonly FieldError[] {
  const spec = tree(ingress['spec']);
  const rules = trees(spec['rules']);
  if (rules.length === 0 && !isTree(spec['defaultBackend'])) {
    return [invalidValue('spec', undefined, 'either `defaultBackend` or `rules` must be specified')];
  }
  return [
    ...(isTree(spec['defaultBackend']) ? checkBackend('spec.defaultBackend', spec['defaultBackend']) : []),
    ...rules.flatMap((rule, at) => {
      const host = text(rule['host']);
      const plain = host.startsWith('*.') ? host.slice(2) : host;
      return [
        ...(host === '' ? [] : complain(`spec.rules[${at}].host`, host, subdomain(plain))),
        ...trees(tree(rule['http'])['paths']).flatMap((path, nth) =>
          checkPath(`spec.rules[${at}].http.paths[${nth}]`, path),
        ),
      ];
    }),
  ];
}

function checkPath(field: string, { path, pathType, backend }: Tree): readonly FieldError[] {
  const isStrict = pathType === 'Exact' || pathType === 'Prefix';
  return [
    ...(pathType === undefined || pathType === null
      ? [required(`${field}.pathType`, 'pathType must be specified')]
      : oneOf(`${field}.pathType`, pathType, pathTypes)),
    ...(isStrict && !text(path).startsWith('/')
      ? [invalidValue(`${field}.path`, text(path), 'must be an absolute path')]
      : []),
    ...checkBackend(`${field}.backend`, tree(backend)),
  ];
}

export const ingressStrategy: Strategy = {
  prepareCreate: (ingress, { server }) => {
    ingress['status'] = { loadBalancer: {} };
    const spec = within(ingress, 'spec');
    const annotations = tree(within(ingress, 'metadata')['annotations']);
    if (spec['ingressClassName'] !== undefined || 'kubernetes.io/ingress.class' in annotations) return;
    const [standard] = server
      .list('networking.k8s.io/ingressclasses')
      .filter(({ metadata }) => metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true');
    if (standard !== undefined) spec['ingressClassName'] = standard.metadata.name;
  },
  validate: checkIngress,
  validateUpdate: (next, _, { subresource }) => (subresource === undefined ? checkIngress(next) : []),
};

const checkIngressClass = (of: KubeObject): readonly FieldError[] => {
  const controller = text(tree(of['spec'])['controller']);
  if (controller === '') return [required('spec.controller')];
  return controller.includes('/')
    ? []
    : [invalidValue('spec.controller', controller, 'must be a domain-prefixed path (such as "acme.io/foo")')];
};

export const ingressClassStrategy: Strategy = {
  defaults: (of) => {
    const { parameters } = tree(of['spec']);
    if (isTree(parameters)) fill(parameters, { scope: 'Cluster' });
  },
  validate: checkIngressClass,
  validateUpdate: (next, old) => {
    const [after, before] = [tree(next['spec'])['controller'], tree(old['spec'])['controller']];
    return after === before ? checkIngressClass(next) : [invalidValue('spec.controller', after, immutable)];
  },
};

function checkPolicy(policy: KubeObject): readonly FieldError[] {
  const spec = tree(policy['spec']);
  const peers = (direction: string, side: string): readonly FieldError[] =>
    trees(spec[direction]).flatMap((rule, at) => [
      ...trees(rule['ports']).flatMap(({ port, protocol }, nth) => {
        const field = `spec.${direction}[${at}].ports[${nth}]`;
        return [
          ...oneOf(`${field}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']),
          ...(port === undefined ? [] : checkPort(`${field}.port`, port)),
        ];
      }),
      ...trees(rule[side]).flatMap((peer, nth) => checkPeer(`spec.${direction}[${at}].${side}[${nth}]`, peer)),
    ]);
  return [
    ...checkSelector('spec.podSelector', tree(spec['podSelector'])),
    ...peers('ingress', 'from'),
    ...peers('egress', 'to'),
    ...texts(spec['policyTypes']).flatMap((type, at) => oneOf(`spec.policyTypes[${at}]`, type, ['Ingress', 'Egress'])),
  ];
}

function checkPeer(field: string, peer: Tree): readonly FieldError[] {
  if (Object.keys(peer).length === 0) return [required(field, 'must specify a peer')];
  const block = peer['ipBlock'];
  if (!isTree(block)) return [];
  const [address = '', bits] = text(block['cidr']).split('/');
  return isIP(address) !== 0 && bits !== undefined
    ? []
    : [
        invalidValue(
          `${field}.ipBlock.cidr`,
          text(block['cidr']),
          'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        ),
      ];
}

export const networkPolicyStrategy: Strategy = {
  defaults: (policy) => {
    const spec = within(policy, 'spec');
    for (const rule of [...trees(spec['ingress']), ...trees(spec['egress'])]) {
      for (const port of trees(rule['ports'])) fill(port, { protocol: 'TCP' });
    }
    if (isEmpty(spec['policyTypes'])) {
      spec['policyTypes'] = ['Ingress', ...(isEmpty(spec['egress']) ? [] : ['Egress'])];
    }
  },
  validate: checkPolicy,
  validateUpdate: checkPolicy,
};

const checkEndpoints = (endpoints: KubeObject): readonly FieldError[] =>
  trees(endpoints['subsets']).flatMap((subset, at) => [
    ...['addresses', 'notReadyAddresses'].flatMap((list) =>
      trees(subset[list]).flatMap(({ ip }, nth) =>
        isIP(text(ip)) !== 0
          ? []
          : [notAnAddress, 'must be a valid IP address'].map((because) =>
              invalidValue(`subsets[${at}].${list}[${nth}].ip`, text(ip), because),
            ),
      ),
    ),
    ...trees(subset['ports']).flatMap(({ port, protocol }, nth) => [
      ...(isPort(port) ? [] : [invalidValue(`subsets[${at}].ports[${nth}].port`, port ?? 0, portRange)]),
      ...oneOf(`subsets[${at}].ports[${nth}].protocol`, protocol, ['SCTP', 'TCP', 'UDP']),
    ]),
  ]);

export const endpointsStrategy: Strategy = {
  defaults: (endpoints) => {
    for (const subset of trees(endpoints['subsets'])) {
      for (const port of trees(subset['ports'])) fill(port, { protocol: 'TCP' });
    }
  },
  validate: checkEndpoints,
  validateUpdate: checkEndpoints,
};

const families = ['FQDN', 'IPv4', 'IPv6'];

function checkSlice(slice: KubeObject): readonly FieldError[] {
  const type = text(slice['addressType']);
  if (type === '') return [required('addressType')];
  if (!families.includes(type)) return [notSupported('addressType', type, families)];
  return trees(slice['endpoints']).flatMap(({ addresses }, at) =>
    texts(addresses).length === 0
      ? [required(`endpoints[${at}].addresses`, 'must contain at least 1 address')]
      : texts(addresses).flatMap((address, nth) =>
          type === 'FQDN' || isIP(address) !== 0
            ? []
            : [invalidValue(`endpoints[${at}].addresses[${nth}]`, address, notAnAddress)],
        ),
  );
}

export const endpointSliceStrategy: Strategy = {
  defaults: (slice) => {
    for (const port of trees(slice['ports'])) {
      port['name'] ??= '';
      fill(port, { protocol: 'TCP' });
    }
    for (const endpoint of trees(slice['endpoints'])) within(endpoint, 'conditions');
  },
  validate: checkSlice,
  validateUpdate: (next, old) =>
    next['addressType'] === old['addressType']
      ? checkSlice(next)
      : [invalidValue('addressType', next['addressType'], immutable)],
};
