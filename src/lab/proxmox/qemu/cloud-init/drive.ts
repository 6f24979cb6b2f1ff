import type { Datacenter } from '../../datacenter.ts';
import type { Vm } from '../../vm.ts';
import { drivesOf, isCloudInit } from '../config/drive.ts';
import { readConfig, writeConfig } from '../config/file.ts';
import { cloudInitOf } from './content.ts';

/** Writes the drive anew from the configuration; what it was behind with is forgotten. */
export function writeDrive(datacenter: Datacenter, vm: Vm, say: (line: string) => void): void {
  if (!drivesOf(vm.config).some(isCloudInit)) return;
  // Own files that are not there are noticed here.
  cloudInitOf(datacenter, vm);
  say('generating cloud-init ISO');
  if (vm.cloudInitDrift.size === 0) return;
  const file = readConfig(vm);
  file.cloudInitDrift.clear();
  writeConfig(datacenter, vm, file);
}
