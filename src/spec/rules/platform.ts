import type { PlatformDraft } from '../expand.ts';
import { addressRanges, machineAddresses, networksApart, staticAddresses, vip } from './addresses.ts';
import {
  bigEnough,
  fewEnough,
  oddControlPlanes,
  somewhereToRun,
  supportedVersions,
  threeForHighAvailability,
} from './control-plane.ts';
import { hostsOnce, knownHosts, pinnedMachines } from './hosts.ts';
import { ownIds, vmidRanges, vmidsOnProxmox } from './ids.ts';
import { machineNames, namedMachines, nameTemplates, ownHostnames, poolNames } from './names.ts';
import {
  existingMachines,
  guestAgent,
  insecure,
  libvirtBridge,
  openstackCredentials,
  talosImage,
} from './providers.ts';
import type { Rule } from './rule.ts';
import {
  configured,
  gitCredentials,
  longhorn,
  neededServices,
  serviceHosts,
  services,
  signIn,
  storageClasses,
} from './services.ts';
import { extensionEnvironment, features } from './talos-features.ts';

/** Every rule between fields of a Platform. */
export const platformRules: readonly Rule<PlatformDraft>[] = [
  oddControlPlanes,
  threeForHighAvailability,
  supportedVersions,
  fewEnough,
  bigEnough,
  somewhereToRun,
  nameTemplates,
  poolNames,
  machineNames,
  namedMachines,
  ownHostnames,
  hostsOnce,
  knownHosts,
  pinnedMachines,
  networksApart,
  vip,
  machineAddresses,
  staticAddresses,
  addressRanges,
  ownIds,
  vmidRanges,
  vmidsOnProxmox,
  insecure,
  openstackCredentials,
  libvirtBridge,
  existingMachines,
  talosImage,
  guestAgent,
  features,
  extensionEnvironment,
  neededServices,
  serviceHosts,
  storageClasses,
  longhorn,
  services,
  gitCredentials,
  configured,
  signIn,
];
