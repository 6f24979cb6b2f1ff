import type { Datacenter } from '../../datacenter.ts';
import type { Vm } from '../../vm.ts';
import { drivesOf, isCdrom, isCloudInit, parseVolumeId } from '../config/drive.ts';

/** A volume of a VM that other hosts do not see. */
export type LocalDisk = {
  readonly volid: string;
  readonly cdrom: boolean;
  readonly cloudInit: boolean;
  readonly slot: string | undefined;
  /** Where the configuration speaks of it. */
  readonly reference: 'attached' | 'unused' | 'snapshot' | 'pending' | 'generated';
  readonly bytes: number | undefined;
  readonly replicate: boolean;
};

export function localDisks({ storages }: Datacenter, vm: Vm): LocalDisk[] {
  const found = new Map<string, LocalDisk>();
  const look = (section: ReadonlyMap<string, string>, reference: LocalDisk['reference']): void => {
    for (const drive of drivesOf(section)) {
      const { file: volid, slot, bytes, options } = drive;
      if (found.has(volid) || isElsewhere(storages, volid)) continue;
      const cloudInit = isCloudInit(drive);
      found.set(volid, {
        volid,
        slot,
        bytes,
        cloudInit,
        cdrom: isCdrom(drive),
        replicate: options.get('replicate') !== '0',
        reference: reference === 'attached' && (cloudInit || slot === 'tpmstate0') ? 'generated' : reference,
      });
    }
  };
  look(vm.config, 'attached');
  look(vm.pending, 'pending');
  for (const section of vm.snapshots.values()) look(section, 'snapshot');
  for (const [key, volid] of vm.config)
    if (/^unused\d+$/.test(key) && !found.has(volid) && !isElsewhere(storages, volid))
      found.set(volid, {
        volid,
        slot: undefined,
        bytes: undefined,
        cloudInit: false,
        cdrom: false,
        replicate: true,
        reference: 'unused',
      });
  return [...found.values()];
}

function isElsewhere(storages: Datacenter['storages'], volid: string): boolean {
  const parsed = parseVolumeId(volid);
  return parsed === undefined || storages.isShared(parsed.storage);
}

/** A row of the preconditions. */
export const localDiskRow = (disk: LocalDisk): Record<string, unknown> => ({
  volid: disk.volid,
  ...(disk.slot === undefined ? {} : { drivename: disk.slot }),
  ...(disk.bytes === undefined ? {} : { size: disk.bytes }),
  cdrom: disk.cdrom ? 1 : 0,
  is_attached: disk.reference === 'attached' || disk.reference === 'generated' ? 1 : 0,
  is_cloudinit: disk.cloudInit ? 1 : 0,
  is_tpmstate: disk.slot === 'tpmstate0' ? 1 : 0,
  is_unused: disk.reference === 'unused' ? 1 : 0,
  is_vmstate: 0,
  replicate: disk.replicate ? 1 : 0,
  shared: 0,
  ...(disk.reference === 'pending' ? { referenced_in_pending: 1 } : {}),
});
