import { died, quoted } from '../../refusal.ts';
import type { Volume } from '../../storage.ts';
import { allocating } from './allocate.ts';
import type { Allocator } from './allocate.ts';
import { progress } from './log-lines.ts';

/** Who copies, for whom, and how fast. */
export type Copier = Allocator & { readonly perGiB: number; readonly vmid: number };

export type Copy = {
  readonly source: Volume;
  readonly storage: string;
  readonly format: string | undefined;
  readonly announce: string;
  readonly purpose?: 'disk' | 'cloudinit';
  readonly name?: string;
};

/** How often a copy looks up: more is only work for the lab. */
const parts = 4;

/** A full copy of a volume. It takes its time; who interrupts it leaves half of one behind. */
export async function copyVolume(copier: Copier, copy: Copy): Promise<Volume> {
  const { datacenter, host, worker, vmid } = copier;
  const { storages } = datacenter;
  const { source, storage, format, purpose = 'disk', name } = copy;
  worker.say(copy.announce);
  const wanted = {
    vmid,
    purpose,
    ...(format === undefined ? {} : { format }),
    ...(name === undefined ? {} : { name }),
  };
  const volume = await allocating(copier, storage, () => storages.copy(host, source, storage, wanted));
  worker.say(`allocated target volume '${storages.idOf(volume)}'`);
  // A cloud-init drive is written anew at every start.
  if (purpose === 'cloudinit') return volume;
  const lines = progress(volume.bytes, source.format === 'raw' ? volume.bytes : source.fileBytes);
  const tookMs = (copier.perGiB * volume.bytes) / 1024 ** 3;
  try {
    for (let part = 0; part < parts; part++) {
      await worker.sleep(tookMs / parts);
      for (const line of lines.slice((lines.length * part) / parts, (lines.length * (part + 1)) / parts))
        worker.say(line);
    }
  } catch (error) {
    const from = storages.pathOf(source);
    throw died(
      `copy failed: command '/usr/bin/qemu-img convert -p -n -f ${source.format} -O ${volume.format} ${from} zeroinit:${storages.pathOf(volume)}' failed: ${quoted(error)}`,
    );
  }
  return volume;
}
