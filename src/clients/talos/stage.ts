import type { MachineStage } from '../talos.ts';
import { nameOf, plainWords } from './words.ts';

const stages: readonly MachineStage[] = [
  'unknown',
  'booting',
  'installing',
  'maintenance',
  'running',
  'rebooting',
  'shutting down',
  'resetting',
  'upgrading',
];

/** Events and resources number the stages alike and name them differently. */
export function stageOf(values: Readonly<Record<string, number>>, stage: number): MachineStage {
  const word = plainWords(nameOf(values, stage).replace('MACHINE_STAGE_', ''));
  return stages.find((known) => known === word) ?? 'unknown';
}
