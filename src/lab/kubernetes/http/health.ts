import type { Exchange } from './exchange.ts';
import type { RequestInfo } from './request-info.ts';

/** What an API server looks at when it is asked how it is; a twin is always well. */
const hooks = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'start-kube-aggregator-informers',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
].map((each) => `poststarthook/${each}`);

const checks: Readonly<Record<string, readonly string[]>> = {
  healthz: ['ping', 'log', 'etcd', ...hooks, 'autoregister-completion'],
  livez: ['ping', 'log', 'etcd', ...hooks, 'autoregister-completion'],
  readyz: ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...hooks, 'autoregister-completion', 'shutdown'],
};

/** `/readyz`, `/readyz?verbose`, `/readyz/ping`; false: it is none of these. */
export function answerHealth({ path, query }: RequestInfo, exchange: Exchange): boolean {
  const [, root = '', ...rest] = path.replace(/\/$/, '').split('/');
  const all = checks[root];
  if (all === undefined) return false;
  if (rest.length > 0) {
    if (!all.includes(rest.join('/'))) return false;
    exchange.text(200, 'ok');
    return true;
  }
  if (!query.has('verbose')) {
    exchange.text(200, 'ok');
    return true;
  }
  const excluded = new Set(query.getAll('exclude'));
  const lines = all.map((each) => `[+]${each} ${excluded.has(each) ? 'excluded: ' : ''}ok\n`);
  exchange.text(200, `${lines.join('')}${root} check passed\n`);
  return true;
}
