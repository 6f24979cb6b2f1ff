import type { Values } from '../reading.ts';
import type { CheckedFor } from '../verdict.ts';
import { versionParts } from '../version.ts';
import { diskSelector, selectorText } from './install.ts';
import { imageFault } from './kubernetes-version.ts';
import { machineTypeOf } from './machine.ts';
import { extensionsWarning } from './machine-parts.ts';
import { section, sectionsAt, textAt, emptyReport, type Report } from './report.ts';

const components = [
  ['kube-apiserver', 'apiServer'],
  ['kube-controller-manager', 'controllerManager'],
  ['kube-scheduler', 'scheduler'],
] as const;

/** A rebound driver does nothing without an IOMMU, and a twin has none. */
export const iommuWarning = 'IOMMU is not enabled, this config change might not have any effect';

/** What only the machine itself can judge: its disks, and the versions that its Talos runs. */
export function checkOnNode(config: Values, given: CheckedFor): Report {
  const report = emptyReport();
  const machine = section(config, 'machine');
  const install = section(machine, 'install');
  if (given.mode === 'metal' && !given.installed) report.errors.push(...diskFaults(install, given));
  if (sectionsAt(install, 'extensions').length > 0)
    report.warnings.push(extensionsWarning(versionParts(given.version).minor));
  if (versionParts(given.version).minor >= 11) report.errors.push(...imageFaults(config, given.version));
  return report;
}

function diskFaults(install: Values | undefined, given: CheckedFor): readonly string[] {
  const selector = diskSelector(install);
  if (selector === undefined || 'fault' in selector) return [];
  const disks = given.diskFacts ?? given.disks.map((path) => ({ path, transport: 'virtio' }));
  const matched = disks.some((disk) => selector.terms.every(({ holds }) => holds(disk)));
  return matched ? [] : [`no disks matched the expression: ${selectorText(selector.terms)}`];
}

function imageFaults(config: Values, version: string): readonly string[] {
  const { minor } = versionParts(version);
  const talos = version.replace(/^v/, '');
  const machine = section(config, 'machine');
  const about = (name: string, image: string): readonly string[] => {
    const fault = imageFault(image, talos, minor);
    return fault === undefined ? [] : [`${name} image is not valid: ${fault}`];
  };
  const cluster = section(config, 'cluster');
  const type = machineTypeOf(textAt(machine, 'type'));
  const planes = cluster !== undefined && (type === 'controlplane' || type === 'init') ? components : [];
  return [
    ...about('kubelet', textAt(section(machine, 'kubelet'), 'image')),
    ...planes.flatMap(([name, key]) => about(name, textAt(section(cluster, key), 'image'))),
  ];
}
