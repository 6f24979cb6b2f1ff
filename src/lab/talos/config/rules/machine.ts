import type { Pem } from '../decode-own.ts';
import { isSubnetOrAddress, prefixFault } from '../go/net.ts';
import { parseUrl } from '../go/url.ts';
import type { Values } from '../reading.ts';
import type { CheckedFor } from '../verdict.ts';
import { versionParts } from '../version.ts';
import { clusterFaults, cniFaults } from './cluster.ts';
import { checkDevices } from './devices.ts';
import { diskSelector } from './install.ts';
import { annotationFaults, labelFaults, taintFaults } from './labels.ts';
import {
  emptyReport,
  flagAt,
  listed,
  mapAt,
  quote,
  section,
  sectionsAt,
  textAt,
  textsAt,
  type Report,
} from './report.ts';

export const machineTypes = ['init', 'controlplane', 'worker'] as const;

/** The type that a text means; undefined for one that means none. */
export function machineTypeOf(text: string): (typeof machineTypes)[number] | undefined {
  if (text === 'join' || text === '') return 'worker';
  return machineTypes.find((type) => type === text);
}

/** Rules of the v1alpha1 document. */
export function checkMachine(config: Values, given: CheckedFor): Report {
  const report = emptyReport();
  const { errors, warnings } = report;
  const machine = section(config, 'machine');
  const cluster = section(config, 'cluster');
  if (machine === undefined) return { errors: ['machine instructions are required'], warnings: [] };
  const written = textAt(machine, 'type');
  const type = machineTypeOf(written);
  const controlPlane = type === 'controlplane' || type === 'init';
  const { minor } = versionParts(given.version);

  if (minor >= 14) warnings.push(...outdated(machine));
  errors.push(...clusterFaults(cluster, controlPlane, minor));
  if (given.mode === 'metal' && !given.installed)
    errors.push(...installFaults(section(machine, 'install'), given.mode, minor));
  errors.push(...hostDnsFaults(section(section(machine, 'features'), 'hostDNS'), given.mode, minor));
  if (type !== undefined && type !== written)
    warnings.push(`use ${quote(type)} instead of ${quote(written)} for machine type`);
  checkIdentity(machine, cluster, minor, report);
  checkNetwork(machine, report);
  errors.push(...diskFaults(sectionsAt(machine, 'disks')), ...kubeletFaults(section(machine, 'kubelet')));
  errors.push(...encryptionFaults(section(machine, 'systemDiskEncryption')));
  errors.push(...kubeSpanFaults(machine, cluster, minor));
  errors.push(...loggingFaults(section(machine, 'logging')));
  checkExtensions(section(machine, 'install'), minor, report);
  errors.push(...nodeFaults(machine));
  errors.push(...featureFaults(section(machine, 'features'), controlPlane, minor));
  if (config['persist'] === false) errors.push('.persist should be enabled');
  if (minor === 13) errors.push(...registryFaults(section(machine, 'registries')));
  return report;
}

/** What 1.14 would rather have in documents of their own. */
const outdated = (machine: Values): readonly string[] => [
  ...(sectionsAt(machine, 'files').length > 0
    ? ['.machine.files is deprecated; use dedicated configuration documents instead']
    : []),
  ...(Object.keys(section(machine, 'baseRuntimeSpecOverrides') ?? {}).length > 0
    ? ['.machine.baseRuntimeSpecOverrides is deprecated; use a CRIBaseRuntimeSpecConfig document instead']
    : []),
];

function installFaults(install: Values | undefined, mode: string, minor: number): readonly string[] {
  if (install === undefined) return minor >= 14 ? [] : [`install instructions are required in ${quote(mode)} mode`];
  const selector = diskSelector(install);
  const fault = selector !== undefined && 'fault' in selector ? selector.fault : undefined;
  const matching = selector !== undefined && fault === undefined;
  return [
    ...(fault === undefined ? [] : [`install disk selector is invalid: ${fault}`]),
    ...(textAt(install, 'disk') === '' && !matching ? ['either install disk or diskSelector should be defined'] : []),
    ...(textsAt(install, 'extraKernelArgs').length > 0 && flagAt(install, 'grubUseUKICmdline')
      ? ["install.extraKernelArgs and install.grubUseUKICmdline can't be used together"]
      : []),
  ];
}

function hostDnsFaults(hostDns: Values | undefined, given: string, minor: number): readonly string[] {
  const mode = minor >= 14 ? 'any' : given;
  const [enabled, forward] = [flagAt(hostDns, 'enabled'), flagAt(hostDns, 'forwardKubeDNSToHost')];
  return [
    ...(mode === 'container' && !enabled
      ? ['feature HostDNS should be enabled in container mode (.machine.features.hostDNS.enabled)']
      : []),
    ...(mode === 'container' && !forward
      ? [
          'feature HostDNS should forward kube-dns to host in container mode (.machine.features.hostDNS.forwardKubeDNSToHost)',
        ]
      : []),
    ...(minor >= 13 && forward && !enabled
      ? ['feature hostDNS.forwardKubeDNSToHost requires hostDNS.enabled to be true (.machine.features.hostDNS)']
      : []),
  ];
}

function checkIdentity(
  machine: Values,
  cluster: Values | undefined,
  minor: number,
  { errors, warnings }: Report,
): void {
  const ca = machine['ca'] as Pem | undefined;
  const accepted = sectionsAt(machine, 'acceptedCAs').length;
  if (ca === undefined && accepted === 0)
    errors.push('issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)');
  const written = textAt(machine, 'type');
  switch (machineTypeOf(written)) {
    case 'init':
    case 'controlplane': {
      const said = minor < 14 || section(cluster, 'network') !== undefined;
      const cni = said ? cniFaults(cluster) : { errors: [], warnings: [] };
      errors.push(...cni.errors);
      warnings.push(...cni.warnings);
      if (ca === undefined) errors.push('issuing CA is required (.machine.ca)');
      else if (ca.key.length === 0) errors.push('issuing CA key is required for controlplane nodes (.machine.ca.key)');
      return;
    }
    case 'worker':
      errors.push(...workerFaults(machine, ca, accepted, cluster?.['ca'] as Pem | undefined));
      return;
    case undefined:
      errors.push(`unknown machine type ${quote(written)}`);
  }
}

function workerFaults(
  machine: Values,
  ca: Pem | undefined,
  accepted: number,
  clusterCa: Pem | undefined,
): readonly string[] {
  const devices = sectionsAt(section(machine, 'network'), 'interfaces');
  const vips = devices
    .flatMap((device) => [device, ...sectionsAt(device ?? undefined, 'vlans')])
    .filter((each) => each?.['vip'] !== undefined);
  return [
    ...vips.map(() => 'virtual (shared) IP is not allowed on non-controlplane nodes'),
    ...(ca !== undefined && ca.key.length > 0
      ? ['issuing Talos API CA key is not allowed on non-controlplane nodes (.machine.ca)']
      : []),
    ...(ca !== undefined && ca.crt.length === 0 && accepted === 0
      ? ['trusted CA certificates are required on non-controlplane nodes (.machine.ca.crt, .machine.acceptedCAs)']
      : []),
    ...(clusterCa !== undefined && clusterCa.key.length > 0
      ? ['issuing Kubernetes API CA key is not allowed on non-controlplane nodes (.cluster.ca)']
      : []),
  ];
}

function checkNetwork(machine: Values, report: Report): void {
  const network = section(machine, 'network');
  if (network === undefined) return;
  checkDevices(sectionsAt(network, 'interfaces'), report);
  const kubespan = section(network, 'kubespan');
  const mtu = Number(kubespan?.['mtu'] ?? 0);
  if (flagAt(kubespan, 'enabled') && mtu !== 0 && mtu < 1280)
    report.errors.push('kubespan link MTU must be at least 1280');
}

function diskFaults(disks: readonly (Values | null)[]): readonly string[] {
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

function kubeletFaults(kubelet: Values | undefined): readonly string[] {
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

function encryptionFaults(encryption: Values | undefined): readonly string[] {
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

function kubeSpanFaults(machine: Values, cluster: Values | undefined, minor: number): readonly string[] {
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

function loggingFaults(logging: Values | undefined): readonly string[] {
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

function checkExtensions(install: Values | undefined, minor: number, { errors, warnings }: Report): void {
  const images = sectionsAt(install, 'extensions').map((extension) => textAt(extension ?? undefined, 'image'));
  images.forEach((image, at) => {
    if (images.indexOf(image) < at) errors.push(`duplicate system extension ${quote(image)}`);
  });
  if (images.length > 0) warnings.push(extensionsWarning(minor));
}

function nodeFaults(machine: Values): readonly string[] {
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

function featureFaults(features: Values | undefined, controlPlane: boolean, minor: number): readonly string[] {
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

const registryFaults = (registries: Values | undefined): readonly string[] =>
  ['config', 'mirrors'].flatMap((part) =>
    Object.entries(section(registries, part) ?? {})
      .filter(([, value]) => value === null)
      .map(([key]) => `registries.${part}[${quote(key)}] is null`),
  );
