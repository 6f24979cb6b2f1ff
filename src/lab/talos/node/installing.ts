import type { Boot } from './boot.ts';
import { versionOfImage } from './disk.ts';
import type { Machine } from './machine.ts';
import type { Teller } from './telling.ts';

/** Pulls the installer, writes the disk, and goes down to come back from it. */
export async function installedOn(machine: Machine, boot: Boot, teller: Teller): Promise<void> {
  const image = boot.settings?.install.image;
  const { disk, durations } = machine;
  const target = boot.settings?.install.disk ?? `/dev/${machine.hardware.disks[0]?.name ?? 'sda'}`;
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
        disk.system = target;
        disk.active = 'A';
        disk.images = { A: (image === undefined ? undefined : versionOfImage(image)) ?? boot.version };
        disk.config = boot.config;
        boot.kernel(`[talos] install: done on ${target}`);
      },
    },
    'installing',
  );
  await teller.phase('meta', { reloadMeta: undefined });
  await teller.phase('saveMeta', { flushMeta: undefined });
  await teller.phase('volumeFinalize', { teardownLifecycle: undefined });
  teller.task('stopAllServices', 'START');
  await teller.phase('kexec', { kexecPrepare: undefined }, 'rebooting');
  machine.finish(boot, 'reboot');
}
