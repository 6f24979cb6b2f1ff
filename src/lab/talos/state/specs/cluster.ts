import { flag, ip, list, prefix, text, textMap, whole, word, type Kind } from './kind.ts';
import { at, maybe, shape, sparse } from './shape.ts';
import { machineTypes } from './words.ts';

const controlPlane = shape({ port: at(1, whole) });

export const member = shape({
  nodeId: at(1, text),
  addresses: at(2, list(ip)),
  hostname: at(3, text),
  machineType: at(4, word(machineTypes, 'unknown')),
  operatingSystem: at(5, text),
  controlPlane: sparse(6, maybe(controlPlane)),
});

export const affiliate = shape({
  nodeId: at(1, text),
  addresses: at(2, list(ip)),
  hostname: at(3, text),
  nodename: sparse(4, text),
  operatingSystem: at(5, text),
  machineType: at(6, word(machineTypes, 'unknown')),
  controlPlane: sparse(8, maybe(controlPlane)),
});

export const identity = shape({ nodeId: at(1, text) });
export const info = shape({ clusterId: at(1, text), clusterName: at(2, text) });

export const etcdMember = shape({ memberID: at(1, text) });
/** Twins start etcd with no more arguments than Talos gives it. */
const noArguments: Kind<Readonly<Record<string, never>>> = {
  zero: {},
  isZero: () => true,
  write: () => undefined,
  yaml: () => ({}),
};

export const etcdSpec = shape({
  name: at(1, text),
  advertisedAddresses: at(2, list(ip)),
  listenPeerAddresses: at(5, list(ip)),
  listenClientAddresses: at(6, list(ip)),
  image: at(3, text),
  extraArgs: at(7, noArguments),
});

export const nodeStatus = shape({
  nodename: at(1, text),
  nodeReady: at(2, flag),
  unschedulable: at(3, flag),
  labels: at(4, textMap),
  annotations: at(5, textMap),
  podCIDRs: at(6, list(prefix)),
});

export const nodename = shape({
  nodename: at(1, text),
  hostnameVersion: at(2, text),
  skipNodeRegistration: at(3, flag),
});

export const nodeIp = shape({ addresses: at(1, list(ip)) });
export const endpoint = shape({ addresses: at(1, list(ip)), hosts: at(2, list(text)) });
export const kubePrismStatus = shape({ host: at(1, text), healthy: at(2, flag) });
export const manifestStatus = shape({ manifestsApplied: at(1, list(text)) });

export const bootstrapManifests = shape({
  // Talos' own slip of the pen: the server is called `string`.
  server: at(1, text, 'string'),
  clusterDomain: at(2, text),
  podCIDRs: at(3, list(text)),
  proxyEnabled: at(4, flag),
  proxyImage: at(5, text),
  proxyArgs: at(6, list(text)),
  coreDNSEnabled: at(7, flag),
  coreDNSImage: at(8, text),
  dnsServiceIP: at(9, text),
  dnsServiceIPv6: at(10, text),
  flannelEnabled: at(11, flag),
  flannelImage: at(12, text),
  flannelExtraArgs: at(16, list(text)),
  flannelKubeServiceHost: at(17, text),
  flannelKubeServicePort: at(18, text),
  flannelKubeNetworkPoliciesEnabled: at(19, flag),
  flannelKubeNetworkPoliciesImage: at(20, text),
  podSecurityPolicyEnabled: at(14, flag),
  talosAPIServiceEnabled: at(15, flag),
  cniName: at(21, text),
});
