import type { Api } from '../api.ts';
import { greatestQuantity, sumOfQuantities } from '../schema/quantity.ts';
import type { Container, Pod } from './shapes.ts';
import { all, isOver } from './tools.ts';

const counted = [
  'configmaps',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
];

/** How much of something a namespace uses, in the words of a quota: `pods`, `count/jobs.batch`, `requests.cpu`. */
export function usedOf(api: Api, namespace: string | undefined, pods: readonly Pod[], name: string): string {
  const alive = pods.filter((pod) => !isOver(pod));
  const [, kind = '', what = ''] = /^(count\/|requests\.|limits\.)?(.*)$/.exec(name) ?? [];
  switch (kind) {
    case 'count/':
      return String(api.list(keyOfCount(what), namespace).length);
    case 'requests.':
      return what === 'storage' ? claimed(api, namespace) : asked(alive, 'requests', what);
    case 'limits.':
      return asked(alive, 'limits', what);
    default:
      if (what === 'pods') return String(alive.length);
      if (what.startsWith('services.')) return services(api, namespace, what);
      return counted.includes(what) ? String(api.list(`/${what}`, namespace).length) : asked(alive, 'requests', what);
  }
}

/** `jobs.batch` is `batch/jobs`. */
function keyOfCount(what: string): string {
  const [resource = '', ...group] = what.split('.');
  return `${group.join('.')}/${resource}`;
}

function services(api: Api, namespace: string | undefined, what: string): string {
  const exposed = all(api, '/services', namespace).filter(({ spec }) => spec.type !== 'ClusterIP');
  if (what === 'services.loadbalancers')
    return String(exposed.filter(({ spec }) => spec.type === 'LoadBalancer').length);
  const ports = exposed.flatMap(({ spec }) => spec.ports ?? []);
  return String(ports.filter(({ nodePort = 0 }) => nodePort > 0).length);
}

const claimed = (api: Api, namespace: string | undefined): string =>
  sumOfQuantities(
    all(api, '/persistentvolumeclaims', namespace).map(({ spec }) => spec.resources?.requests?.['storage'] ?? '0'),
  );

/** Containers of a pod together, or its greediest init container. */
function asked(pods: readonly Pod[], side: 'requests' | 'limits', resource: string): string {
  const of = ({ resources }: Container): string => resources?.[side]?.[resource] ?? '0';
  return sumOfQuantities(
    pods.map(({ spec }) => {
      const aside = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
      const running = sumOfQuantities([...spec.containers, ...aside].map(of));
      return greatestQuantity([running, ...(spec.initContainers ?? []).map(of)]);
    }),
  );
}
