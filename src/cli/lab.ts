import type { Command } from 'commander';
import { labFault } from './lab-fault.ts';
import { labRequests } from './lab-requests.ts';
import { labStart } from './lab-start.ts';
import { labStatus } from './lab-status.ts';
import { labStop } from './lab-stop.ts';
import { labTalos } from './lab-talos.ts';
import type { KubernetesDoor } from './kubernetes-door.ts';
import type { TalosDoor } from './talos-door.ts';

/** What the commands of a lab are handed: whoever brings up a cluster talks to its Talos and to its Kubernetes. */
export type LabDoor = TalosDoor & { readonly kubernetes: KubernetesDoor };

/** Everything below `ichor lab`. */
export function labCommands(lab: Command, door: LabDoor): void {
  const { terminal } = door;
  labStart(lab, door);
  labStatus(lab, terminal);
  labStop(lab, terminal);
  labFault(lab, terminal);
  labRequests(lab, terminal);
  labTalos(lab, terminal);
}
