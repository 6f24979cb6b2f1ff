import type { Call } from '../../call.ts';
import { died } from '../../refusal.ts';
import type { Volume } from '../../storage.ts';
import type { Vm } from '../../vm.ts';
import { drivesOf, isCdrom } from '../config/drive.ts';

type Section = ReadonlyMap<string, string>;

/** Disks of a section, with what they are called. */
export const disksOf = (call: Call, section: Section): { slot: string; file: string; volume: Volume | undefined }[] =>
  drivesOf(section)
    .filter((drive) => !isCdrom(drive))
    .map(({ slot, file }) => ({ slot, file, volume: call.datacenter.storages.find(call.host, file) }));

export function mustSnapshot(call: Call, section: Section): void {
  const able = disksOf(call, section).every(
    ({ volume }) => volume !== undefined && call.datacenter.storages.can(volume, 'snapshot'),
  );
  if (!able) throw died('snapshot feature is not available');
}

/** What is on the disks at this moment is put by. */
export function keepContents(call: Call, vm: Vm, name: string): void {
  const kept = new Map<string, ReadonlyMap<string, unknown>>();
  for (const { file, volume } of disksOf(call, vm.config))
    if (volume !== undefined) kept.set(file, new Map(volume.written.state));
  vm.saved.set(name, kept);
}

/** Disks hold again what they held then. */
export function bringBack(call: Call, vm: Vm, name: string, section: Section): void {
  for (const { file, volume } of disksOf(call, section)) {
    const state = vm.saved.get(name)?.get(file);
    if (volume !== undefined && state !== undefined) volume.written = { ...volume.written, state: new Map(state) };
  }
}
