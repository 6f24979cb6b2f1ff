import { isSubnetOrAddress, prefixFault } from '../go/net.ts';
import { parseUrl } from '../go/url.ts';
import type { Values } from '../reading.ts';
import { annotationFaults, labelFaults, taintFaults } from './labels.ts';
import { flagAt, listed, mapAt, quote, section, sectionsAt, textAt, textsAt, type Report } from './report.ts';

export function diskFaults(disks: readonly (Values | null)[]): readonly string[] {
  return disks.flatMap((disk, at) => {
    if (disk === null) return [`machine.disks[${at}] is null`];
    const partitions = sectionsAt(disk, 'partitions');
    const whole = partitions.slice(0, -1).filter((partition) => Number(partition?.['size'] ?? 0) === 0);
    return whole.map(
      () =>
        `partition for disk ${quote(textAt(disk, 'device'))} is set to occupy full disk, but it's not the last partition in the list`,
    );
  });
}

const protectedFields =
  'apiVersion authentication authorization cgroupRoot kind kubeletCgroups port protectKernelDefaults resolvConf rotateCertificates systemCgroups staticPodPath'.split(
    ' ',
  );

export function kubeletFaults(kubelet: Values | undefined): readonly string[] {
  const extra = section(kubelet, 'extraConfig') ?? {};
  return [
    ...textsAt(section(kubelet, 'nodeIP'), 'validSubnets')
      .map((cidr) => cidr.replace(/^!/, ''))
      .filter((cidr) => !isSubnetOrAddress(cidr))
      .map((cidr) => `kubelet nodeIP subnet is not valid: ${quote(cidr)}`),
    ...protectedFields
      .filter((field) => Object.hasOwn(extra, field))
      .map((field) => `kubelet configuration field ${quote(field)} can't be overridden`),
  ];
}

export function encryptionFaults(encryption: Values | undefined): readonly string[] {
  return ['EPHEMERAL', 'STATE'].flatMap((label) => {
    const part = section(encryption, label.toLowerCase());
    if (part === undefined) return [];
    const keys = sectionsAt(part, 'keys');
    const seen = new Set<number>();
    const faults = keys.flatMap((key) => {
      const slot = Number(key?.['slot'] ?? 0);
      const twice = seen.has(slot) ? [`partition ${quote(label)}: encryption key slot ${slot} is already in use`] : [];
      seen.add(slot);
      const named = ['nodeID', 'static', 'kms', 'tpm'].some((kind) => key?.[kind] !== undefined);
      const empty = named
        ? []
        : [`partition ${quote(label)}: encryption key at slot ${slot} doesn't have the configuration parameters`];
      return [...twice, ...empty];
    });
    return [...(keys.length === 0 ? [`partition ${quote(label)}: no encryption keys provided`] : []), ...faults];
  });
}

export function kubeSpanFaults(machine: Values, cluster: Values | undefined, minor: number): readonly string[] {
  const kubespan = section(section(machine, 'network'), 'kubespan');
  if (!flagAt(kubespan, 'enabled')) return [];
  const filters = section(kubespan, 'filters');
  const needs = (what: string): string => `${what} when .machine.network.kubespan is enabled`;
  return [
    ...(minor >= 14 || flagAt(section(cluster, 'discovery'), 'enabled')
      ? []
      : [needs('.cluster.discovery should be enabled')]),
    ...(minor < 14 && textAt(cluster, 'id') === '' ? [needs('.cluster.id should be set')] : []),
    ...(minor < 14 && textAt(cluster, 'secret') === '' ? [needs('.cluster.secret should be set')] : []),
    ...endpointFilterFaults(textsAt(filters, 'endpoints'), minor),
    ...textsAt(filters, 'excludeAdvertisedNetworks')
      .filter((cidr) => prefixFault(cidr) !== undefined)
      .map((cidr) => `KubeSpan exclude advertised networks filter is not valid: ${quote(cidr)}`),
  ];
}

export const endpointFilterFaults = (filters: readonly string[], minor: number): readonly string[] =>
  filters
    .map((cidr) => cidr.replace(/^!/, ''))
    .filter((cidr) => !isSubnetOrAddress(cidr))
    .map((cidr) => `KubeSpan endpoint ${minor < 12 ? 'filer' : 'filter'} is not valid: ${quote(cidr)}`);

export function loggingFaults(logging: Values | undefined): readonly string[] {
  return sectionsAt(logging, 'destinations').flatMap((destination) => {
    const endpoint = destination?.['endpoint'] as string | undefined;
    const url = endpoint === undefined ? undefined : parseUrl(endpoint);
    const format = textAt(destination ?? undefined, 'format');
    return [
      ...(url === undefined || typeof url === 'string' ? ['empty logging endpoint'] : []),
      ...(typeof url === 'object' && url.host === '' ? ["empty logging endpoint's host"] : []),
      ...(typeof url === 'object' && !['tcp', 'udp'].includes(url.scheme)
        ? [`unexpected logging endpoint scheme ${quote(url.scheme)}`]
        : []),
      ...(format === 'json_lines' ? [] : [`unknown logging format ${quote(format)}`]),
    ];
  });
}

export const extensionsWarning = (minor: number): string =>
  `.machine.install.extensions is deprecated, please see ${minor >= 13 ? 'https://docs.siderolabs.com/talos/latest/platform-specific-installations/boot-assets' : 'https://www.talos.dev/latest/talos-guides/install/boot-assets/'}`;

export function checkExtensions(install: Values | undefined, minor: number, { errors, warnings }: Report): void {
  const images = sectionsAt(install, 'extensions').map((extension) => textAt(extension ?? undefined, 'image'));
  images.forEach((image, at) => {
    if (images.indexOf(image) < at) errors.push(`duplicate system extension ${quote(image)}`);
  });
  if (images.length > 0) warnings.push(extensionsWarning(minor));
}

export function nodeFaults(machine: Values): readonly string[] {
  const parts = [
    ['labels', labelFaults(mapAt(machine, 'nodeLabels'))],
    ['annotations', annotationFaults(mapAt(machine, 'nodeAnnotations'))],
    ['taints', taintFaults(mapAt(machine, 'nodeTaints'))],
  ] as const;
  return parts.flatMap(([what, faults]) =>
    faults.length === 0 ? [] : [`invalid machine node ${what}: ${listed(faults)}`],
  );
}

const roles = 'os:admin os:reader os:operator os:etcd:backup os:impersonator os:meta:writer os:image:verifier'.split(
  ' ',
);

export function featureFaults(features: Values | undefined, controlPlane: boolean, minor: number): readonly string[] {
  const access = section(features, 'kubernetesTalosAPIAccess');
  const algorithm = textAt(features, 'nodeAddressSortAlgorithm');
  return [
    ...(minor < 12 && flagAt(access, 'enabled') && !flagAt(features, 'rbac')
      ? ['feature API RBAC should be enabled when Kubernetes Talos API Access feature is enabled']
      : []),
    ...(flagAt(access, 'enabled') && !controlPlane
      ? ['feature Kubernetes Talos API Access can only be enabled on control plane machines']
      : []),
    ...(flagAt(access, 'enabled') ? textsAt(access, 'allowedRoles') : [])
      .filter((role) => !roles.includes(role))
      .map((role) => `invalid role ${quote(role)} in allowed roles for Kubernetes Talos API Access`),
    ...(algorithm === '' || ['v1', 'v2'].includes(algorithm.toLowerCase())
      ? []
      : [`invalid node address sort algorithm: ${algorithm} does not belong to AddressSortAlgorithm values`]),
  ];
}

export const registryFaults = (registries: Values | undefined): readonly string[] =>
  ['config', 'mirrors'].flatMap((part) =>
    Object.entries(section(registries, part) ?? {})
      .filter(([, value]) => value === null)
      .map(([key]) => `registries.${part}[${quote(key)}] is null`),
  );
