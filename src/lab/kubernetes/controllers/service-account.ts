import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Controller } from './loop.ts';
import { controllerManager, isLeaving, itself } from './tools.ts';
import type { Tools } from './tools.ts';

const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Every namespace has an account that pods use when they name none, and the authority of the API server. */
export function serviceAccounts({ api, options }: Tools): Controller {
  const home =
    (own: string) =>
    ({ metadata }: KubeObject): readonly string[] =>
      metadata.name === own && metadata.namespace !== undefined ? [metadata.namespace] : [];
  return {
    name: 'serviceaccount',
    watches: { '/namespaces': itself, '/serviceaccounts': home('default'), '/configmaps': home('kube-root-ca.crt') },
    reconcile: (namespace) => {
      const found = api.get('/namespaces', undefined, namespace);
      if (found === undefined || isLeaving(found)) return;
      if (api.get('/serviceaccounts', namespace, 'default') === undefined)
        api.create(
          '/serviceaccounts',
          { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } },
          controllerManager,
        );
      if (api.get('/configmaps', namespace, 'kube-root-ca.crt') === undefined)
        api.create(
          '/configmaps',
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: {
              name: 'kube-root-ca.crt',
              namespace,
              annotations: { 'kubernetes.io/description': description },
            },
            data: { 'ca.crt': options.clientAuthorities?.[0] ?? '' },
          },
          controllerManager,
        );
    },
  };
}
