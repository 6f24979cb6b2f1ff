import type { Boot } from './boot.ts';
import { agentService } from './extensions.ts';
import { apiServed } from './kubernetes.ts';
import { tellFinished, tellStopping } from './lives.ts';
import type { Machine } from './machine.ts';
import { Teller } from './telling.ts';

const metalOf = ({ image }: Boot): boolean => image.platform !== 'container';

/** Goes down in an orderly way and comes back. */
export async function rebootNow(
  machine: Machine,
  boot: Boot,
  actor = '',
  how: 'straight' | 'power cycle' | 'force' = 'straight',
): Promise<void> {
  const teller = new Teller(boot, actor);
  boot.sequence = 'reboot';
  teller.sequence('reboot', 'START');
  if (how !== 'force') await stopAll(machine, boot, teller, { drain: false, kexec: how === 'straight' });
  if (how === 'straight') machine.restart(boot);
  else machine.finish(boot, 'reboot');
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

/** A node of Kubernetes asks its pods to leave; where the API does not answer it gives up after a long while. */
export async function drained(machine: Machine, boot: Boot): Promise<void> {
  if (boot.node === 'absent') return;
  if (apiServed(machine, boot)) machine.world.kubernetesOf(boot)?.drain?.(boot.nodename ?? '');
  await boot.sleep(apiServed(machine, boot) ? machine.durations.drain : machine.durations.drainTimeout);
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
  if (how.drain) await teller.phase('drain', { cordonAndDrainNode: () => drained(machine, boot) });
  await teller.phase('cleanup', {
    stopAllPods: async () => {
      if (boot.pods.length > 0) await boot.sleep(machine.durations.podsEnd);
      stop('kubelet');
      machine.world.stir();
    },
  });
  boot.pods = [];
  await teller.phase('dbus', { stopDBus: undefined });
  if (metalOf(boot)) {
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
  stop(agentService);
  await lastWords(boot);
}
