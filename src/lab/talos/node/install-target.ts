import { diskMatches } from '../config/disk-match.ts';
import { loadConfig } from '../config/load.ts';
import { section, textAt } from '../config/rules/report.ts';
import { diskSelector } from '../config/rules/install.ts';
import { versionParts } from '../config/version.ts';
import type { TwinDisk } from '../twin.ts';
import { diskFacts } from './hardware.ts';

/** The disk that a configuration wants Talos on; undefined: there is no such disk. */
export function installTarget(config: string, version: string, disks: readonly TwinDisk[]): TwinDisk | undefined {
  const writable = disks.filter(({ cdrom }) => cdrom !== true);
  const loaded = loadConfig(config, versionParts(version).minor);
  const of = (kind: string) => loaded.find((document) => document.kind === kind)?.values;
  const install = section(section(of('v1alpha1'), 'machine'), 'install');
  const selector = diskSelector(install);
  if (selector !== undefined && 'terms' in selector)
    return writable.find((disk, index) => selector.terms.every(({ holds }) => holds(diskFacts(disk, index))));
  const path = textAt(install, 'disk');
  if (path !== '') return writable.find((disk) => isCalled(disk, path));
  const match = textAt(section(section(of('UnattendedInstallConfig'), 'provisioning'), 'diskSelector'), 'match');
  if (match !== '') return writable.find((disk, index) => diskMatches(match, diskFacts(disk, index)));
  return writable[0];
}

const isCalled = ({ name, symlinks = [] }: TwinDisk, path: string): boolean =>
  path === `/dev/${name}` || symlinks.includes(path);
