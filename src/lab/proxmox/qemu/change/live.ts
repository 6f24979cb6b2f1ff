import type { ConfigFile } from '../../vm.ts';
import { parseAgent } from '../config/agent-option.ts';
import { splitList } from '../config/property-string.ts';

/** A change has to wait for a cold start: nobody is told. */
export class Waits extends Error {
  override readonly name = 'Waits';
}

/** What may be plugged into a running VM. */
export function featuresOf(hotplug: string | undefined): ReadonlySet<string> {
  if (hotplug === '0') return new Set();
  return new Set(hotplug === undefined || hotplug === '1' ? ['network', 'disk', 'usb'] : splitList(hotplug));
}

const fast: ReadonlySet<string> = new Set(
  'description hookscript lock migrate_downtime migrate_speed name onboot protection shares startup tags vmstatestorage cicustom cipassword citype ciupgrade ciuser nameserver searchdomain sshkeys'.split(
    ' ',
  ),
);

export const isFast = (key: string): boolean => fast.has(key) || /^ipconfig\d+$/.test(key);

/** Keys other than devices that are deleted. */
export function leavesLive({ config }: ConfigFile, key: string, features: ReadonlySet<string>): void {
  if (isFast(key) || key === 'cpuunits' || key === 'cpulimit') return;
  if (key === 'hotplug' && !/cpu|memory/.test(config.get('hotplug') ?? '')) return;
  if (key === 'balloon' && config.get('balloon') !== '0') return;
  if (key === 'tablet' && features.has('usb')) return;
  if (key === 'vcpus' && features.has('cpu')) return;
  if (key === 'memory' && features.has('memory')) return;
  if (/^usb\d+$/.test(key) && takesUsb(config, features)) return;
  throw new Waits();
}

/** Keys other than devices that are set. */
export function changesLive({ config }: ConfigFile, key: string, value: string, features: ReadonlySet<string>): void {
  if (key === 'cpuunits' || key === 'cpulimit') return;
  if (key === 'hotplug' && !/cpu|memory/.test(`${value} ${config.get('hotplug') ?? ''}`)) return;
  if (key === 'balloon' && (config.get('balloon') === '0') === (value === '0')) return;
  if (key === 'tablet' && features.has('usb')) return;
  if (key === 'vcpus' && features.has('cpu')) return;
  if (key === 'memory' && features.has('memory')) return;
  if (/^usb\d+$/.test(key) && takesUsb(config, features)) return;
  if (key === 'agent' && sameChannel(config.get('agent'), value)) return;
  throw new Waits();
}

const takesUsb = (config: ReadonlyMap<string, string>, features: ReadonlySet<string>): boolean =>
  features.has('usb') && /^(l26|win(8|10|11))$/.test(config.get('ostype') ?? '');

/** Only what is asked of the agent later may change; the port itself is there or is not. */
function sameChannel(before: string | undefined, after: string): boolean {
  if (before === undefined) return false;
  const [old, now] = [parseAgent(before), parseAgent(after)];
  const keys = new Set([...old.keys(), ...now.keys()]);
  keys.delete('fstrim_cloned_disks');
  return [...keys].every((key) => old.get(key) === now.get(key));
}
