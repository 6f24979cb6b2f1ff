import type { Boot } from './boot.ts';
import { emptyDisk } from './disk.ts';
import type { Machine } from './machine.ts';
import { tellStopping } from './lives.ts';
import { lastWords, stopAll } from './power.ts';
import { Teller } from './telling.ts';

export type Wipe = {
  readonly graceful: boolean;
  readonly reboot: boolean;
  /** Labels of partitions; empty: the whole system disk, if that is meant at all. */
  readonly partitions: readonly string[];
  readonly system: boolean;
};

/** Takes the node out of its cluster when asked nicely, wipes what it is told to, and goes down. */
export async function resetNow(machine: Machine, boot: Boot, wipe: Wipe, actor: string): Promise<void> {
  const teller = new Teller(boot, actor);
  const container = machine.options.platform === 'container';
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
    await teller.phase('drain', { cordonAndDrainNode: undefined });
    if (machine.etcd?.local() !== undefined)
      await teller.phase('leave', { leaveEtcd: () => machine.etcd?.leave().catch(() => undefined) });
  }
  await teller.phase('preReset', { sendResetSignal: undefined });
  await stopAll(machine, boot, teller, { drain: false, kexec: wipe.partitions.length > 0 });
  await boot.sleep(machine.durations.reset);
  erase(machine, wipe);
  machine.finish(boot, wipe.reboot ? 'reboot' : 'off');
}

function erase(machine: Machine, { partitions, system }: Wipe): void {
  if (!system) return;
  const { disk } = machine;
  if (partitions.length === 0) {
    machine.disk = emptyDisk();
    return;
  }
  if (partitions.includes('META')) disk.meta.clear();
  if (partitions.includes('STATE')) disk.config = undefined;
  if (partitions.some((label) => label === 'EPHEMERAL' || label === 'ETCD')) {
    disk.etcd = undefined;
    disk.snapshot = undefined;
  }
}
