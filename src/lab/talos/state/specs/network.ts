import { flag, ip, list, mac, prefix, text, whole, word, words } from './kind.ts';
import { at, shape, sparse, unseen } from './shape.ts';
import {
  addressFlags,
  duplexes,
  families,
  linkFlags,
  linkTypes,
  operationalStates,
  ports,
  routeFlags,
  routeProtocols,
  routeTypes,
  routingTables,
  scopes,
  sortAlgorithms,
} from './words.ts';

export const hostnameStatus = shape({ hostname: at(1, text), domainname: at(2, text) });

export const nodeAddress = shape({
  addresses: at(1, list(prefix)),
  sortAlgorithm: at(2, word(sortAlgorithms, 'v1')),
});

export const addressStatus = shape({
  address: at(1, prefix),
  local: unseen(2, ip),
  broadcast: unseen(3, ip),
  anycast: unseen(4, ip),
  multicast: unseen(5, ip),
  linkIndex: at(6, whole),
  linkName: at(7, text),
  family: at(8, word(families, 'Family(0)')),
  scope: at(9, word(scopes, 'global')),
  flags: at(10, words(addressFlags)),
  priority: at(11, whole),
});

export const linkStatus = shape({
  alias: sparse(31, text),
  altNames: sparse(32, list(text)),
  index: at(1, whole),
  type: at(2, word(linkTypes, 'netrom')),
  linkIndex: at(3, whole),
  flags: at(4, words(linkFlags)),
  hardwareAddr: at(5, mac),
  permanentAddr: at(30, mac),
  broadcastAddr: at(6, mac),
  mtu: at(7, whole),
  queueDisc: at(8, text),
  masterIndex: sparse(9, whole),
  operationalState: at(10, word(operationalStates, 'unknown')),
  kind: at(11, text),
  slaveKind: at(12, text),
  busPath: sparse(13, text),
  pciID: sparse(14, text),
  driver: sparse(15, text),
  driverVersion: sparse(16, text),
  firmwareVersion: sparse(17, text),
  productID: sparse(18, text),
  vendorID: sparse(19, text),
  product: sparse(20, text),
  vendor: sparse(21, text),
  linkState: at(22, flag),
  speedMbit: sparse(23, whole),
  port: at(24, word(ports, 'TwistedPair')),
  duplex: at(25, word(duplexes, 'Half')),
});

export const networkStatus = shape({
  addressReady: at(1, flag),
  connectivityReady: at(2, flag),
  hostnameReady: at(3, flag),
  etcFilesReady: at(4, flag),
});

export const routeStatus = shape({
  family: at(1, word(families, 'Family(0)')),
  dst: at(2, prefix),
  src: at(3, ip),
  gateway: at(4, ip),
  outLinkIndex: sparse(5, whole),
  outLinkName: sparse(6, text),
  table: at(7, word(routingTables, 'unspec')),
  priority: at(8, whole),
  scope: at(9, word(scopes, 'global')),
  type: at(10, word(routeTypes, 'unspec')),
  flags: at(11, words(routeFlags)),
  protocol: at(12, word(routeProtocols, 'unspec')),
  mtu: sparse(13, whole),
});

export const resolverStatus = shape({ dnsServers: at(1, list(ip)), searchDomains: at(2, list(text)) });
export const timeServerStatus = shape({ timeServers: at(1, list(text)) });
export const hardwareAddr = shape({ name: at(1, text), hardwareAddr: at(2, mac) });
