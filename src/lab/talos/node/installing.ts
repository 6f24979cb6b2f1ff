import type { Boot } from './boot.ts';
import { installTarget } from './install-target.ts';
import type { Machine } from './machine.ts';
import type { Teller } from './telling.ts';

/** Pulls the installer, writes the disk, and goes down to come back from it. */
export async function installedOn(machine: Machine, boot: Boot, teller: Teller): Promise<void> {
  const image = boot.settings?.install.image;
  const { durations } = machine;
  await machine.apid.closed();
  await teller.phase('env', { setUserEnvVars: undefined });
  await teller.phase(
    'install',
    {
      install: async () => {
        boot.kernel(`[talos] install: pulling ${image ?? 'the default installer'}`);
        await boot.sleep(durations.install / 2);
        if (machine.faults.take('die-mid-install', '') !== undefined) return machine.losePower();
        await boot.sleep(durations.install / 2);
        const target = installTarget(boot.config ?? '', boot.version, machine.hardware.disks);
        if (target === undefined) return fail(machine, boot);
        machine.install(target.name, image, boot);
        boot.kernel(`[talos] install: done on /dev/${target.name}`);
      },
    },
    'installing',
  );
  await teller.phase('meta', { reloadMeta: undefined });
  await teller.phase('saveMeta', { flushMeta: undefined });
  await teller.phase('volumeFinalize', { teardownLifecycle: undefined });
  teller.task('stopAllServices', 'START');
  await teller.phase('kexec', { kexecPrepare: undefined }, 'rebooting');
  machine.restart(boot);
}

/** Nothing was written, so nothing is known after the reboot. */
function fail(machine: Machine, boot: Boot): never {
  boot.kernel('[talos] install: failed to find a disk that the configuration selects; rebooting');
  machine.finish(boot, 'reboot');
  throw new Error('There is no such disk.');
}
