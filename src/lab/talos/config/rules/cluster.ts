import type { Pem } from '../decode-own.ts';
import { isSubnetOrAddress } from '../go/net.ts';
import { endpointFault, parseUrl } from '../go/url.ts';
import type { Values } from '../reading.ts';
import { flagAt, quote, section, sectionsAt, textAt, textsAt } from './report.ts';

const dnsName = /^([a-zA-Z0-9_]{1}[a-zA-Z0-9_-]{0,62}){1}(\.[a-zA-Z0-9_]{1}[a-zA-Z0-9_-]{0,62})*[._]?$/;

const isDnsName = (text: string): boolean => text.replaceAll('.', '').length <= 255 && dnsName.test(text);

const movedEndpoint =
  'cluster controlplane endpoint is required (.cluster.controlPlane.endpoint); ' +
  'when the endpoint is migrated to the KubeClusterConfig document, the whole .cluster.controlPlane section should be removed ' +
  '(.cluster.controlPlane.localAPIServerPort is migrated to the KubeAPIServerConfig document)';
const movedAccount =
  '.cluster.serviceAccount requires the cluster endpoint to be set in the same document (.cluster.controlPlane.endpoint); ' +
  'when the cluster endpoint is migrated to the KubeClusterConfig document, .cluster.serviceAccount should be migrated to the KubeServiceAccountConfig document as well';

/** What is wrong with the cluster’s part of a v1alpha1 document. */
export function clusterFaults(cluster: Values | undefined, controlPlane: boolean, minor: number): readonly string[] {
  if (cluster === undefined) return ['cluster instructions are required'];
  const plane = section(cluster, 'controlPlane');
  const endpoint = plane?.['endpoint'] as string | undefined;
  if (endpoint === undefined && minor < 14) return ['cluster controlplane endpoint is required'];
  if (endpoint === undefined && plane !== undefined) return [movedEndpoint];
  const fault = endpoint === undefined ? undefined : endpointFault(endpoint);
  const domain = textAt(section(cluster, 'network'), 'dnsDomain');
  const ca = cluster['ca'] as Pem | undefined;
  return [
    ...(fault === undefined ? [] : [`invalid controlplane endpoint: ${fault}`]),
    ...(minor >= 14 && cluster['serviceAccount'] !== undefined && endpoint === undefined ? [movedAccount] : []),
    ...(domain === '' || isDnsName(domain) ? [] : [`${quote(domain)} is not a valid DNS name`]),
    ...cloudProviderFaults(section(cluster, 'externalCloudProvider')),
    ...etcdPart(section(cluster, 'etcd'), controlPlane),
    ...(ca !== undefined && !controlPlane && ca.key.length > 0
      ? ['cluster CA key is not allowed on non-controlplane nodes (.cluster.ca)']
      : []),
    ...inlineManifestFaults(sectionsAt(cluster, 'inlineManifests')),
    ...discoveryFaults(cluster),
    ...apiServerFaults(section(cluster, 'apiServer')),
    ...resourceFaults('controller-manager', section(cluster, 'controllerManager')),
    ...resourceFaults('scheduler', section(cluster, 'scheduler')),
  ];
}

function cloudProviderFaults(provider: Values | undefined): readonly string[] {
  const manifests = textsAt(provider, 'manifests');
  if (!flagAt(provider, 'enabled') && manifests.length > 0)
    return ['external cloud provider is disabled, but manifests are provided'];
  return manifests.flatMap((url) => {
    const fault = endpointFault(url);
    return fault === undefined ? [] : [`invalid external cloud provider manifest url ${quote(url)}: ${fault}`];
  });
}

function etcdPart(etcd: Values | undefined, controlPlane: boolean): readonly string[] {
  if (etcd === undefined) return [];
  if (!controlPlane) return ['etcd config is only allowed on control plane machines'];
  const subnet = textAt(etcd, 'subnet');
  const given = textsAt(etcd, 'advertisedSubnets');
  const advertised = given.length > 0 ? given : subnet === '' ? [] : [subnet];
  const listening = textsAt(etcd, 'listenSubnets');
  const wrong = (what: string, all: readonly string[]): readonly string[] =>
    all
      .map((cidr) => cidr.replace(/^!/, ''))
      .filter((cidr) => !isSubnetOrAddress(cidr))
      .map((cidr) => `etcd ${what} subnet is not valid: ${quote(cidr)}`);
  return [
    ...(etcd['ca'] === undefined ? ['key/cert combination should not be empty'] : []),
    ...(subnet !== '' && given.length > 0 ? ["etcd subnet can't be set when advertised subnets are set"] : []),
    ...wrong('advertised', advertised),
    ...wrong('listen', listening.length > 0 ? listening : given),
  ];
}

function inlineManifestFaults(manifests: readonly (Values | null)[]): readonly string[] {
  const names = new Set<string>();
  return manifests.flatMap((manifest) => {
    const name = textAt(manifest ?? undefined, 'name');
    const faults = [
      ...(name.trim() === '' ? ["inline manifest name can't be empty"] : []),
      ...(names.has(name) ? [`inline manifest name ${quote(name)} is duplicate`] : []),
    ];
    names.add(name);
    return faults;
  });
}

function discoveryFaults(cluster: Values): readonly string[] {
  const discovery = section(cluster, 'discovery');
  const service = section(section(discovery, 'registries'), 'service');
  if (!flagAt(discovery, 'enabled') || flagAt(service, 'disabled')) return [];
  return [
    ...discoveryEndpointFaults(textAt(service, 'endpoint')),
    ...(textAt(cluster, 'id') === '' ? ['cluster discovery service requires .cluster.id'] : []),
    ...(textAt(cluster, 'secret') === '' ? ['cluster discovery service requires .cluster.secret'] : []),
  ];
}

function discoveryEndpointFaults(endpoint: string): readonly string[] {
  if (endpoint === '') return [];
  const url = parseUrl(endpoint);
  const prefix = 'cluster discovery service registry endpoint is invalid: ';
  if (typeof url === 'string') return [prefix + url];
  if (url.scheme === '' && !endpoint.startsWith('/'))
    return [`${prefix}parse ${quote(endpoint)}: invalid URI for request`];
  return url.path === '' || url.path === '/' ? [] : ['cluster discovery service path should be empty'];
}

function apiServerFaults(server: Values | undefined): readonly string[] {
  const authorizers = server?.['authorizationConfig'] as readonly (Values | null)[] | undefined;
  if (authorizers !== undefined) {
    const names = Object.keys(section(server, 'extraArgs') ?? {});
    if (names.includes('authorization-mode'))
      return [
        'authorization-mode cannot be used in conjunction with AuthorizationConfig, use eitherr AuthorizationConfig or authorization-mode',
      ];
    if (names.some((name) => name.startsWith('authorization-webhook-')))
      return [
        'authorization-webhook-* flags cannot be used in conjunction with AuthorizationConfig, use either AuthorizationConfig or authorization-webhook-* flags',
      ];
  }
  for (const authorizer of authorizers ?? []) {
    const fault = authorizerFault(authorizer ?? {});
    if (fault !== undefined) return [`apiserver authorization config validation failed: ${fault}`];
  }
  return resourceFaults('apiserver', server);
}

function authorizerFault(authorizer: Values): string | undefined {
  const type = textAt(authorizer, 'type');
  if (type === '') return 'authorizer type must be set';
  if (textAt(authorizer, 'name') === '') return 'authorizer name must be set';
  if (['Node', 'RBAC', 'Webhook'].includes(type)) return undefined;
  return `authorizer type ${type} is not allowed, allowed types are [Node RBAC Webhook]`;
}

function resourceFaults(who: string, component: Values | undefined): readonly string[] {
  const resources = section(component, 'resources');
  for (const part of ['requests', 'limits']) {
    const strange = Object.keys(section(resources, part) ?? {}).find((key) => key !== 'memory' && key !== 'cpu');
    if (strange !== undefined) return [`${who} resource validation failed: unsupported pod resource ${quote(strange)}`];
  }
  return [];
}

/** What is wrong, and what is odd, with the network plugin. */
export function cniFaults(cluster: Values | undefined): {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
} {
  const cni = section(section(cluster, 'network'), 'cni');
  const name = cni === undefined ? 'flannel' : textAt(cni, 'name');
  const urls = textsAt(cni, 'urls');
  const flannel = section(cni, 'flannel');
  if (!['flannel', 'custom', 'none'].includes(name))
    return { errors: ['cni name should be one of ["flannel", "custom", "none"]'], warnings: [] };
  const errors = [
    ...(name !== 'custom' && urls.length > 0 ? [`"urls" field should be empty for ${quote(name)} CNI`] : []),
    ...(name !== 'flannel' && textsAt(flannel, 'extraArgs').length > 0
      ? [`"flanneldExtraArgs" field should be empty for ${quote(name)} CNI`]
      : []),
    ...(name !== 'flannel' && flagAt(flannel, 'kubeNetworkPoliciesEnabled')
      ? [`"flannelKubeNetworkPoliciesEnabled" should not be enabled for ${quote(name)} CNI`]
      : []),
    ...(name === 'custom' ? urls.flatMap((url) => endpointFault(url) ?? []) : []),
  ];
  const warnings = name === 'custom' && urls.length === 0 ? ['"urls" field should not be empty for "custom" CNI'] : [];
  return { errors, warnings };
}
