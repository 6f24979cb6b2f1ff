import type { Command } from 'commander';
import { labStart } from './lab-start.ts';
import { labStatus } from './lab-status.ts';
import { labStop } from './lab-stop.ts';
import { labTalos } from './lab-talos.ts';
import type { TalosDoor } from './talos-door.ts';

/** Everything below `ichor lab`. */
export function labCommands(lab: Command, door: TalosDoor): void {
  const { terminal } = door;
  labStart(lab, door);
  labStatus(lab, terminal);
  labStop(lab, terminal);
  labTalos(lab, terminal);
}
