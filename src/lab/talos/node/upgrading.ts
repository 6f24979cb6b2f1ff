import type { Boot } from './boot.ts';
import { otherSlot } from './disk.ts';
import type { Machine } from './machine.ts';
import { drained, stopAll } from './power.ts';
import { Teller } from './telling.ts';

/** Puts an image beside the one that runs, and lets the boot loader take it next. */
export function writeImage({ disk, faults, surroundings }: Machine, image: string): void {
  const running = disk.active;
  const before = disk.images[running];
  if (before === undefined) return;
  const next = otherSlot(running);
  disk.images = { ...disk.images, [next]: surroundings.imageOf(image, before) };
  disk.fallback = running;
  disk.active = next;
  disk.broken = faults.takeImage('broken-image', image) !== undefined;
}

/** The old way: the node drains, installs and reboots by itself. */
export async function upgradeNow(
  machine: Machine,
  boot: Boot,
  given: { readonly image: string; readonly actor: string; readonly stage: boolean },
): Promise<void> {
  const sequence = given.stage ? 'stageUpgrade' : 'upgrade';
  const teller = new Teller(boot, given.actor);
  boot.sequence = sequence;
  teller.sequence(sequence, 'START');
  if (given.stage) {
    machine.disk.stagedImage = given.image;
    await stopAll(machine, boot, teller, { drain: false, kexec: true });
    return machine.restart(boot);
  }
  await teller.phase('drain', { cordonAndDrainNode: () => drained(machine, boot) });
  await teller.phase('upgrade', {
    upgrade: async () => {
      await boot.sleep(machine.durations.upgrade / 2);
      if (machine.faults.take('die-mid-install', '') !== undefined) return machine.losePower();
      await boot.sleep(machine.durations.upgrade / 2);
      writeImage(machine, given.image);
    },
  });
  await stopAll(machine, boot, teller, { drain: false, kexec: true });
  machine.restart(boot);
}
