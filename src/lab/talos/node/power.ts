import type { Boot } from './boot.ts';
import { tellFinished, tellStopping } from './lives.ts';
import type { Machine } from './machine.ts';
import { Teller } from './telling.ts';

const metalOf = (machine: Machine): boolean => machine.options.platform !== 'container';

/** Goes down in an orderly way and comes back. */
export async function rebootNow(machine: Machine, boot: Boot, actor = '', force = false): Promise<void> {
  const teller = new Teller(boot, actor);
  boot.sequence = 'reboot';
  teller.sequence('reboot', 'START');
  if (!force) await stopAll(machine, boot, teller, { drain: false, kexec: true });
  machine.finish(boot, 'reboot');
}

export async function shutDownNow(machine: Machine, boot: Boot, actor: string, force: boolean): Promise<void> {
  const teller = new Teller(boot, actor);
  boot.sequence = 'shutdown';
  teller.sequence('shutdown', 'START');
  await teller.phase('storeShutdown', { storeShutdownEmergency: undefined });
  await stopAll(machine, boot, teller, { drain: !force, kexec: false });
  await boot.sleep(machine.durations.shutdown);
  machine.finish(boot, 'off');
}

/** So that who listens hears how it ended. */
export const lastWords = (boot: Boot): Promise<void> => boot.sleep(20);

/** Everything that ends before the power does; the last event is that all services stop. */
export async function stopAll(
  machine: Machine,
  boot: Boot,
  teller: Teller,
  how: { readonly drain: boolean; readonly kexec: boolean },
): Promise<void> {
  const stop = (id: string): void => {
    if (!boot.services.isRunning(id)) return;
    tellStopping(boot, id);
    tellFinished(boot, id);
  };
  if (how.drain) await teller.phase('drain', { cordonAndDrainNode: undefined });
  await teller.phase('cleanup', {
    stopAllPods: async () => {
      if (boot.pods.length > 0) await boot.sleep(machine.durations.podsEnd);
      stop('kubelet');
    },
  });
  boot.pods = [];
  await teller.phase('dbus', { stopDBus: undefined });
  if (metalOf(machine)) {
    await teller.phase('stopServices', {
      stopServicesForUpgrade: () => {
        machine.etcd?.halt();
        stop('etcd');
        stop('cri');
      },
    });
    await teller.phase('umount', { unmountPodMounts: undefined });
    await teller.phase('unmountBind', { unmountSystemDiskBindMounts: undefined });
    await teller.phase('unmountSystem', { unmountEphemeralPartition: undefined });
    await teller.phase('volumeFinalize', { teardownLifecycle: undefined });
    if (how.kexec) await teller.phase('kexec', { kexecPrepare: undefined });
  }
  teller.begin('stopEverything', 'stopAllServices');
  await lastWords(boot);
}
