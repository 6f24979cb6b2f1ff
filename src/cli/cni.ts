import type { Command } from 'commander';
import { cniInstall } from './cni-install.ts';
import { cniManifests } from './cni-manifests.ts';
import { cniValues } from './cni-values.ts';
import type { KubernetesDoor } from './kubernetes-door.ts';

/** Everything below `ichor cni`. */
export function cniCommands(cni: Command, door: KubernetesDoor): void {
  cniInstall(cni, door);
  cniManifests(cni, door);
  cniValues(cni, door);
}
