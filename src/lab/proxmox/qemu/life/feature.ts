import { answer } from '../../call.ts';
import type { Answer, Call } from '../../call.ts';
import { died } from '../../refusal.ts';
import { drivesOf, isCdrom, parseVolumeId } from '../config/drive.ts';
import { vmOf } from '../lookup.ts';

/** `GET feature`: what all disks of a VM can do together, and where they can be seen. */
export function showFeature(call: Call): Answer {
  const { storages, hosts } = call.datacenter;
  const vm = vmOf(call);
  const snapname = call.text('snapname');
  const section = snapname === undefined ? vm.config : vm.snapshots.get(snapname);
  if (section === undefined) throw died(`snapshot '${snapname}' does not exist`);
  const feature = call.text('feature') ?? '';
  const drives = drivesOf(section);
  const has = drives
    .filter((drive) => !isCdrom(drive))
    .every(({ file }) => {
      const volume = storages.find(call.host, file);
      return volume !== undefined && (feature === 'snapshot' || feature === 'clone' || feature === 'copy')
        ? storages.can(volume, feature)
        : false;
    });
  const seen = [...hosts.keys()].filter((name) =>
    drives.every(({ file }) => {
      const storage = parseVolumeId(file)?.storage;
      if (storage === undefined || !storages.exists(storage)) return true;
      return storages.hostsOf(storage).includes(name) && (storages.isShared(storage) || name === call.host.name);
    }),
  );
  return answer({ hasFeature: has ? 1 : 0, nodes: seen });
}
