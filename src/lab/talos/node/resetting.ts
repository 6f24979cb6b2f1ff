import type { Boot } from './boot.ts';
import type { Machine } from './machine.ts';
import { tellStopping } from './lives.ts';
import { drained, lastWords, stopAll } from './power.ts';
import { Teller } from './telling.ts';

export type Wipe = {
  readonly graceful: boolean;
  readonly reboot: boolean;
  /** Labels of partitions; empty: the whole system disk, if that is meant at all. */
  readonly partitions: readonly string[];
  readonly system: boolean;
  /** Names of other disks that go as a whole. */
  readonly disks: readonly string[];
};

/** Takes the node out of its cluster when asked nicely, wipes what it is told to, and goes down. */
export async function resetNow(machine: Machine, boot: Boot, wipe: Wipe, actor: string): Promise<void> {
  const teller = new Teller(boot, actor);
  const container = boot.image.platform === 'container';
  boot.sequence = 'reset';
  teller.sequence('reset', 'START');
  if (container) {
    teller.phaseEvent('stopEverything', 'START');
    teller.task('stopAllServices', 'START');
    tellStopping(boot, 'apid');
    await lastWords(boot);
    return machine.finish(boot, 'off');
  }
  if (wipe.graceful) {
    await teller.phase('drain', { cordonAndDrainNode: () => drained(machine, boot) });
    if (machine.etcd?.local() !== undefined)
      await teller.phase('leave', { leaveEtcd: () => machine.etcd?.leave().catch(() => undefined) });
  }
  await teller.phase('preReset', { sendResetSignal: undefined });
  const staysInstalled = wipe.partitions.length > 0;
  await stopAll(machine, boot, teller, { drain: false, kexec: staysInstalled });
  await boot.sleep(machine.durations.reset);
  erase(machine, wipe);
  if (wipe.reboot && staysInstalled) return machine.restart(boot);
  machine.finish(boot, wipe.reboot ? 'reboot' : 'off');
}

function erase(machine: Machine, { partitions, system, disks }: Wipe): void {
  for (const name of disks) machine.surroundings.write(name, undefined);
  if (!system) return;
  const { disk } = machine;
  if (partitions.length === 0) return machine.wipe();
  if (partitions.includes('META')) disk.meta = new Map();
  if (partitions.includes('STATE')) {
    disk.config = undefined;
    disk.platformNetwork = undefined;
  }
  if (partitions.some((label) => label === 'EPHEMERAL' || label === 'ETCD')) {
    disk.etcd = undefined;
    disk.snapshot = undefined;
  }
}
