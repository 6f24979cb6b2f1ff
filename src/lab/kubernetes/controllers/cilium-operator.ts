import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { operatorLabels } from '../helm/cilium.ts';
import type { Controller } from './loop.ts';
import type { Pod } from './shapes.ts';
import { find, isReady, itself } from './tools.ts';
import type { Tools } from './tools.ts';

const resource = 'apiextensions.k8s.io/customresourcedefinitions';
const operator = { manager: 'cilium-operator-generic' };

/** Kinds by their plural; pools and BGP in both versions that they have had. */
const kinds: readonly (readonly [plural: string, kind: string, versions: readonly string[], scope?: 'Namespaced'])[] = [
  ['ciliumnodes', 'CiliumNode', ['v2']],
  ['ciliumendpoints', 'CiliumEndpoint', ['v2'], 'Namespaced'],
  ['ciliumidentities', 'CiliumIdentity', ['v2']],
  ['ciliumnetworkpolicies', 'CiliumNetworkPolicy', ['v2'], 'Namespaced'],
  ['ciliumclusterwidenetworkpolicies', 'CiliumClusterwideNetworkPolicy', ['v2']],
  ['ciliumloadbalancerippools', 'CiliumLoadBalancerIPPool', ['v2', 'v2alpha1']],
  ['ciliuml2announcementpolicies', 'CiliumL2AnnouncementPolicy', ['v2alpha1']],
  ['ciliumbgpadvertisements', 'CiliumBGPAdvertisement', ['v2', 'v2alpha1']],
  ['ciliumbgppeerconfigs', 'CiliumBGPPeerConfig', ['v2', 'v2alpha1']],
  ['ciliumbgpclusterconfigs', 'CiliumBGPClusterConfig', ['v2', 'v2alpha1']],
];

/** Cilium’s operator brings the kinds of Cilium once it runs; what they mean happens to nobody here. */
export function ciliumOperator({ api }: Tools): Controller {
  return {
    name: 'cilium-operator',
    watches: {
      '/pods': (pod) => (isOperator(pod as unknown as Pod) ? itself(pod) : []),
    },
    reconcile: (key) => {
      const pod = find(api, '/pods', key);
      if (pod === undefined || !isReady(pod)) return undefined;
      for (const each of kinds)
        if (api.get(resource, undefined, `${each[0]}.cilium.io`) === undefined)
          api.create(resource, definitionOf(...each), operator);
      return undefined;
    },
  };
}

const isOperator = ({ metadata }: Pod): boolean =>
  Object.entries(operatorLabels).every(([key, value]) => metadata.labels?.[key] === value);

const definitionOf = (
  plural: string,
  kind: string,
  versions: readonly string[],
  scope: 'Namespaced' | 'Cluster' = 'Cluster',
): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.cilium.io`, labels: { 'io.cilium.k8s.crd.schema.version': '1.32.2' } },
  spec: {
    group: 'cilium.io',
    names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List`, categories: ['cilium'] },
    scope,
    versions: versions.map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      },
    })),
  },
});
