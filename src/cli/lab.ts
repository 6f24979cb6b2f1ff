import type { Command } from 'commander';
import { labStart } from './lab-start.ts';
import { labStatus } from './lab-status.ts';
import { labStop } from './lab-stop.ts';
import { labTalos } from './lab-talos.ts';
import type { Terminal } from './terminal.ts';

/** Everything below `ichor lab`. */
export function labCommands(lab: Command, terminal: () => Terminal): void {
  labStart(lab, terminal);
  labStatus(lab, terminal);
  labStop(lab, terminal);
  labTalos(lab, terminal);
}
