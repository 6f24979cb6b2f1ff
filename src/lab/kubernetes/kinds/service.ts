import { isIP } from 'node:net';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, Strategy } from '../resource.ts';
import { dnsLabel } from '../verbs/names.ts';
import { portNameComplaints } from './port-names.ts';
import { complain, duplicate, forbiddenField, invalidValue, isPort, oneOf, portRange, required } from './errors.ts';
import { checkLabel } from './selectors.ts';
import { allocate } from './service-allocation.ts';
import { fill, text, texts, type Tree, tree, trees, within } from './tree.ts';

export const notAnAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

export const serviceStrategy: Strategy = {
  defaults: (service) => {
    const spec = within(service, 'spec');
    fill(spec, { type: 'ClusterIP', sessionAffinity: 'None' });
    if (spec['sessionAffinity'] === 'ClientIP') {
      within(within(spec, 'sessionAffinityConfig'), 'clientIP')['timeoutSeconds'] ??= 10_800;
    } else delete spec['sessionAffinityConfig'];
    for (const port of trees(spec['ports'])) {
      fill(port, { protocol: 'TCP' });
      if ((port['targetPort'] ?? '') === '' || port['targetPort'] === 0) port['targetPort'] = port['port'];
    }
    const { type } = spec;
    if (type === 'NodePort' || type === 'LoadBalancer') fill(spec, { externalTrafficPolicy: 'Cluster' });
    if (type === 'LoadBalancer') spec['allocateLoadBalancerNodePorts'] ??= true;
    if (type !== 'ExternalName') fill(spec, { internalTrafficPolicy: 'Cluster' });
  },
  prepareCreate: (service, context) => {
    service['status'] = { loadBalancer: {} };
    settleAddresses(within(service, 'spec'), undefined);
    allocate(service, context);
  },
  prepareUpdate: (next, old, context) => {
    if (context.subresource !== undefined) return;
    settleAddresses(within(next, 'spec'), tree(old['spec']));
    allocate(next, context, old);
  },
  validate: checkService,
  validateUpdate: (next, old, { subresource }) =>
    subresource === undefined ? [...checkService(next), ...addressesStay(next, old)] : [],
};

/** One address and the list of them say the same. What a client leaves out on an update stays. */
function settleAddresses(spec: Tree, old: Tree | undefined): void {
  if (spec['type'] === 'ExternalName') {
    for (const name of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'])
      delete spec[name];
    return;
  }
  if (old !== undefined && old['type'] !== 'ExternalName') keepAllocated(spec, old);
  const first = text(spec['clusterIP']);
  const before = text(old?.['clusterIP']);
  const list = texts(spec['clusterIPs']);
  if (first !== '' && (list.length === 0 || (first !== before && list[0] === before))) spec['clusterIPs'] = [first];
  else if (first === '' && list[0] !== undefined) spec['clusterIP'] = list[0];
  if (spec['ipFamilies'] === undefined) spec['ipFamilies'] = [first.includes(':') ? 'IPv6' : 'IPv4'];
  spec['ipFamilyPolicy'] ??= 'SingleStack';
}

function keepAllocated(spec: Tree, old: Tree): void {
  if (text(spec['clusterIP']) === '') {
    spec['clusterIP'] = old['clusterIP'];
    if (texts(spec['clusterIPs']).length === 0) spec['clusterIPs'] = old['clusterIPs'];
  }
  spec['ipFamilies'] ??= old['ipFamilies'];
  spec['ipFamilyPolicy'] ??= old['ipFamilyPolicy'];
  if (spec['type'] !== 'NodePort' && spec['type'] !== 'LoadBalancer') return;
  for (const port of trees(spec['ports'])) {
    const before = trees(old['ports']).find(
      (each) => each['port'] === port['port'] && each['protocol'] === port['protocol'],
    );
    if ((port['nodePort'] ?? 0) === 0 && before?.['nodePort'] !== undefined) port['nodePort'] = before['nodePort'];
  }
}

function addressesStay(next: KubeObject, old: KubeObject): readonly FieldError[] {
  const [after, before] = [tree(next['spec']), tree(old['spec'])];
  if (after['type'] === 'ExternalName' || before['type'] === 'ExternalName') return [];
  const [ips, were] = [texts(after['clusterIPs']), texts(before['clusterIPs'])];
  return were[0] !== undefined && ips[0] !== were[0]
    ? [invalidValue('spec.clusterIPs[0]', ips, 'may not change once set')]
    : [];
}

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

function checkService(service: KubeObject): readonly FieldError[] {
  const spec = tree(service['spec']);
  const ports = trees(spec['ports']);
  const isHeadless = spec['clusterIP'] === 'None';
  const wrong: FieldError[] = [];
  if (ports.length === 0 && !isHeadless && spec['type'] !== 'ExternalName') wrong.push(required('spec.ports'));
  if (spec['type'] === 'ExternalName' && text(spec['externalName']) === '') wrong.push(required('spec.externalName'));
  wrong.push(...checkPorts(ports, isHeadless));
  wrong.push(
    ...Object.entries(tree(spec['selector'])).flatMap(([key, value]) => checkLabel('spec.selector', key, value)),
    ...oneOf('spec.sessionAffinity', spec['sessionAffinity'], ['ClientIP', 'None']),
    ...texts(spec['clusterIPs']).flatMap((address, at) =>
      address === 'None' || isIP(address) !== 0 ? [] : [invalidValue(`spec.clusterIPs[${at}]`, address, notAnAddress)],
    ),
    ...texts(spec['externalIPs']).flatMap((address, at) =>
      isIP(address) === 0 ? [invalidValue(`spec.externalIPs[${at}]`, address, notAnAddress)] : [],
    ),
    ...oneOf('spec.type', spec['type'], types),
    ...(spec['type'] === 'ClusterIP'
      ? ports.flatMap(({ nodePort }, at) =>
          (nodePort ?? 0) === 0
            ? []
            : [forbiddenField(`spec.ports[${at}].nodePort`, "may not be used when `type` is 'ClusterIP'")],
        )
      : []),
  );
  return wrong;
}

function checkPorts(ports: readonly Tree[], isHeadless: boolean): readonly FieldError[] {
  const [names, numbers] = [new Set<string>(), new Set<string>()];
  const later: FieldError[] = [];
  const wrong = ports.flatMap(({ name, port, targetPort, protocol }, at) => {
    const field = `spec.ports[${at}]`;
    const of: FieldError[] = [];
    if (text(name) === '') {
      if (ports.length > 1) of.push(required(`${field}.name`));
    } else {
      of.push(...complain(`${field}.name`, name, dnsLabel(text(name))));
      if (names.has(text(name))) of.push(duplicate(`${field}.name`, name));
      names.add(text(name));
    }
    if (!isPort(port)) of.push(invalidValue(`${field}.port`, port ?? 0, portRange));
    of.push(...oneOf(`${field}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']));
    if (typeof targetPort === 'string')
      of.push(...complain(`${field}.targetPort`, targetPort, portNameComplaints(targetPort)));
    else if (!isPort(targetPort)) of.push(invalidValue(`${field}.targetPort`, targetPort ?? 0, portRange));
    const key = `${text(protocol)} ${String(port)}`;
    if (numbers.has(key)) {
      later.push(
        duplicate(field, { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 }),
      );
    }
    numbers.add(key);
    return of;
  });
  return isHeadless ? wrong : [...wrong, ...later];
}
