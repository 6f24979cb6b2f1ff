import type { Values } from '../reading.ts';
import { addressFault } from '../go/net.ts';
import { linkKinds } from './network-documents.ts';
import { flagAt, quote, section, sectionsAt, textAt, textsAt } from './report.ts';

const pairs: Readonly<Record<string, readonly string[]>> = {
  Layer2VIPConfig: ['HCloudVIPConfig'],
  HCloudVIPConfig: ['Layer2VIPConfig'],
  UserVolumeConfig: ['ExistingVolumeConfig'],
  ExistingVolumeConfig: ['UserVolumeConfig'],
};

/** Kinds that may not be there under the same name. */
export const conflictsOf = (kind: string): readonly string[] =>
  linkKinds.some((link) => link === kind) ? linkKinds.filter((link) => link !== kind) : (pairs[kind] ?? []);

/** What a document says that the v1alpha1 one says already. */
export function conflictWithOld(kind: string, document: Values, config: Values): string | undefined {
  const machine = section(config, 'machine');
  const network = section(machine, 'network');
  switch (kind) {
    case 'HostnameConfig':
      if (textAt(network, 'hostname') !== '') return 'static hostname is already set in v1alpha1 config';
      return flagAt(section(machine, 'features'), 'stableHostname')
        ? 'stable hostname is already set in v1alpha1 config'
        : undefined;
    case 'ResolverConfig':
      return resolverConflict(network);
    case 'TimeSyncConfig':
      return timeConflict(section(machine, 'time'));
    case 'KubeSpanConfig':
      return section(network, 'kubespan') === undefined
        ? undefined
        : 'kubespan is already configured in v1alpha1 machine.network.kubespan';
    case 'VolumeConfig':
      return encryptionConflict(document, section(machine, 'systemDiskEncryption'));
    default:
      return undefined;
  }
}

function resolverConflict(network: Values | undefined): string | undefined {
  if (network?.['searchDomains'] !== undefined)
    return '.machine.network.searchDomains is already set in v1alpha1 config';
  if (textsAt(network, 'nameservers').some((server) => addressFault(server) === undefined))
    return '.machine.network.nameservers is already set in v1alpha1 config';
  return flagAt(network, 'disableSearchDomain')
    ? '.machine.network.disableSearchDomain is already set in v1alpha1 config'
    : undefined;
}

function timeConflict(time: Values | undefined): string | undefined {
  const both = (what: string, verb: string): string =>
    `${what} cannot be ${verb} in both v1alpha1 and new-style configuration`;
  if (flagAt(time, 'disabled')) return both('time sync', 'disabled');
  if (textsAt(time, 'servers').length > 0) return both('time servers', 'specified');
  return ((time?.['bootTimeout'] as bigint | undefined) ?? 0n) === 0n ? undefined : both('boot timeout', 'specified');
}

function encryptionConflict(document: Values, old: Values | undefined): string | undefined {
  const name = textAt(document, 'name');
  const encryption = section(document, 'encryption');
  const empty = (encryption?.['provider'] ?? 'none') === 'none' && sectionsAt(encryption, 'keys').length === 0;
  if (empty || !['STATE', 'EPHEMERAL'].includes(name) || section(old, name.toLowerCase()) === undefined)
    return undefined;
  return `system disk encryption for ${quote(name)} is configured in both v1alpha1.Config and VolumeConfig`;
}
