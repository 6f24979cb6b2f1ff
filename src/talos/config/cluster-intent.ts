import { Problem } from '../../model/problem.ts';
import { formatVersion, parseVersion, type Version } from '../../model/version.ts';
import type { Cluster } from '../../spec/platform.ts';
import { contractOf } from './contract.ts';
import { endpointOf, localApiPort } from './endpoint.ts';
import type { ClusterIntent, DiskKey, ExtensionService, Registries } from './intent.ts';
import { textOf, type Resolved } from './references.ts';
import { nodesNetwork, type ConfigRequest } from './request.ts';

export const ownDiscovery = 'https://discovery.talos.dev/';

/** What the file says about the whole cluster, settled and with every secret at hand. */
export function clusterIntent(request: ConfigRequest): ClusterIntent {
  const { platform, secrets, resolved } = request;
  const { cluster } = platform;
  const { network, cni, kubePrism, hostDNS, discovery, kubeSpan, encryption, manifests } = cluster;
  const nodes = nodesNetwork(platform);
  return {
    contract: contractFor(talosVersionOf(cluster)),
    clusterName: cluster.name,
    endpoint: endpointOf(request),
    apiPort: localApiPort(request),
    kubernetesVersion: versionText(cluster.kubernetes.version),
    secrets,
    certSANs: cluster.certSANs,
    nodeSubnets: nodes === undefined ? [] : [nodes],
    podSubnets: [network.pods],
    serviceSubnets: [network.services],
    dnsDomain: network.domain,
    nameservers: network.nameservers,
    timeServers: network.timeServers,
    cni: cni.flannel === undefined ? 'none' : 'flannel',
    kubeProxy: cni.cilium?.kubeProxyReplacement !== true,
    kubePrismPort: kubePrism.enabled ? kubePrism.port : undefined,
    hostDNS: { enabled: hostDNS.enabled, forwardKubeDNSToHost: hostDNS.enabled && hostDNS.forwardKubeDNSToHost },
    discovery: {
      enabled: discovery.enabled,
      service: discovery.service === ownDiscovery ? undefined : discovery.service,
    },
    kubeSpan: kubeSpan.enabled ? { mtu: kubeSpan.mtu } : undefined,
    registries: registriesOf(cluster, resolved),
    encryption: {
      state: diskKeyOf(encryption.state, resolved),
      ephemeral: diskKeyOf(encryption.ephemeral, resolved),
    },
    extensionServices: extensionServicesOf(cluster, resolved),
    inlineManifests: sortedEntries(manifests.inline).map(([name, contents]) => ({ name, contents })),
    manifestUrls: manifests.urls,
    sysctls: Object.fromEntries(sortedEntries(cluster.sysctls)),
    longhorn: platform.services.catalog?.longhorn !== undefined,
  };
}

export function talosVersionOf({ talos }: Cluster): Version {
  const version = parseVersion(talos.version);
  if (version === undefined) throw new Error(`A settled platform has a Talos version, and ${talos.version} is none.`);
  return version;
}

function contractFor(version: Version): ClusterIntent['contract'] {
  const contract = contractOf(version);
  if (contract !== undefined) return contract;
  throw new Problem('unknown-talos', `ichor writes no configuration for Talos ${version.major}.${version.minor}.`, {
    path: 'cluster.talos.version',
    remedy: 'Use a version from 1.9 to 1.14.',
  });
}

const versionText = (written: string): string => {
  const version = parseVersion(written);
  return version === undefined ? written : formatVersion(version);
};

/** In the order in which Go writes the keys of a map. */
export const sortedEntries = <T>(map: Readonly<Record<string, T>>): readonly (readonly [string, T])[] =>
  Object.entries(map).toSorted(([one], [other]) => (one < other ? -1 : 1));

const registriesOf = ({ registries }: Cluster, resolved: Resolved): Registries => ({
  mirrors: sortedEntries(registries.mirrors).map(([host, mirror]) => ({ host, ...mirror })),
  credentials: sortedEntries(registries.credentials).map(([host, { username, password, ca }]) => ({
    host,
    username,
    password: textOf(resolved, password),
    ca: ca === undefined ? undefined : textOf(resolved, { file: ca }),
  })),
});

function diskKeyOf(written: Cluster['encryption']['state'], resolved: Resolved): DiskKey | undefined {
  if (written?.nodeID !== undefined) return { kind: 'nodeID' };
  if (written?.tpm !== undefined) return { kind: 'tpm' };
  if (written?.kms !== undefined) return { kind: 'kms', endpoint: written.kms.endpoint };
  if (written?.passphrase === undefined) return undefined;
  return { kind: 'passphrase', passphrase: textOf(resolved, written.passphrase) };
}

const extensionServicesOf = ({ extensionServices }: Cluster, resolved: Resolved): readonly ExtensionService[] =>
  sortedEntries(extensionServices).map(([name, { environment, secrets, files }]) => {
    const secret = Object.entries(secrets).map(([key, reference]) => [key, textOf(resolved, reference)] as const);
    return {
      name,
      environment: sortedEntries({ ...environment, ...Object.fromEntries(secret) }).map(
        ([key, value]) => `${key}=${value}`,
      ),
      files: sortedEntries(files).map(([mountPath, content]) => ({ content, mountPath })),
    };
  });
