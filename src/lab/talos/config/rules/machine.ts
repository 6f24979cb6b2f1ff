import type { Pem } from '../decode-own.ts';
import type { Values } from '../reading.ts';
import type { CheckedFor } from '../verdict.ts';
import { versionParts } from '../version.ts';
import { clusterFaults, cniFaults } from './cluster.ts';
import { checkDevices } from './devices.ts';
import { diskSelector } from './install.ts';
import {
  diskFaults,
  kubeletFaults,
  encryptionFaults,
  kubeSpanFaults,
  loggingFaults,
  checkExtensions,
  nodeFaults,
  featureFaults,
  registryFaults,
} from './machine-parts.ts';
import { emptyReport, flagAt, quote, section, sectionsAt, textAt, textsAt, type Report } from './report.ts';

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
