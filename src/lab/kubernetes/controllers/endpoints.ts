import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Controller } from './loop.ts';
import { hasAll } from './selectors.ts';
import type { Pod, Service } from './shapes.ts';
import {
  all,
  change,
  controllerManager,
  find,
  isLeaving,
  isOver,
  isReady,
  itself,
  keyOf,
  ownedBy,
  withoutNothing,
} from './tools.ts';
import type { Tools } from './tools.ts';

const serviceLabel = 'kubernetes.io/service-name';

/** Where the pods of a service are. */
export function endpoints(tools: Tools): Controller {
  const { api } = tools;
  const servicesOf = (pod: Pod): readonly string[] =>
    all(api, '/services', pod.metadata.namespace)
      .filter(({ spec }) => spec.selector !== undefined && hasAll(spec.selector, pod.metadata.labels))
      .map(keyOf);
  const facts = ({ metadata, status }: Pod): string =>
    JSON.stringify([
      metadata.labels,
      metadata.deletionTimestamp,
      status?.podIP,
      status?.phase,
      isReady({ metadata, status } as Pod),
    ]);
  return {
    name: 'endpoints',
    watches: {
      '/services': itself,
      '/endpoints': (object) => [keyOf(object)],
      '/pods': (object, old) => {
        const pod = object as unknown as Pod;
        const before = old as unknown as Pod | undefined;
        if (before !== undefined && facts(pod) === facts(before) && pod !== before) return [];
        return [...servicesOf(pod), ...(before === undefined ? [] : servicesOf(before))];
      },
    },
    reconcile: (key) => {
      const service = find(api, '/services', key);
      if (service === undefined || isLeaving(service)) {
        if (service === undefined) clean(tools, key);
        return;
      }
      if (service.spec.selector === undefined || service.spec.type === 'ExternalName') return;
      const pods = all(api, '/pods', service.metadata.namespace).filter(
        (pod) =>
          hasAll(service.spec.selector ?? {}, pod.metadata.labels) && !isOver(pod) && pod.status?.podIP !== undefined,
      );
      writeSlice(tools, service, pods);
      writeEndpoints(
        tools,
        service,
        pods.filter((pod) => !isLeaving(pod)),
      );
    },
  };
}

function clean({ api }: Tools, key: string): void {
  const [namespace, name = ''] = key.split('/');
  const left = api.get('/endpoints', namespace, name);
  if (left?.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller')
    api.delete('/endpoints', namespace, name, {}, controllerManager);
}

function portsFor(service: Service, pod: Pod | undefined) {
  return (service.spec.ports ?? []).map(({ name = '', port, protocol = 'TCP', appProtocol, targetPort = port }) => {
    const named = pod?.spec.containers.flatMap(({ ports = [] }) => ports).find((each) => each.name === targetPort);
    return {
      name,
      port: typeof targetPort === 'number' ? targetPort : (named?.containerPort ?? port),
      protocol,
      ...(appProtocol === undefined ? {} : { appProtocol }),
    };
  });
}

const target = ({ metadata }: Pod) => ({
  kind: 'Pod',
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid,
});

function writeSlice({ api }: Tools, service: Service, pods: readonly Pod[]): void {
  const { namespace = '', name } = service.metadata;
  const headless = service.spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {};
  const labels = {
    ...service.metadata.labels,
    ...headless,
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    [serviceLabel]: name,
  };
  const list = pods.map((pod) => ({
    addresses: [pod.status?.podIP],
    conditions: {
      ready: (isReady(pod) || service.spec.publishNotReadyAddresses === true) && !isLeaving(pod),
      serving: isReady(pod),
      terminating: isLeaving(pod),
    },
    nodeName: pod.spec.nodeName,
    targetRef: target(pod),
  }));
  const content = { addressType: 'IPv4', endpoints: list, ports: portsFor(service, pods[0]) };
  const own = api
    .list('discovery.k8s.io/endpointslices', namespace)
    .find(
      ({ metadata }) =>
        metadata.labels?.[serviceLabel] === name && metadata.ownerReferences?.[0]?.uid === service.metadata.uid,
    );
  if (own === undefined)
    return void api.create(
      'discovery.k8s.io/endpointslices',
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: {
          generateName: `${name}-`,
          namespace,
          labels,
          ownerReferences: [ownedBy({ ...service, apiVersion: 'v1', kind: 'Service' })],
        },
        ...content,
      },
      controllerManager,
    );
  settle({ api } as Tools, 'discovery.k8s.io/endpointslices', own, { ...content, labels });
}

function writeEndpoints({ api }: Tools, service: Service, pods: readonly Pod[]): void {
  const { namespace = '', name } = service.metadata;
  const address = (pod: Pod) => ({ ip: pod.status?.podIP, nodeName: pod.spec.nodeName, targetRef: target(pod) });
  const fit = (pod: Pod): boolean => isReady(pod) || service.spec.publishNotReadyAddresses === true;
  const [ready, unready] = [pods.filter(fit), pods.filter((pod) => !fit(pod))];
  const subsets =
    pods.length === 0
      ? undefined
      : [
          {
            ...(ready.length === 0 ? {} : { addresses: ready.map(address) }),
            ...(unready.length === 0 ? {} : { notReadyAddresses: unready.map(address) }),
            ports: portsFor(service, pods[0]),
          },
        ];
  const labels = { ...service.metadata.labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
  const own = api.get('/endpoints', namespace, name);
  if (own === undefined)
    return void api.create(
      '/endpoints',
      {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name, namespace, labels },
        ...(subsets === undefined ? {} : { subsets }),
      },
      controllerManager,
    );
  settle({ api } as Tools, '/endpoints', own, { subsets, labels });
}

function settle(
  { api }: Tools,
  resource: string,
  own: KubeObject,
  next: { readonly labels: object; readonly [field: string]: unknown },
): void {
  const { labels, ...content } = next;
  const now = Object.fromEntries(Object.keys(content).map((field) => [field, own[field]]));
  if (isDeepStrictEqual(withoutNothing(now), withoutNothing(content)) && isDeepStrictEqual(own.metadata.labels, labels))
    return;
  change(
    api,
    resource,
    own as KubeObject & { metadata: { name: string } },
    (object) => {
      Object.assign(object, withoutNothing(content));
      for (const field of Object.keys(content)) if (content[field] === undefined) delete object[field];
      Object.assign(object['metadata'] as object, { labels });
    },
    controllerManager,
  );
}
