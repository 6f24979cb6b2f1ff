import type { Call } from '../../call.ts';
import { died, wrongParameters } from '../../refusal.ts';
import { isConfigKey } from '../config/values.ts';
import { checkDrives, resolveCdrom } from '../disks/parameters.ts';
import { newUuid } from '../identity.ts';
import { requireStorages } from '../rights/storage.ts';
import { onlyRoot, requireBridges, requireForKeys } from '../rights/vm.ts';
import { checkKeys, fillMacs, settingsOf } from '../settings.ts';

/** What a request wants of a configuration. */
export type Wish = {
  readonly settings: Map<string, string>;
  readonly remove: readonly string[];
  readonly revert: readonly string[];
  /** What is removed is destroyed, where it is a disk. */
  readonly force: boolean;
  readonly digest: string | undefined;
  readonly skipLock: boolean;
  /** The wish in one line, for the log. */
  readonly line: string;
};

/** Reads and checks everything that can be checked without looking at the VM. */
export function wishOf(call: Call, vmid: number): Wish {
  onlyRoot(call, 'skiplock');
  const settings = settingsOf(call);
  const line = lineOf(call);
  checkKeys(settings.get('sshkeys'));
  const [wantsDelete, wantsRevert] = [call.text('delete') ?? '', call.text('revert') ?? ''];
  if (wantsDelete === '' && wantsRevert === '' && settings.size === 0) throw died('no options specified');
  resolveCdrom(settings);
  const revert = revertedKeys(call, settings);
  const remove = removedKeys(call, settings, revert);
  checkDrives(call, settings);
  fillMacs(call, settings);
  if (settings.get('vmgenid') === '1') settings.set('vmgenid', newUuid(call.datacenter.random));
  requireForKeys(call, vmid, undefined, remove);
  requireForKeys(call, vmid, undefined, settings.keys());
  requireStorages(call, vmid, settings, undefined);
  requireBridges(call, settings);
  return {
    settings,
    remove,
    revert,
    force: call.flag('force'),
    digest: call.text('digest'),
    skipLock: call.flag('skiplock'),
    line,
  };
}

const notInLine = new Set(['node', 'vmid', 'digest', 'background_delay', 'import-working-storage']);

const lineOf = (call: Call): string =>
  Object.keys(call.params)
    .filter((name) => !notInLine.has(name) && call.params[name] !== undefined)
    .sort()
    .map((name) => `-${name} ${name === 'cipassword' ? '<hidden>' : (call.text(name) ?? '')}`)
    .join(' ');

function revertedKeys(call: Call, settings: ReadonlyMap<string, string>): string[] {
  const keys = [...call.list('revert')];
  for (const key of keys) {
    if (!isConfigKey(key)) throw wrongParameters({ revert: `unknown option '${key}'` });
    if (settings.has(key))
      throw wrongParameters({ delete: `you can't use '-${key}' and -revert ${key}' at the same time` });
  }
  return keys;
}

function removedKeys(call: Call, settings: ReadonlyMap<string, string>, revert: readonly string[]): string[] {
  const keys = call.list('delete').map((key) => (key === 'cdrom' ? 'ide2' : key));
  for (const key of keys) {
    if (settings.has(key))
      throw wrongParameters({ delete: `you can't use '-${key}' and -delete ${key}' at the same time` });
    if (revert.includes(key))
      throw wrongParameters({ revert: `you can't use '-delete ${key}' and -revert ${key}' at the same time` });
    if (!isConfigKey(key)) throw wrongParameters({ delete: `unknown option '${key}'` });
  }
  return keys;
}
