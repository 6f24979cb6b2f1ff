import { formatPath, type Path } from '../../spec/tree.ts';
import { changedValues } from './changes.ts';
import type { Fields, MachineConfig } from './document.ts';
import { isMain } from './identity.ts';

/** What a running node takes on at once. Everything else in the v1alpha1 document waits for a reboot. */
export const immediateFields: readonly string[] = [
  'debug',
  'cluster',
  'machine.ca',
  'machine.acceptedCAs',
  'machine.time',
  'machine.certSANs',
  'machine.install',
  'machine.network',
  'machine.sysfs',
  'machine.sysctls',
  'machine.logging',
  'machine.controlPlane',
  'machine.kubelet',
  'machine.kernel',
  'machine.registries',
  'machine.pods',
  'machine.seccompProfiles',
  'machine.nodeAnnotations',
  'machine.nodeLabels',
  'machine.nodeTaints',
  'machine.features.kubernetesTalosAPIAccess',
  'machine.features.kubePrism',
  'machine.features.hostDNS',
  'machine.features.imageCache',
  'machine.features.nodeAddressSortAlgorithm',
];

const immediate: readonly (readonly string[])[] = immediateFields.map((field) => field.split('.'));

const mainKeys = new Set(['version', 'debug', 'persist', 'machine', 'cluster']);

/** Whether a change of this field makes a node reboot. Documents with a kind never do. */
export const rebootsFor = (path: Path): boolean =>
  mainKeys.has(String(path[0])) && !immediate.some((field) => field.every((step, index) => path[index] === step));

export type FieldChange = { readonly path: string; readonly reboot: boolean };

/** What changes between two configurations of a node, and which of it makes Talos reboot the node. */
export function changeBetween(before: MachineConfig, after: MachineConfig): readonly FieldChange[] {
  const partial = appearsOrGoes(before, after);
  return changedValues(before, after).map(({ path }) => ({
    path: formatPath(path),
    reboot: rebootsFor(path) || partial.some((part) => part.every((step, index) => path[index] === step)),
  }));
}

/** Parts that only one side has: Talos compares their fields one by one only where both have them. */
const appearsOrGoes = (before: MachineConfig, after: MachineConfig): readonly (readonly string[])[] =>
  [['machine'], ['machine', 'features']].filter((part) => has(before, part) !== has(after, part));

function has(config: MachineConfig, path: readonly string[]): boolean {
  let fields: Fields | undefined = config.find(isMain);
  for (const step of path) fields = (fields?.[step] ?? undefined) as Fields | undefined;
  return fields !== undefined;
}
