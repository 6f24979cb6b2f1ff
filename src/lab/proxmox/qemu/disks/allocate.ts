import type { Datacenter } from '../../datacenter.ts';
import { lockAt } from '../../file-lock.ts';
import type { Host } from '../../host.ts';
import type { Volume } from '../../storage.ts';
import type { Worker } from '../../tasks/task.ts';
import type { FileLock } from '../../vm.ts';
import { holding } from '../locking.ts';
import { allocationLine } from './log-lines.ts';

const patienceMs = 10_000;
const takesMs = 50;

export type Allocator = {
  readonly datacenter: Datacenter;
  /** Where the volume will be. */
  readonly host: Host;
  readonly worker: Worker;
  /** New volumes are noted here at once: whoever cleans up frees them. */
  readonly made: Volume[];
};

/** Makes a volume. A storage makes one at a time; who waits too long for that is refused. */
export function allocating(allocator: Allocator, storage: string, make: () => Volume): Promise<Volume> {
  const { datacenter, worker, made } = allocator;
  return holding(worker, storageLock(allocator, storage), patienceMs, async () => {
    const volume = make();
    made.push(volume);
    worker.say(allocationLine(datacenter.storages.pathOf(volume), volume));
    await worker.sleep(takesMs, 'early');
    return volume;
  });
}

/** What every host sees has one lock for all of them. */
function storageLock({ datacenter, host }: Allocator, storage: string): FileLock {
  const { clock, storages, hosts } = datacenter;
  const [first = host] = hosts.values();
  if (!storages.isShared(storage)) return lockAt(clock, host, `/var/lock/pve-manager/pve-storage-${storage}`);
  const refusal = `cfs-lock 'storage-${storage}' error: got lock request timeout`;
  return lockAt(clock, first, `/etc/pve/priv/lock/storage-${storage}`, refusal);
}
